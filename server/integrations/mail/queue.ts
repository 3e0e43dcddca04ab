import type { Db } from '../../db/open.ts'
import type { DataOf, MailKind } from './kinds.ts'
import { insertMail, notifyOfMail } from './queries.ts'

export const MAIL_QUEUED = 'mail_queued'

export interface QueuedMail<Kind extends MailKind> {
  readonly to: string
  readonly kind: Kind
  /** What it is about: `order_confirmed:{order}`. A second email with the same key is not written. */
  readonly key: string
  readonly data: DataOf<Kind>
}

/** Writes in the caller's transaction; sent after the commit. Returns false if an email with this key exists. */
export async function queueMail<const Kind extends MailKind>(
  db: Db,
  { to, kind, key, data }: QueuedMail<Kind>,
): Promise<boolean> {
  const isWritten = await insertMail(db, { key, kind, recipient: to, data })
  if (isWritten) await notifyOfMail(db, MAIL_QUEUED)
  return isWritten
}

/** Replaces links and codes that open something, because they are not stored. */
export const HIDDEN = '……'

const SECRETS = new Set(['token', 'code', 'giverToken'])

export const withoutSecrets = (data: object): object =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, SECRETS.has(name) ? HIDDEN : value]))
