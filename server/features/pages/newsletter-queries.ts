import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { Part } from '../../integrations/mail/template.ts'

/** Confirmed subscribers, and accounts with a confirmed address that have the newsletter turned on. */
const MAY_BE_WRITTEN_TO = sql`(s.confirmed_at is not null
  or exists (select from users u where lower(u.email) = s.email and u.newsletter and u.confirmed_at is not null))`

export interface Subscriber extends Record<string, unknown> {
  readonly email: string
  /** For the one-click unsubscribe link. */
  readonly token: string
}

/**
 * First creates a row with an unsubscribe token for accounts that have the newsletter turned on. That row is not
 * confirmed, so turning the newsletter off in the account unsubscribes at once.
 */
export async function selectSubscribers(db: Db): Promise<Subscriber[]> {
  await db.execute(sql`
    insert into newsletter_subscribers (email)
    select lower(email) from users where newsletter and confirmed_at is not null
    on conflict (email) do nothing`)
  const { rows } = await db.execute<Subscriber>(
    sql`select s.email, s.token::text as token from newsletter_subscribers s where ${MAY_BE_WRITTEN_TO} order by s.email`,
  )
  return rows
}

/**
 * Spread over time so that receipts are not delayed. Returns the number of emails.
 * @param issue the issue’s id in the keys of its emails
 */
export async function queueIssue(
  db: Db,
  issue: string,
  content: { readonly subject: string; readonly parts: readonly Part[] },
  perMinute: number,
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    insert into mails (key, kind, recipient, data, next_attempt_at)
    select ${`newsletter:${issue}:`} || s.token, 'newsletter', s.email,
      ${JSON.stringify(content)}::jsonb || jsonb_build_object('token', s.token),
      now() + (row_number() over (order by s.email) - 1) * interval '1 minute' / ${perMinute}::int
    from newsletter_subscribers s where ${MAY_BE_WRITTEN_TO}
    on conflict (key) do nothing`)
  return rowCount ?? 0
}

export interface SentIssue extends Record<string, unknown> {
  readonly issue: string
  readonly queuedAt: Date
  readonly sent: number
  readonly waiting: number
  readonly failed: number
}

/** Newest first, while their emails are still stored. */
export async function selectIssues(db: Db): Promise<SentIssue[]> {
  const { rows } = await db.execute<SentIssue>(sql`
    select split_part(key, ':', 2) as issue, min(queued_at) as "queuedAt",
      (count(*) filter (where sent_at is not null))::int as sent,
      (count(*) filter (where sent_at is null and failed_at is null))::int as waiting,
      (count(*) filter (where sent_at is null and failed_at is not null))::int as failed
    from mails where kind = 'newsletter' and key like 'newsletter:%'
    group by 1 order by 2 desc limit 50`)
  return rows.map((row) => ({ ...row, queuedAt: new Date(row.queuedAt) }))
}

/** Returns the number of canceled emails. */
export async function cancelIssue(db: Db, issue: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update mails set data = '{}', recipient = '', failed_at = now(), problem = null
    where kind = 'newsletter' and key like ${`newsletter:${issue}:%`} and sent_at is null and failed_at is null`)
  return rowCount ?? 0
}
