import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { MemberState, PersonProblem } from '#contract/office/member-states.ts'
import type { PlanId } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { customerNotes, outlets, users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { libraryEntries } from '../../db/schema/library.ts'
import { orders, refunds } from '../../db/schema/orders.ts'
import { likePart } from '../like-part.ts'
import type { DaySpan } from '../day-span.ts'
import type { Place } from '../keyset.ts'
import { membershipsOfAccounts, type MembershipOfAccount } from './membership-queries.ts'

export interface PeopleFilter {
  readonly words?: string | undefined
  readonly member?: MemberState | 'none' | 'any' | undefined
  readonly kind?: 'bookshop' | 'unconfirmed' | 'blocked' | undefined
  readonly problem?: 'yes' | undefined
  readonly since?: DaySpan | undefined
}

const NAME = sql<string>`btrim(${users.firstName} || ' ' || ${users.lastName})`
const HAS_REFUSED_REFUND = sql`exists (select from orders o join refunds r on r.order_id = o.id
  where o.user_id = ${users.id} and r.state in ('refused', 'failed'))`
const HAS_DISPUTE = sql`exists (select from orders o where o.user_id = ${users.id} and o.dispute = 'open')`

const problemsOf = (membership: MembershipOfAccount) => sql<PersonProblem[]>`array_remove(array[
  case when ${membership.state} = 'failing' then 'payment' end,
  case when ${HAS_REFUSED_REFUND} then 'refund' end,
  case when ${HAS_DISPUTE} then 'dispute' end,
  case when ${users.blockedAt} is not null then 'blocked' end], null)`

function whereOf(
  { words, member, kind, problem, since }: PeopleFilter,
  membership: MembershipOfAccount,
): SQL | undefined {
  const part = words && likePart(words)
  return and(
    part && words
      ? or(
          sql`lower(${users.email}) like ${part}`,
          sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${part}`,
          sql`exists (select from former_addresses f where f.user_id = ${users.id} and f.email like ${part})`,
          sql`exists (select from orders o where o.user_id = ${users.id} and o.number = ${words.toUpperCase()})`,
        )
      : undefined,
    member === undefined
      ? undefined
      : member === 'none'
        ? sql`not exists (select from subscriptions s where s.user_id = ${users.id}
            and s.status not in ('incomplete', 'incomplete_expired'))`
        : member === 'any'
          ? sql`${membership.state} <> 'lapsed'`
          : eq(membership.state, member),
    kind === 'bookshop' ? isNotNull(users.outletId) : undefined,
    kind === 'unconfirmed' ? isNull(users.confirmedAt) : undefined,
    kind === 'blocked' ? isNotNull(users.blockedAt) : undefined,
    problem &&
      or(eq(membership.state, 'failing'), HAS_REFUSED_REFUND, HAS_DISPUTE, isNotNull(users.blockedAt)),
    since && and(gte(users.createdAt, since.from), lt(users.createdAt, since.until)),
  )
}

const SORTS = {
  since: { by: sql`${users.createdAt}`, type: 'timestamptz' },
  name: { by: sql`lower(${NAME})`, type: 'text' },
  email: { by: sql`lower(${users.email})`, type: 'text' },
} as const
export type PeopleSort = keyof typeof SORTS
/** How a place in each order is written. */
export const PEOPLE_PLACES = { since: 'time', name: 'text', email: 'text' } as const
export const isPeopleSort = (key: string): key is PeopleSort => key in SORTS

interface ListPart {
  readonly now: BusinessTime
  readonly sort: { readonly key: PeopleSort; readonly isDescending: boolean }
  readonly after: Place | undefined
  readonly limit: number
}

export async function selectOfficePeople(
  db: Db,
  filter: PeopleFilter,
  { now, sort, after, limit }: ListPart,
) {
  const { by, type } = SORTS[sort.key]
  const direction = sort.isDescending ? desc : asc
  const beyond = sql.raw(sort.isDescending ? '<' : '>')
  const all = membershipsOfAccounts(db, now, { which: asksForRunning(filter) ? 'running' : 'all' })
  const page = db
    .select({ id: users.id, value: sql<string>`(${by})::text`.as('value') })
    .from(users)
    .$dynamic()
  const chosen = (needsMemberships(filter) ? page.leftJoin(all, eq(all.userId, users.id)) : page)
    .where(
      and(
        whereOf(filter, all),
        after && sql`(${by}, ${users.id}) ${beyond} (${after.value}::${sql.raw(type)}, ${after.id}::uuid)`,
      ),
    )
    .orderBy(direction(by), direction(users.id))
    .limit(limit)
  const rows = await chosen
  if (rows.length === 0) return []
  const values = new Map(rows.map(({ id, value }) => [id, value]))
  const ids = [...values.keys()]
  // What a row shows is only looked up for these.
  const membership = membershipsOfAccounts(db, now, { only: ids })
  const found = await db
    .select({
      id: users.id,
      name: NAME,
      email: users.email,
      country: users.countryCode,
      createdAt: users.createdAt,
      confirmedAt: users.confirmedAt,
      bookshop: outlets.name,
      plan: sql<PlanId | null>`${membership.plan}`,
      memberState: sql<MemberState | null>`${membership.state}`,
      titles: sql<number>`(select count(*)::int from library_entries e where e.user_id = ${users.id})`,
      problems: problemsOf(membership),
    })
    .from(users)
    .leftJoin(outlets, eq(outlets.id, users.outletId))
    .leftJoin(membership, eq(membership.userId, users.id))
    .where(sql`${users.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(direction(by), direction(users.id))
    .limit(limit)
  return found.map((row) => ({ ...row, value: values.get(row.id)! }))
}

/** Sorting all memberships takes longer than all the rest. */
const needsMemberships = ({ member, problem }: PeopleFilter): boolean =>
  Boolean((member && member !== 'none') || problem)
/** Excludes lapsed memberships. */
const asksForRunning = ({ member }: PeopleFilter): boolean => member !== 'none' && member !== 'lapsed'
export type OfficePerson = Awaited<ReturnType<typeof selectOfficePeople>>[number]

export async function countOfficePeople(db: Db, filter: PeopleFilter, now: BusinessTime): Promise<number> {
  const membership = membershipsOfAccounts(db, now, { which: asksForRunning(filter) ? 'running' : 'all' })
  const all = db
    .select({ count: sql<number>`count(*)::int` })
    .from(users)
    .$dynamic()
  const joined = needsMemberships(filter) ? all.leftJoin(membership, eq(membership.userId, users.id)) : all
  const [row] = await joined.where(whereOf(filter, membership))
  return row!.count
}

/** How each title came into a library: by which order, from whom, with which card. */
export const selectOwnedTitles = (db: Db, userId: string) =>
  db
    .select({
      format: books.format,
      slug: books.slug,
      title: books.title,
      coverId: books.coverId,
      source: libraryEntries.source,
      at: libraryEntries.addedAt,
      order: sql<string | null>`(select o.number from order_lines l join orders o on o.id = l.order_id
        where o.user_id = ${libraryEntries.userId} and l.book_id = ${libraryEntries.bookId} and not l.gift
          and l.refunded_at is null and o.state = 'paid' and o.taken is null order by o.paid_at desc limit 1)`,
      giver: sql<string | null>`(select g.giver_name from gifts g
        where g.claimed_by = ${libraryEntries.userId} and g.book_id = ${libraryEntries.bookId} limit 1)`,
      card: sql<string | null>`(select c.number from cards c join card_batches b on b.id = c.batch_id
        where c.redeemed_by = ${libraryEntries.userId} and b.book_id = ${libraryEntries.bookId} limit 1)`,
    })
    .from(libraryEntries)
    .innerJoin(books, eq(books.id, libraryEntries.bookId))
    .where(eq(libraryEntries.userId, userId))
    .orderBy(desc(libraryEntries.addedAt))
    .limit(500)

export interface Present {
  readonly at: Date
  readonly title: string | null
  readonly plan: PlanId | null
  readonly who: string
  readonly isGiven: boolean
  readonly state: string
}

/** Titles and memberships that the customer gave or redeemed. */
export async function selectPresents(db: Db, userId: string): Promise<Present[]> {
  const { rows } = await db.execute<
    Omit<Present, 'at' | 'isGiven'> & { at: string | Date; given: boolean }
  >(sql`
    select g.given_at at, b.title, null::int plan, g.giver_id = ${userId}::uuid given, g.state,
      case when g.giver_id = ${userId}::uuid then g.email else g.giver_name end who
    from gifts g join books b on b.id = g.book_id where g.giver_id = ${userId}::uuid or g.claimed_by = ${userId}::uuid
    union all
    select g.given_at, null, g.plan, g.giver_id is not distinct from ${userId}::uuid, g.state,
      case when g.giver_id = ${userId}::uuid then g.email else g.giver_name end
    from membership_gifts g where g.giver_id = ${userId}::uuid or g.claimed_by = ${userId}::uuid
    order by 1 desc limit 200`)
  return rows.map(({ given, at, ...row }) => ({ ...row, at: new Date(at), isGiven: given }))
}

export const selectRefusedRefunds = (db: Db, userId: string) =>
  db
    .select({ number: orders.number, owedMinor: sql<number>`sum(${refunds.amountMinor})::int` })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(eq(orders.userId, userId), inArray(refunds.state, ['refused', 'failed'])))
    .groupBy(orders.number)
    .limit(20)

export const selectDisputedOrders = (db: Db, userId: string) =>
  db
    .select({ number: orders.number })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.dispute, 'open')))
    .limit(20)

export async function selectNote(db: Db, userId: string) {
  const [row] = await db.select().from(customerNotes).where(eq(customerNotes.userId, userId))
  return row
}

export async function storeNote(
  db: Db,
  { userId, ...note }: typeof customerNotes.$inferInsert,
): Promise<void> {
  if (note.text === '') await db.delete(customerNotes).where(eq(customerNotes.userId, userId))
  else
    await db
      .insert(customerNotes)
      .values({ userId, ...note })
      .onConflictDoUpdate({ target: customerNotes.userId, set: note })
}

/** "Nine Winters (audiobook)" */
export async function selectBookName(db: Db, id: number): Promise<string | undefined> {
  const [book] = await db
    .select({ title: books.title, format: books.format })
    .from(books)
    .where(eq(books.id, id))
  return book && `${book.title} (${book.format === 'e_book' ? 'e-book' : 'audiobook'})`
}
