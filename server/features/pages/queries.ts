import { sql } from 'drizzle-orm'
import type { ShopPart } from '#contract/shop-details.ts'
import type { Db } from '../../db/open.ts'

/** Undefined for a page that belongs to one of the parts in `without`. */
export async function selectInfoPage(db: Db, slug: string, without: readonly ShopPart[]) {
  const { rows } = await db.execute<{ slug: string; title: string; content: string }>(
    sql`select slug, title, content from info_pages
      where slug = ${slug} and (part is null or part <> all(${sql.param([...without])}::text[]))`,
  )
  return rows[0]
}

export interface FaqRow extends Record<string, unknown> {
  id: number
  name: string
  faqs: { question: string; answer: string }[]
}

/** In the owner's order. Omits questions that belong to one of the parts in `without`. */
export async function selectFaqCategories(db: Db, without: readonly ShopPart[]): Promise<FaqRow[]> {
  const { rows } = await db.execute<FaqRow>(sql`
    select c.id, c.name, coalesce(
      (select json_agg(json_build_object('question', f.question, 'answer', f.answer) order by f.position)
       from faqs f where f.category_id = c.id and f.published
         and (f.part is null or f.part <> all(${sql.param([...without])}::text[]))), '[]'::json) as faqs
    from faq_categories c order by c.position, c.id limit 100`)
  return rows
}

/** The token for the confirmation email, or undefined if the address is already confirmed. */
export async function insertSubscriber(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ token: string }>(sql`
    insert into newsletter_subscribers (email) values (${email.toLowerCase()})
    on conflict (email) do update set email = excluded.email where newsletter_subscribers.confirmed_at is null
    returning token`)
  return rows[0]?.token
}

/** The address on the first confirmation; undefined after that, or for an unknown token. */
export async function confirmSubscriber(db: Db, token: string, now: Date): Promise<string | undefined> {
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
