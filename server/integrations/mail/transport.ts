import type { Config } from '../../settings/config.ts'
import { htmlOf, absolute } from './html.ts'
import { letterOf } from './kinds.ts'
import type { Letter } from './template.ts'
import { plainOf } from './plain.ts'
import { withPlainNames } from './plain-names.ts'
import type { MailRow } from './queries.ts'
import { errorCode } from '../../log/error-code.ts'
import { dayIn } from '../../format.ts'

export interface WrittenMail {
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly unsubscribe: string | undefined
}

/** Renders an email; undefined if this release does not know its kind. */
export function written(
  { id, kind, recipient, data }: Pick<MailRow, 'id' | 'kind' | 'recipient' | 'data'>,
  config: Pick<Config, 'publicUrl' | 'shopZone' | 'details'>,
): WrittenMail | undefined {
  const { publicUrl } = config
  const letterFor = letterOf(kind)
  if (!letterFor) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each template gets the data of its kind
  const given = withPlainNames(data) as never
  const letter: Letter = letterFor(given, (at) => dayIn(config.shopZone, at), config.details)
  return {
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    to: recipient,
    // A line break in a title or name would start a header.
    subject: letter.subject.replaceAll(/\s+/g, ' '),
    text: plainOf(letter, config),
    html: htmlOf(letter, config),
    unsubscribe: letter.unsubscribe && absolute(letter.unsubscribe, publicUrl),
  }
}

export interface MailTransport {
  send(mail: WrittenMail): Promise<void>
  close(): void
}

/** Sends by SMTP. `send` throws; `isPermanentRefusal` tells whether to try again. */
export async function smtpTransport(
  smtpUrl: string,
  /** Read for each email, because the sender may change. */
  config: Pick<Config, 'mailFrom' | 'replyTo'>,
): Promise<MailTransport> {
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // An email must never make nodemailer read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ messageId, to, subject, text, html, unsubscribe }) {
      await transport.sendMail({
        from: config.mailFrom,
        ...(config.replyTo ? { replyTo: config.replyTo } : {}),
        // As an object, so that a comma cannot add a second recipient.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe
            ? {
                'List-Unsubscribe': `<${unsubscribe}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }
            : {}),
        },
      })
    },
    close: () => transport.close(),
  }
}

/** A bounce: the mail server refuses it permanently. */
export function isPermanentRefusal(error: unknown): boolean {
  const { code, responseCode } = smtpAnswerOf(error)
  return code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
}

/** The part of a mail server's refusal that may be logged. Its message contains the recipient. */
export const smtpAnswerOf = (error: unknown): { code?: unknown; responseCode?: number | undefined } => ({
  code: errorCode(error),
  responseCode:
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? error.responseCode
      : undefined,
})
