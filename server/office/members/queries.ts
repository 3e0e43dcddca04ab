import { and, asc, desc, eq, gte, inArray, isNull, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { MemberState } from '#contract/office/member-states.ts'
import { type PlanId, type Plans, PLANS, type Tier } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { subscriptions } from '../../db/schema/membership.ts'
import type { DaySpan } from '../day-span.ts'
import type { Place } from '../keyset.ts'
import { likePart } from '../like-part.ts'
import { membershipsOfAccounts, type MembershipOfAccount } from '../people/membership-queries.ts'

export interface MemberFilter {
  readonly words?: string | undefined
  readonly state?: MemberState | undefined
  readonly tier?: Tier | undefined
  readonly choose?: 'yes' | undefined
  readonly account?: 'closed' | undefined
  readonly since?: DaySpan | undefined
}

const NAME = sql<string>`btrim(${users.firstName} || ' ' || ${users.lastName})`
const plansOfTier = (tier: Tier): PlanId[] =>
  Object.values(PLANS).flatMap((plan) => (plan.tier === tier ? [plan.id] : []))

/** Their free audiobooks that can be chosen now. */
const usableCredits = (userId: PgColumn, now: BusinessTime) => {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`from credits c where c.user_id = ${userId} and c.spent_at is null
    and c.revoked_at is null and c.usable_from <= ${at} and c.usable_until > ${at}
    and (c.held_until is null or c.held_until <= ${at})`
}

/** Refused since the last payment that worked. */
const REFUSED = sql<number>`(select count(*)::int from payment_tries t where t.subscription_id = ${subscriptions.id}
  and t.outcome <> 'paid' and t.tried_at > coalesce((select max(p.tried_at) from payment_tries p
    where p.subscription_id = ${subscriptions.id} and p.outcome = 'paid'), 'epoch'))`

const isFailing = (state: SQL | SQL.Aliased) => sql`${state} = 'failing'`
const lastReason = (state: SQL | SQL.Aliased) => sql<string | null>`case when ${isFailing(state)} then
  (select t.reason from payment_tries t where t.subscription_id = ${subscriptions.id} and t.outcome <> 'paid'
    order by t.tried_at desc limit 1) end`
/** The email that asks for another card, or for a confirmation at the bank. */
const lastEmail = (state: SQL | SQL.Aliased) => sql<string | null>`case when ${isFailing(state)} then
  (select m.id from sent_mails e join mails m on m.id = e.mail_id where e.recipient = lower(${users.email})
    and m.kind in ('payment_failed', 'payment_needs_you') order by e.sent_at desc limit 1) end`

/** As in the index `users_words`. */
const withWords = (words: string): SQL =>
  sql`lower(${users.firstName} || ' ' || ${users.lastName} || ' ' || ${users.email}) like ${likePart(words)}`

const ACCOUNTS_AT_MOST = 5_000

/**
 * Few accounts have most words: their memberships are found by the account, instead of comparing all memberships with
 * each other. With words that many have, the account is compared for each membership.
 */
async function narrowed(
  db: Db,
  { words, ...filter }: MemberFilter,
): Promise<{ readonly only?: readonly string[]; readonly filter: MemberFilter }> {
  if (!words) return { filter }
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(withWords(words))
    .limit(ACCOUNTS_AT_MOST + 1)
  return found.length > ACCOUNTS_AT_MOST
    ? { filter: { ...filter, words } }
    : { only: found.map(({ id }) => id), filter }
}

function whereOf(
  { words, state, tier, choose, since }: MemberFilter,
  membership: MembershipOfAccount,
  now: BusinessTime,
): SQL | undefined {
  return and(
    // The membership is limited to these already, which is easier to estimate for the planner than the state.
    state && state !== 'lapsed' ? eq(membership.state, state) : undefined,
    words ? withWords(words) : undefined,
    tier && inArray(membership.plan, plansOfTier(tier)),
    choose && sql`exists (select ${usableCredits(membership.userId, now)})`,
    since && and(gte(membership.orderedAt, since.from), lt(membership.orderedAt, since.until)),
  )
}

const sortsOf = (membership: MembershipOfAccount) =>
  ({
    next: { by: sql`${membership.nextCharge}`, type: 'timestamptz' },
    since: { by: sql`${membership.orderedAt}`, type: 'timestamptz' },
    name: { by: sql`lower(${NAME})`, type: 'text' },
  }) as const
/** How a place in each order is written. */
export const MEMBER_PLACES = { next: 'time', since: 'time', name: 'text' } as const
export type MemberSort = keyof typeof MEMBER_PLACES
export const isMemberSort = (key: string): key is MemberSort => key in MEMBER_PLACES

interface ListPart {
  readonly now: BusinessTime
  readonly sort: { readonly key: MemberSort; readonly isDescending: boolean }
  readonly after: Place | undefined
  readonly limit: number
}

export async function selectOfficeMembers(
  db: Db,
  asked: MemberFilter,
  { now, sort, after, limit }: ListPart,
): Promise<OfficeMember[]> {
  if (asked.account === 'closed') return selectClosedMembers(db, asked, { sort, after, limit })
  const { only, filter } = await narrowed(db, asked)
  const membership = membershipsOfAccounts(db, now, {
    only,
    which: filter.state === 'lapsed' ? 'lapsed' : 'running',
  })
  const { by, type } = sortsOf(membership)[sort.key]
  const direction = sort.isDescending ? desc : asc
  const beyond = sql.raw(sort.isDescending ? '<' : '>')
  const page = db
    .select({
      ...{ userId: membership.userId, subscriptionId: membership.subscriptionId, state: membership.state },
      value: sql<string>`(${by})::text`.as('value'),
      by: sql`${by}`.as('by'),
    })
    .from(membership)
    .$dynamic()
  const chosen = (
    needsUsers(filter, sort.key) ? page.innerJoin(users, eq(users.id, membership.userId)) : page
  )
    .where(
      and(
        whereOf(filter, membership, now),
        after &&
          sql`(${by}, ${membership.userId}) ${beyond} (${after.value}::${sql.raw(type)}, ${after.id}::uuid)`,
      ),
    )
    .orderBy(direction(by), direction(membership.userId))
    .limit(limit)
    .as('chosen')
  // What a row shows is only looked up for these.
  return db
    .select({
      id: users.id,
      value: chosen.value,
      name: NAME,
      email: users.email,
      state: sql<MemberState>`${chosen.state}`,
      row: subscriptions,
      refused: REFUSED,
      toChoose: sql<number>`(select count(*)::int ${usableCredits(users.id, now)})`,
      reason: lastReason(chosen.state),
      emailId: lastEmail(chosen.state),
    })
    .from(chosen)
    .innerJoin(subscriptions, eq(subscriptions.id, chosen.subscriptionId))
    .innerJoin(users, eq(users.id, chosen.userId))
    .orderBy(direction(chosen.by), direction(users.id))
    .limit(limit)
}

/** Joining all accounts takes as long as sorting all memberships. */
const needsUsers = ({ words }: MemberFilter, sort?: MemberSort): boolean => Boolean(words) || sort === 'name'

export interface OfficeMember {
  /** Of the account, or of the membership if that was closed: the row's place in the list. */
  readonly id: string
  readonly value: string
  readonly name: string
  readonly email: string
  readonly state: MemberState
  readonly row: typeof subscriptions.$inferSelect
  readonly refused: number
  readonly toChoose: number
  readonly reason: string | null
  readonly emailId: string | null
}

const closedWhere = ({ words, state, tier, choose, since }: MemberFilter) =>
  and(
    isNull(subscriptions.userId),
    notInArray(subscriptions.status, ['incomplete', 'incomplete_expired']),
    // Without an account there is neither a name nor a title to choose.
    words || choose || (state && state !== 'lapsed') ? sql`false` : undefined,
    tier && inArray(subscriptions.plan, plansOfTier(tier)),
    since && and(gte(subscriptions.orderedAt, since.from), lt(subscriptions.orderedAt, since.until)),
  )

/** The order by the next payment is here by the day it was paid until. */
async function selectClosedMembers(
  db: Db,
  filter: MemberFilter,
  { sort, after, limit }: Omit<ListPart, 'now'>,
): Promise<OfficeMember[]> {
  const by = sort.key === 'next' ? subscriptions.validUntil : subscriptions.orderedAt
  const direction = sort.isDescending ? desc : asc
  const beyond = sql.raw(sort.isDescending ? '<' : '>')
  const rows = await db
    .select({ row: subscriptions, value: sql<string>`${by}::text` })
    .from(subscriptions)
    .where(
      and(
        closedWhere(filter),
        after && sql`(${by}, ${subscriptions.id}) ${beyond} (${after.value}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(direction(by), direction(subscriptions.id))
    .limit(limit)
  return rows.map(({ row, value }) => ({
    ...{ id: row.id, value, name: '', email: '', state: 'lapsed', row },
    ...{ refused: 0, toChoose: 0, reason: null, emailId: null },
  }))
}

/** A yearly price counts as a twelfth. Those without a stored price pay that of their plan. */
export async function sumOfficeMembers(
  db: Db,
  asked: MemberFilter,
  { now, plans }: { readonly now: BusinessTime; readonly plans: Plans },
): Promise<{ readonly count: number; readonly monthMinor: number }> {
  if (asked.account === 'closed')
    return { count: await db.$count(subscriptions, closedWhere(asked)), monthMinor: 0 }
  const { only, filter } = await narrowed(db, asked)
  const membership = membershipsOfAccounts(db, now, {
    only,
    which: filter.state === 'lapsed' ? 'lapsed' : 'running',
  })
  const cases = Object.values(plans).map(
    ({ id, priceMinor, months }) => sql`when ${membership.plan} = ${id}::int
      then coalesce(${membership.nextMinor}, ${membership.priceMinor}, ${priceMinor}::int) * ${MONTHS_OF_YEAR / months}::int`,
  )
  const all = db
    .select({
      count: sql<number>`count(*)::int`,
      yearMinor: sql<number>`coalesce(sum(case when ${membership.nextAt} is null then 0 ${sql.join(cases, sql` `)} end), 0)::float8`,
    })
    .from(membership)
    .$dynamic()
  const joined = needsUsers(filter) ? all.innerJoin(users, eq(users.id, membership.userId)) : all
  const [row] = await joined.where(whereOf(filter, membership, now))
  return { count: row!.count, monthMinor: Math.round(row!.yearMinor / MONTHS_OF_YEAR) }
}

/** Each plan's months divide it: the sum is one of whole pence, which takes a third of the time of fractions. */
const MONTHS_OF_YEAR = 12
