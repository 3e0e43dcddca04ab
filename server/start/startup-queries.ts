import { sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'

export interface ExistingShop {
  readonly hasTitles: boolean
  /** Accounts in the demo's email domain; their password is public. */
  readonly hasDemoAccounts: boolean
  readonly pages: string[]
  readonly hasAddress: boolean
  readonly hasVatNumber: boolean
  /** Titles that would be on sale if they had files. The next two count titles on sale without a cover or summary. */
  readonly withoutFile: number
  readonly withoutCover: number
  readonly withoutSummary: number
}

/** Facts about the shop at start. The domain `.example` is reserved, so no customer has such an address. */
export async function selectExisting(db: Db): Promise<ExistingShop> {
  const { rows } = await db.execute<ExistingShop & Record<string, unknown>>(sql`
    select exists (select 1 from books) as "hasTitles",
      exists (select 1 from users where email like '%@murmur.example') as "hasDemoAccounts",
      (select coalesce(jsonb_agg(slug), '[]') from info_pages) as pages,
      exists (select 1 from content_records where name = 'settings' and content ? 'address') as "hasAddress",
      exists (select 1 from content_records where name = 'settings' and content ? 'vatNumber') as "hasVatNumber",
      count(*) filter (where not b.deliverable and b.preorder is null)::int as "withoutFile",
      count(*) filter (where b.sellable and b.cover_id is null)::int as "withoutCover",
      count(*) filter (where b.sellable and b.summary = '')::int as "withoutSummary"
    from books b where b.published and b.sellable is not null`)
  return rows[0]!
}
