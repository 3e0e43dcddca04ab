import { sql } from 'drizzle-orm'
import type { ShopPart } from '#contract/shop-details.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import type { Part } from '../../integrations/mail/template.ts'

export async function selectInfoPage(db: Db, slug: string, without: readonly ShopPart[]) {
  const { rows } = await db.execute<{ slug: string; title: string; content: string }>(
    sql`select slug, title, content from info_pages
      where slug = ${slug} and (part is null or part <> all(${sql.param([...without])}::text[]))`,
  )
  return rows[0]
}

interface FaqRow extends Record<string, unknown> {
  id: number
  name: string
  faqs: { question: string; answer: string }[]
}

export async function selectFaqCategories(db: Db, without: readonly ShopPart[]): Promise<FaqRow[]> {
  const { rows } = await db.execute<FaqRow>(sql`
    select c.id, c.name, coalesce(
      (select json_agg(json_build_object('question', f.question, 'answer', f.answer) order by f.position)
       from faqs f where f.category_id = c.id and f.published
         and (f.part is null or f.part <> all(${sql.param([...without])}::text[]))), '[]'::json) as faqs
    from faq_categories c order by c.position, c.id limit 100`)
  return rows
}

export async function insertSubscriber(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ token: string }>(sql`
    insert into newsletter_subscribers (email) values (${email.toLowerCase()})
    on conflict (email) do update set email = excluded.email where newsletter_subscribers.confirmed_at is null
    returning token`)
  return rows[0]?.token
}

/** The address on the first confirmation only. */
export async function confirmSubscriber(db: Db, token: string, now: RealTime): Promise<string | undefined> {
  const { rows } = await db.execute<{ email: string }>(sql`
    update newsletter_subscribers set confirmed_at = ${now.toISOString()}::timestamptz
    where token = ${token}::uuid and confirmed_at is null returning email`)
  return rows[0]?.email
}

/** Also turns the newsletter off in the account. Safe to repeat. */
export async function unsubscribe(db: Db, token: string): Promise<void> {
  await db.execute(sql`
    with gone as (delete from newsletter_subscribers where token = ${token}::uuid returning email)
    update users set newsletter = false from gone where lower(users.email) = gone.email`)
  await db.execute(sql`
    update mails set data = '{}', recipient = '', failed_at = now()
    where kind = 'newsletter' and key like 'newsletter:%' and data->>'token' = ${token} and sent_at is null and failed_at is null`)
}

export async function selectRecord<T>(db: Db, name: string): Promise<T | undefined> {
  const { rows } = await db.execute<{ content: T }>(
    sql`select content from content_records where name = ${name}`,
  )
  return rows[0]?.content
}

const MAY_BE_WRITTEN_TO = sql`(s.confirmed_at is not null
  or exists (select from users u where lower(u.email) = s.email and u.newsletter and u.confirmed_at is not null))`

interface Subscriber extends Record<string, unknown> {
  readonly email: string
  readonly token: string
}

/** Accounts get an unconfirmed row with a token, so turning the newsletter off there unsubscribes at once. */
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

/** Spread over time so that receipts are not delayed. Returns the number of emails. */
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

interface SentIssue extends Record<string, unknown> {
  readonly issue: string
  /** Known once the first was sent. */
  readonly subject: string | null
  readonly queuedAt: Date
  readonly sent: number
  readonly waiting: number
  readonly failed: number
}

/** Only while their emails are still stored. */
export async function selectIssues(db: Db): Promise<SentIssue[]> {
  const { rows } = await db.execute<SentIssue>(sql`
    select split_part(m.key, ':', 2) as issue, min(m.queued_at) as "queuedAt",
      max(coalesce(s.subject, m.data->>'subject')) as subject,
      (count(*) filter (where m.sent_at is not null))::int as sent,
      (count(*) filter (where m.sent_at is null and m.failed_at is null))::int as waiting,
      (count(*) filter (where m.sent_at is null and m.failed_at is not null))::int as failed
    from mails m left join sent_mails s on s.mail_id = m.id
    where m.kind = 'newsletter' and m.key like 'newsletter:%'
    group by 1 order by 2 desc limit 50`)
  return rows.map((row) => ({ ...row, queuedAt: new Date(row.queuedAt) }))
}

export async function cancelIssue(db: Db, issue: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update mails set data = '{}', recipient = '', failed_at = now(), problem = null
    where kind = 'newsletter' and key like ${`newsletter:${issue}:%`} and sent_at is null and failed_at is null`)
  return rowCount ?? 0
}
