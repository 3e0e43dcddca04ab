import { refused } from '../../http/http-errors.ts'
import { type MailKind, templateOf } from '../../integrations/mail/kinds.ts'
import { hurryMail, type MailRow, notifyOfMail } from '../../integrations/mail/queries.ts'
import { MAIL_QUEUED, withoutSecrets } from '../../integrations/mail/queue.ts'
import { renderMail } from '../../integrations/mail/render.ts'
import type { Shop } from '../../shop.ts'
import type { Remade } from './membership-mails.ts'
import { remade, sendAgain } from './resend.ts'

/** Why an email can't be sent again. */
export const TRUE_FOR_ITS_DAY = 'What it said was true for its day alone, so it cannot be made again.'

/** What an email says: from its stored data, else made again from today's; null if it was true for its day alone. */
export async function textOfMail(shop: Shop, row: MailRow): Promise<Remade | null> {
  const { recipient, kind, data } = row
  if (recipient !== '' && templateOf(kind))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- queued with the data of its kind
    return { to: recipient, kind: kind as MailKind, data: withoutSecrets(data as object) }
  return remade(shop, row)
}

/** Without the footer that all emails share. */
export function readableMail({ to, kind, data }: Remade, config: Shop['config']) {
  const rendered = renderMail({ id: 'preview', kind, recipient: to, data }, config)
  if (!rendered) return null
  const [text = ''] = rendered.text.split('\n\n--\n')
  return { to, subject: rendered.subject, text }
}

export const isWaiting = ({ sentAt, failedAt }: MailRow): boolean => sentAt === null && failedAt === null

/**
 * Tries a waiting email at once, and sends another one again; a link in it is replaced.
 *
 * @throws 422 if it can't be made again, or what it was about is over
 */
export async function repeatMail(shop: Shop, row: MailRow): Promise<void> {
  if (isWaiting(row)) {
    await hurryMail(shop.db, row.id)
    await notifyOfMail(shop.db, MAIL_QUEUED)
    return
  }
  // Render the email again even if the demo's mailbox still has the text, because its links must be new.
  const made = (await remade(shop, row)) ?? (await textOfMail(shop, row))
  if (!made) throw refused(TRUE_FOR_ITS_DAY)
  if (!(await sendAgain(shop, row, made))) throw refused('What it was about is over, so it was not sent.')
}
