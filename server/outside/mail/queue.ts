import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { mails } from '../../db/schema/mails.ts'
import type { DataOf, MailKind } from './kinds.ts'

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
  const written = await db
    .insert(mails)
    .values({ key, kind, recipient: to, data })
    .onConflictDoNothing({ target: mails.key })
    .returning({ id: mails.id })
  if (written.length > 0) await db.execute(sql`select pg_notify(${MAIL_QUEUED}, '')`)
  return written.length > 0
}
