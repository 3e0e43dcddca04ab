import type { Db } from '../../db/open.ts'
import type { DataOf, MailKind } from './kinds.ts'
import { insertMail, notifyOfMail } from './queries.ts'

/** Told when a mail is committed; the sender of every instance listens. */
export const MAIL_QUEUED = 'mail_queued'

export interface QueuedMail<Kind extends MailKind> {
  readonly to: string
  readonly kind: Kind
  /** What it is about, `order_confirmed:{order}`. The second mail with a key is not written. */
  readonly key: string
  readonly data: DataOf<Kind>
}

/**
 * Writes a mail into the transaction of what it is about. It is sent after that commits, once, or again with the
 * same Message-ID where the server died between sending and noting it.
 *
 * @returns false where a mail with this key is there already
 */
export async function queueMail<const Kind extends MailKind>(
  db: Db,
  { to, kind, key, data }: QueuedMail<Kind>,
): Promise<boolean> {
  const isWritten = await insertMail(db, { key, kind, recipient: to, data })
  if (isWritten) await notifyOfMail(db, MAIL_QUEUED)
  return isWritten
}
