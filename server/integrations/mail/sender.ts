import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations.ts'
import type { Database } from '#server/db/open.ts'
import { backOffMs } from '#server/due-work/for-each-due.ts'
import type { Log } from '#server/log/log.ts'
import type { Config } from '#server/settings/config.ts'
import { withoutSecrets } from './queue.ts'
import { URGENT } from './kinds.ts'
import { type RenderedMail, renderMail } from './render.ts'
import {
  hurryUnreached,
  type MailRow,
  markSent,
  markUndeliverable,
  postpone,
  type SentMail,
  takeDueMail,
} from './queries.ts'
import { errorCode } from '../../log/error-code.ts'

/** Longer than any mail server takes to accept an email. */
const TAKEN_SECONDS = 180
/** Retries wait twice as long each time, up to six hours, because a mail server may be unavailable for a while. */
const WAITS = { firstMs: MINUTE_MS, longestMs: 6 * HOUR_MS }
/** About three days. */
const ATTEMPTS = 20

/** Safe on several instances. After a crash an email may be sent again, with the same Message-ID. */
export async function sendDueMail(
  { db, config, log }: { readonly db: Database; readonly config: Config; readonly log: Log },
  post: MailTransport,
  signal?: AbortSignal,
): Promise<number> {
  let sent = 0
  while (!signal?.aborted) {
    const row = await takeDueMail(db, TAKEN_SECONDS, URGENT)
    if (!row) return sent
    const mail = renderMail(row, config)
    // A newer release queued it and will send it.
    if (!mail) continue
    try {
      await post.send(mail)
    } catch (error) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any error can be checked for this
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      // Never log the message: it contains the recipient.
      log.warn({ mail: row.id, kind: row.kind, code, responseCode }, 'a mail was not taken')
      if (isPermanentRefusal(error) || row.attempts >= ATTEMPTS)
        await markUndeliverable(db, row.id, String(responseCode ?? 'unreachable'))
      else {
        await postpone(db, row.id, backOffMs(row.attempts, WAITS) / SECOND_MS, responseCode !== undefined)
        // The other emails need the same server.
        if (responseCode === undefined) return sent
      }
      continue
    }
    await markSent(db, row.id, asRead(row, config), config.demo)
    if (sent === 0) await hurryUnreached(db)
    sent += 1
  }
  return sent
}

function asRead(row: MailRow, config: Config): SentMail {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- queued as an object
  const mail = renderMail({ ...row, data: withoutSecrets(row.data as object) }, config)!
  return { recipient: row.recipient, subject: mail.subject, text: mail.text }
}

export interface MailTransport {
  send(mail: RenderedMail): Promise<void>
  close(): void
}

/** `send` throws; `isPermanentRefusal` tells whether to try again. */
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
    async send({ messageId, to, subject, text, html, unsubscribe, attachment }) {
      await transport.sendMail({
        from: config.mailFrom,
        ...(config.replyTo ? { replyTo: config.replyTo } : {}),
        // As an object, so that a comma cannot add a second recipient.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        ...(attachment ? { attachments: [attachment] } : {}),
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

function isPermanentRefusal(error: unknown): boolean {
  const { code, responseCode } = smtpAnswerOf(error)
  return code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
}

/** The part of a mail server's refusal that may be logged. Its message contains the recipient. */
const smtpAnswerOf = (error: unknown): { code?: unknown; responseCode?: number | undefined } => ({
  code: errorCode(error),
  responseCode:
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? error.responseCode
      : undefined,
})
