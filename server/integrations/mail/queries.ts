import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { mails, sentMails } from '../../db/schema/mails.ts'
import type { MailKind } from './kinds.ts'

export type MailRow = typeof mails.$inferSelect

export async function insertMail(db: Db, mail: typeof mails.$inferInsert): Promise<boolean> {
  const written = await db
    .insert(mails)
    .values(mail)
    .onConflictDoNothing({ target: mails.key })
    .returning({ id: mails.id })
  return written.length > 0
}

export async function notifyOfMail(db: Db, channel: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, '')`)
}

const PAUSED_UNTIL = sql`'9999-01-01T00:00:00Z'::timestamptz`
const waits = sql`${mails.sentAt} is null and ${mails.failedAt} is null`
const isPaused = sql`${waits} and ${mails.nextAttemptAt} = ${PAUSED_UNTIL}`

/** The mail may have been sent before the restore, so the owner releases it. */
export async function pauseWaitingMail(db: Db, except: readonly MailKind[]): Promise<void> {
  await db
    .update(mails)
    .set({ nextAttemptAt: PAUSED_UNTIL })
    .where(and(waits, notInArray(mails.kind, [...except])))
}

export async function countPausedMail(db: Db): Promise<{ kind: string; count: number }[]> {
  return db
    .select({ kind: mails.kind, count: sql<number>`count(*)::int` })
    .from(mails)
    .where(isPaused)
    .groupBy(mails.kind)
    .orderBy(mails.kind)
}

export async function releasePausedMail(db: Db): Promise<number> {
  const { rowCount } = await db
    .update(mails)
    .set({ nextAttemptAt: sql`now()` })
    .where(isPaused)
  return rowCount ?? 0
}

export async function dropPausedMail(db: Db): Promise<number> {
  const { rowCount } = await db
    .update(mails)
    .set({ ...EMPTIED, failedAt: sql`now()` })
    .where(isPaused)
  return rowCount ?? 0
}

const inSeconds = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

const EMPTIED = { data: {}, recipient: '', problem: null }

/** Leases use the database's clock. @param urgent kinds that a restored shop sends before its catch-up */
export async function takeDueMail(
  db: Db,
  forSeconds: number,
  urgent: readonly MailKind[],
): Promise<MailRow | undefined> {
  const [row] = await db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1`, nextAttemptAt: inSeconds(forSeconds) })
    .where(
      eq(
        mails.id,
        sql`(select id from mails where sent_at is null and failed_at is null and next_attempt_at <= now()
               and (kind in ${urgent} or not exists (select from restorations where caught_up_at is null))
             order by next_attempt_at limit 1 for update skip locked)`,
      ),
    )
    .returning()
  return row
}

export interface SentMail {
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

/** Stores the text that its recipient got. @param keep for the demo's mailbox */
export async function markSent(
  db: Db,
  id: string,
  { recipient, ...sent }: SentMail,
  keep: boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(mails)
      .set({ sentAt: sql`now()`, problem: null, ...(keep ? {} : EMPTIED) })
      .where(eq(mails.id, id))
    await tx
      .insert(sentMails)
      .values({ mailId: id, recipient: recipient.toLowerCase(), ...sent })
      .onConflictDoNothing()
  })
}

/** The text that its recipient got; undefined for an email that waits, and 90 days after it was sent. */
export async function selectSent(db: Db, id: string): Promise<typeof sentMails.$inferSelect | undefined> {
  const [row] = await db.select().from(sentMails).where(eq(sentMails.mailId, id))
  return row
}

export const selectMailsTo = (db: Db, email: string, limit: number) =>
  db
    .select({ mail: mails, subject: sentMails.subject })
    .from(mails)
    .leftJoin(sentMails, eq(sentMails.mailId, mails.id))
    .where(
      sql`${sentMails.recipient} = ${email.toLowerCase()} or lower(${mails.recipient}) = ${email.toLowerCase()}`,
    )
    .orderBy(desc(mails.queuedAt), desc(mails.id))
    .limit(limit)

