import { eq, sql, type SQL } from 'drizzle-orm'
import type { Profile, ProfileKind } from '#contract/office/profiles.ts'
import type { Db } from '../../db/open.ts'
import { publishers } from '../../db/schema/catalogue.ts'
import { people } from '../../db/schema/people.ts'
import { likePart } from '../like-part.ts'

export interface ProfileFilter {
  readonly words?: string | undefined
  readonly kind?: ProfileKind | undefined
  readonly about?: 'none' | undefined
}

export interface ProfileRow extends Record<string, unknown> {
  readonly kind: ProfileKind
  readonly id: number
  readonly name: string
  readonly slug: string | null
  readonly about: string | null
  readonly website: string | null
  readonly folderAbout: string | null
  readonly folderWebsite: string | null
  /** What was set in the office; null follows the folder. */
  readonly ownAbout: string | null
  readonly ownWebsite: string | null
  readonly titles: number
  /** Unique, in the list's order. */
  readonly place: string
}

const ALL = sql`
  select 'person' as kind, id, trim(first_name || ' ' || last_name) as name, slug,
    nullif(coalesce(about_by_office, about), '') as about, null::text as website,
    about as "folderAbout", null::text as "folderWebsite",
    about_by_office as "ownAbout", null::text as "ownWebsite",
    lower(last_name || ' ' || first_name) || ' person ' || id as place
  from people
  union all
  select 'publisher', id, name, slug,
    nullif(coalesce(about_by_office, about), ''), nullif(coalesce(website_by_office, website), ''),
    about, website, about_by_office, website_by_office, lower(name) || ' publisher ' || id
  from publishers`

const matching = ({ words, kind, about }: ProfileFilter): SQL => sql`
  (${words ?? null}::text is null or lower(name) like ${likePart(words ?? '')})
  and (${kind ?? null}::text is null or kind = ${kind ?? null})
  and (${about ?? null}::text is null or about is null)`

/** By last name. The titles are counted for this page's rows only. */
export async function selectProfiles(
  db: Db,
  filter: ProfileFilter,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ProfileRow[]> {
  return selectWithTitles(
    db,
    sql`where ${matching(filter)} and (${after ?? null}::text is null or place > ${after ?? null})
      order by place limit ${limit}`,
  )
}

export async function countProfiles(db: Db, filter: ProfileFilter): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${ALL}) profiles where ${matching(filter)}`,
  )
  return rows[0]!.count
}

export async function selectProfile(
  db: Db,
  { kind, id }: Pick<Profile, 'kind' | 'id'>,
): Promise<ProfileRow | undefined> {
  const rows = await selectWithTitles(db, sql`where kind = ${kind} and id = ${id}`)
  return rows[0]
}

async function selectWithTitles(db: Db, which: SQL): Promise<ProfileRow[]> {
  const { rows } = await db.execute<ProfileRow>(sql`
    with found as (select * from (${ALL}) profiles ${which})
    select found.*, case kind
      when 'person' then (select count(distinct b.id)::int from book_people bp join books b on b.id = bp.book_id
        where bp.person_id = found.id and coalesce(b.state_by_command, b.state) <> 'draft')
      else (select count(*)::int from books b
        where b.publisher_id = found.id and coalesce(b.state_by_command, b.state) <> 'draft') end as titles
    from found order by place`)
  return rows
}

export async function updateProfile(
  db: Db,
  { kind, id }: Pick<Profile, 'kind' | 'id'>,
  { about, website }: { readonly about: string | null; readonly website: string | null },
): Promise<void> {
  await (kind === 'person'
    ? db.update(people).set({ aboutByOffice: about }).where(eq(people.id, id))
    : db
        .update(publishers)
        .set({ aboutByOffice: about, websiteByOffice: website })
        .where(eq(publishers.id, id)))
}
