import type { Config } from '#server/settings/config.ts'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/db/open.ts'
import { escaped, renderMail, type RenderedMail } from './render.ts'
import { type MailRow, selectNewestMails } from './queries.ts'

interface KeptMail extends RenderedMail {
  readonly kind: string
  readonly sentAt: string
}

// Emails have inline styles and covers; nothing else may run or load on this page.
const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Registered in demo mode only (docs/demo.md, Mail): newest first, `?to=` filters by address. */
export function registerMailbox({
  app,
  shop,
}: {
  readonly app: FastifyInstance
  readonly shop: { readonly db: Database; readonly config: Config }
}): void {
  const keptMails = async (query: unknown): Promise<KeptMail[]> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated by the route's schema
    const { to } = query as { to?: unknown }
    const rows = await selectNewestMails(shop.db, typeof to === 'string' ? to : undefined)
    return rows.flatMap((row) => keptMail(row, shop.config))
  }

  app.get('/dev/mail.json', async ({ query }, reply) => {
    const mails = (await keptMails(query)).map((mail) => ({ ...mail, links: linksOf(mail.html) }))
    return reply.header('cache-control', 'no-store').send(mails)
  })
  app.get('/dev/mail', async ({ query }, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', POLICY)
      .type('text/html; charset=utf-8')
      .send(mailboxPage(await keptMails(query))),
  )
}

function keptMail(row: MailRow, config: Config): KeptMail[] {
  const mail = renderMail(row, config)
  return mail ? [{ ...mail, kind: row.kind, sentAt: (row.sentAt ?? row.queuedAt).toISOString() }] : []
}

const linksOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
      href!.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
    ),
  ),
]

function mailboxPage(mails: readonly KeptMail[]): string {
  const each = mails.map(({ to, subject, sentAt, html, text }) => {
    const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? ''
    const inside = body.replace('<h1', '<h3').replace('</h1>', '</h3>')
    return `<article>
<h2>${escaped(subject)}</h2><p>To ${escaped(to)}, <time datetime="${sentAt}">${sentAt.replace('T', ' ').slice(0, 19)}</time></p>
<div class="letter">${inside}</div>
<details><summary>As text</summary><pre>${escaped(text)}</pre></details>
</article>`
  })
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Demo mailbox</title>
<style>body{margin:0 auto;max-width:720px;padding:24px 16px;font:16px/1.5 system-ui,sans-serif;color:#171a24;background:#fff}
article{border-top:1px solid #626878;padding:16px 0}h2{margin:0}.letter{background:#f6f6f3}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
<body><main><h1>Demo mailbox</h1><p>No mail leaves this machine. Newest first.</p>
${each.join('\n') || '<p>Nothing yet.</p>'}</main></body></html>`
}