export async function deleteSentMails(db: Db, before: Date): Promise<void> {
  await db.delete(sentMails).where(sql`${sentMails.sentAt} < ${before.toISOString()}::timestamptz`)
}

const UNREACHABLE = 'unreachable'

export async function postpone(db: Db, id: string, seconds: number, isReached: boolean): Promise<void> {
  await db
    .update(mails)
    .set({ nextAttemptAt: inSeconds(seconds), problem: isReached ? null : UNREACHABLE })
    .where(eq(mails.id, id))
}

/** The mail server answers again: makes all emails due that only waited for it. */
export async function hurryUnreached(db: Db): Promise<void> {
  await db
    .update(mails)
    .set({ nextAttemptAt: sql`now()`, problem: null })
    .where(sql`${waits} and ${mails.problem} = ${UNREACHABLE} and ${mails.nextAttemptAt} <> ${PAUSED_UNTIL}`)
}

export async function markUndeliverable(db: Db, id: string, problem: string): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTIED, failedAt: sql`now()`, problem })
    .where(eq(mails.id, id))
}

export type DeliveryState = 'waiting' | 'sent' | 'failed'

/** Deleted emails are left out. */
export async function deliveryStatesOf(db: Db, keys: readonly string[]): Promise<Map<string, DeliveryState>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .select({ key: mails.key, sentAt: mails.sentAt, failedAt: mails.failedAt })
    .from(mails)
    .where(inArray(mails.key, [...keys]))
  return new Map(
    rows.map(({ key, sentAt, failedAt }) => [key, sentAt ? 'sent' : failedAt ? 'failed' : 'waiting']),
  )
}

/** For the owner: emails that wait, and those that were given up after some attempts; oldest first. */
export const selectUnsent = (db: Db, limit: number): Promise<MailRow[]> =>
  db.select().from(mails).where(isUnsent).orderBy(mails.queuedAt, mails.id).limit(limit)

const isUnsent = sql`${mails.sentAt} is null and (${mails.failedAt} is null or ${mails.attempts} > 0)`
const FATES = {
  failed: sql`${mails.failedAt} is not null`,
  paused: isPaused,
  waiting: sql`${waits} and ${mails.nextAttemptAt} <> ${PAUSED_UNTIL}`,
} as const

export interface UnsentFilter {
  /** A part of the address. */
  readonly words?: string | undefined
  readonly kind?: string | undefined
  readonly fate?: keyof typeof FATES | undefined
}

const unsentWhere = ({ words, kind, fate }: UnsentFilter) =>
  and(
    isUnsent,
    words ? sql`position(${words.toLowerCase()} in lower(${mails.recipient})) > 0` : undefined,
    kind === undefined ? undefined : eq(mails.kind, kind),
    fate && FATES[fate],
  )

