import { dayIn } from '../../format.ts'
import { calendarFile } from '../../print/calendar-file.ts'
import type { Config } from '../../settings/config.ts'
import { accentOf } from '../../settings/owners-colours.ts'
import { templateOf } from './kinds.ts'
import { type EmailContent, type Part, withPlainNames } from './template.ts'
import type { MailCover } from './cover-queries.ts'
import type { MailRow } from './queries.ts'

export interface RenderedMail {
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly unsubscribe: string | undefined
  readonly attachment: Attachment | undefined
}

interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: string
}

export function renderMail(
  { id, kind, recipient, data }: Pick<MailRow, 'id' | 'kind' | 'recipient' | 'data'>,
  config: Pick<Config, 'publicUrl' | 'shopZone' | 'details'>,
): RenderedMail | undefined {
  const { publicUrl } = config
  const template = templateOf(kind)
  if (!template) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each template gets the data of its kind
  const given = withPlainNames(data) as never
  const content: EmailContent = template(given, (at) => dayIn(config.shopZone, at), config.details)
  return {
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    to: recipient,
    // A line break in a title or name would start a header.
    subject: content.subject.replaceAll(/\s+/g, ' '),
    text: toPlainText(content, config),
    html: toHtml(content, config),
    unsubscribe: content.unsubscribe && absolute(content.unsubscribe, publicUrl),
    attachment: content.calendar && calendarOf(content.calendar, config),
  }
}

const calendarOf = (
  { path, ...entry }: NonNullable<EmailContent['calendar']>,
  { publicUrl, details }: Sender,
): Attachment => ({
  filename: 'calendar.ics',
  contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
  content: calendarFile(details.name, { ...entry, url: absolute(path, publicUrl) }),
})

// Email clients support neither stylesheets nor custom properties, so the colours of tokens.css are inlined.
const INK = 'color:#171a24'
const QUIET = 'color:#4a4f5e;font-size:14px;line-height:1.5'
const SERIF = "font-family:Newsreader,Georgia,'Times New Roman',serif"
const SANS = "font-family:'Source Sans 3','Segoe UI',Arial,sans-serif"

type Sender = Pick<Config, 'publicUrl' | 'details'>

