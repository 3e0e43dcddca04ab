import { errorCode } from '../../log/error-code.ts'
import type { Config } from '../../settings/config.ts'
import type { RenderedMail } from './render.ts'

export interface MailTransport {
  send(mail: RenderedMail): Promise<void>
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