/** A page of a list; `value` is each row's place in it. */
export const selectUnsentPage = (
  db: Db,
  filter: UnsentFilter,
  {
    isDescending,
    after,
    limit,
  }: {
    readonly isDescending: boolean
    readonly after: { readonly value: string | number | null; readonly id: string } | undefined
    readonly limit: number
  },
): Promise<{ row: MailRow; value: string }[]> => {
  const direction = isDescending ? desc : asc
  const beyond = sql.raw(isDescending ? '<' : '>')
  return db
    .select({ row: mails, value: sql<string>`${mails.queuedAt}::text` })
    .from(mails)
    .where(
      and(
        unsentWhere(filter),
        after &&
          sql`(${mails.queuedAt}, ${mails.id}) ${beyond} (${after.value}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(direction(mails.queuedAt), direction(mails.id))
    .limit(limit)
}

export const countUnsent = (db: Db, filter: UnsentFilter): Promise<number> =>
  db.$count(mails, unsentWhere(filter))

/** Emails whose id has this prefix. At most two, which is enough to know whether it is unique. */
export const selectMailsBy = (db: Db, idBegins: string): Promise<MailRow[]> =>
  db
    .select()
    .from(mails)
    .where(sql`${mails.id}::text like ${`${idBegins}%`}`)
    .limit(2)

export async function selectMail(db: Db, id: string): Promise<MailRow | undefined> {
  const [row] = await db.select().from(mails).where(eq(mails.id, id))
  return row
}

/** The newest email of a kind that went to a customer or waits for one, not a test. */
export async function selectNewestOfKind(db: Db, kind: MailKind): Promise<MailRow | undefined> {
  const [row] = await db
    .select()
    .from(mails)
    .where(
      and(
        eq(mails.kind, kind),
        sql`${mails.key} not like 'office_test:%' and ${mails.key} not like 'newsletter_test:%'`,
      ),
    )
    .orderBy(desc(mails.queuedAt), desc(mails.id))
    .limit(1)
  return row
}

/** How many of each kind were sent in the last 30 days, and when the last one was. */
export async function selectSentCounts(
  db: Db,
): Promise<ReadonlyMap<string, { readonly sent: number; readonly lastSentAt: string }>> {
  const rows = await db
    .select({
      kind: mails.kind,
      sent: sql<number>`(count(*) filter (where ${mails.sentAt} > now() - interval '30 days'))::int`,
      lastSentAt: sql<string>`max(${mails.sentAt})`.mapWith(mails.sentAt),
    })
    .from(mails)
    .where(sql`${mails.sentAt} is not null`)
    .groupBy(mails.kind)
  return new Map(
    rows.map(({ kind, sent, lastSentAt }) => [
      kind,
      { sent, lastSentAt: new Date(lastSentAt).toISOString() },
    ]),
  )
}

export async function hurryMail(db: Db, id: string): Promise<void> {
  await db
    .update(mails)
    .set({ nextAttemptAt: sql`now()` })
    .where(and(eq(mails.id, id), sql`${mails.sentAt} is null and ${mails.failedAt} is null`))
}

/** Emails about these things, by the part of the key after the colon; oldest first. */
export const selectMailsAbout = (db: Db, ids: readonly string[]): Promise<MailRow[]> =>
  db
    .select()
    .from(mails)
    .where(inArray(sql`split_part(${mails.key}, ':', 2)`, [...ids]))
    .orderBy(mails.queuedAt, mails.id)
    .limit(100)

export async function cancelMail(db: Db, key: string): Promise<void> {
  await db
    .update(mails)
    .set({ ...EMPTIED, failedAt: sql`now()` })
    .where(and(eq(mails.key, key), sql`${mails.sentAt} is null and ${mails.failedAt} is null`))
}

export async function selectNewestMails(db: Db, to: string | undefined): Promise<MailRow[]> {
  const hasText = sql`${mails.data} <> '{}'::jsonb`
  return db
    .select()
    .from(mails)
    .where(to ? and(hasText, sql`lower(${mails.recipient}) = lower(${to})`) : hasText)
    .orderBy(desc(mails.queuedAt), desc(mails.id))
    .limit(200)
}

/** Job: deletes emails that were sent or given up before this time. Waiting ones are kept. */
export async function deleteOldMails(db: Db, before: Date): Promise<void> {
  const instant = sql`${before.toISOString()}::timestamptz`
  await db.delete(mails).where(sql`${mails.sentAt} < ${instant} or ${mails.failedAt} < ${instant}`)
}

export async function forgetMailsTo(db: Db, email: string): Promise<void> {
  await db.delete(sentMails).where(eq(sentMails.recipient, email.toLowerCase()))
  await db
    .update(mails)
    .set({ ...EMPTIED, failedAt: sql`case when ${mails.sentAt} is null then now() end` })
    .where(sql`lower(${mails.recipient}) = lower(${email})`)
}

/** The same by subject: the part of the key after the colon. */
export async function forgetMailsAbout(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const isAbout = inArray(sql`split_part(${mails.key}, ':', 2)`, [...ids])
  await db
    .delete(sentMails)
    .where(inArray(sentMails.mailId, db.select({ id: mails.id }).from(mails).where(isAbout)))
  await db
    .update(mails)
    .set({ ...EMPTIED, failedAt: sql`case when ${mails.sentAt} is null then now() end` })
    .where(isAbout)
}