/** Addresses without a host are the shop's. */
function toHtml({ heading, parts, unsubscribe }: EmailContent, { publicUrl, details }: Sender): string {
  const accent = accentOf(details.file.colours)
  const partHtml = (part: Part): string => {
    if ('text' in part) return paragraph(part.text, `${INK};font-size:17px;line-height:1.55`)
    if ('title' in part)
      return `<h2 style="margin:28px 0 12px;${INK};${SERIF};font-size:21px;line-height:1.25;font-weight:500">${escaped(part.title)}</h2>`
    if ('covers' in part) return coversHtml(part.covers, publicUrl)
    if ('small' in part) return paragraph(part.small, QUIET)
    if ('quote' in part)
      return `<blockquote style="margin:0 0 20px;padding:0 0 0 16px;border-left:3px solid ${accent};${INK};${SERIF};font-size:19px;line-height:1.5">${lines(part.quote)}${part.by ? `<br><span style="${SANS};${QUIET}">${escaped(part.by)}</span>` : ''}</blockquote>`
    if ('code' in part)
      return `${paragraph(part.label, QUIET)}<p style="margin:0 0 20px;${INK};font-size:28px;letter-spacing:4px;font-weight:600">${escaped(part.code)}</p>`
    if ('rows' in part) return table(part.rows)
    const href = escaped(absolute(part.to, publicUrl))
    return `<p style="margin:0 0 20px"><a href="${href}" style="display:inline-block;padding:13px 24px;border-radius:10px;background:${accent};color:#ffffff;font-size:17px;font-weight:600;text-decoration:none">${escaped(part.button)}</a></p><p style="margin:0 0 20px;${QUIET};word-break:break-all">Or open this address: <a href="${href}" style="color:${accent}">${href}</a></p>`
  }
  const leave = unsubscribe
    ? ` <a href="${escaped(absolute(unsubscribe, publicUrl))}" style="color:#4a4f5e">Unsubscribe</a>`
    : ''
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="margin:0;background:#f6f6f3;${SANS}"><div style="max-width:560px;margin:0 auto;padding:32px 20px">
<p style="margin:0 0 24px;${INK};${SERIF};font-size:22px">${escaped(details.name)}</p>
<div style="background:#ffffff;border-radius:16px;padding:32px 28px 12px">
<h1 style="margin:0 0 20px;${INK};${SERIF};font-size:28px;line-height:1.2;font-weight:500">${escaped(heading)}</h1>
${parts.map(partHtml).join('\n')}
</div>
<p style="margin:24px 0 0;${QUIET}">${escaped(details.name)}, <a href="${escaped(publicUrl)}" style="color:#4a4f5e">${escaped(new URL(publicUrl).host)}</a>.${leave}</p>
</div></body></html>`
}

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const absolute = (address: string, publicUrl: string): string =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

const paragraph = (text: string, style: string) => `<p style="margin:0 0 20px;${style}">${lines(text)}</p>`

const lines = (text: string) => escaped(text).replaceAll('\n', '<br>')

const MOST_COVERS = 4

/**
 * Opaque pictures with a size, so that they look the same in dark mode and nothing moves; the text instead of a blocked
 * picture is readable, because it has its own background.
 */
function coversHtml(covers: readonly MailCover[], publicUrl: string): string {
  const width = covers.length === 1 ? 160 : 104
  const pictures = covers.slice(0, MOST_COVERS).map(({ picture, ratio, title, to }) => {
    const height = Math.round(width * ratio)
    return `<a href="${escaped(absolute(to, publicUrl))}" style="text-decoration:none"><img src="${escaped(absolute(picture, publicUrl))}" alt="${escaped(title)}" width="${width}" height="${height}" style="display:inline-block;width:${width}px;height:${height}px;margin:0 12px 12px 0;border:0;border-radius:3px;vertical-align:bottom;background:#ecebe6;${QUIET}"></a>`
  })
  return covers.length === 0 ? '' : `<p style="margin:0 0 8px">${pictures.join('')}</p>`
}

function table(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(([label, value], index) => {
    const last = index === rows.length - 1
    const style = `padding:9px 0;border-top:1px solid #dadbd5;${INK};font-size:16px${last ? ';font-weight:600' : ''}`
    return `<tr><td style="${style}">${escaped(label)}</td><td style="${style};text-align:right;white-space:nowrap;padding-left:16px">${escaped(value)}</td></tr>`
  })
  return `<table role="presentation" width="100%" style="border-collapse:collapse;margin:0 0 20px">${cells.join('')}</table>`
}

function toPlainText({ heading, parts, unsubscribe }: EmailContent, { publicUrl, details }: Sender): string {
  const partText = (part: Part): string | undefined => {
    if ('text' in part) return part.text
    // Elsewhere the text names the titles.
    if ('covers' in part)
      return part.inWords
        ? part.covers.map(({ title, to }) => `${title}:\n${absolute(to, publicUrl)}`).join('\n\n')
        : undefined
    if ('title' in part) return part.title.toUpperCase()
    if ('small' in part) return part.small
    if ('quote' in part) return quoted(part.quote) + (part.by ? `\n  ${part.by}` : '')
    if ('code' in part) return `${part.label}\n\n    ${part.code}`
    if ('rows' in part) return part.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
    return `${part.button}:\n${absolute(part.to, publicUrl)}`
  }
  const foot = `${details.name}\n${publicUrl}`
  const leave = unsubscribe ? [`Unsubscribe: ${absolute(unsubscribe, publicUrl)}`] : []
  return [heading, ...parts.map(partText).filter((text) => text !== undefined), '--', foot, ...leave].join(
    '\n\n',
  )
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
