import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { type OrderState, STATE_GROUPS } from '#contract/office/order-states.ts'
import type { Db } from '../../db/open.ts'
import { orders, payments } from '../../db/schema/orders.ts'
import type { DaySpan } from '../day-span.ts'
import { likePart } from '../like-part.ts'
import type { Place } from '../keyset.ts'

export interface OrderFilter {
  readonly words?: string | undefined
  readonly paid?: DaySpan | undefined
  readonly state?: OrderState | keyof typeof STATE_GROUPS | undefined
  readonly country?: string | undefined
  readonly leastMinor?: number | undefined
  readonly code?: string | undefined
  readonly gift?: 'yes' | 'no' | undefined
}

const STATE = sql<OrderState>`case
  when ${orders.dispute} = 'open' then 'disputed'
  when exists (select from refunds r where r.order_id = ${orders.id} and r.state in ('refused', 'failed')) then 'refund-refused'
  when ${orders.state} = 'awaiting_payment' then 'waiting'
  when ${orders.state} = 'abandoned' then 'abandoned'
  when ${orders.totalMinor} > 0 and ${orders.refundedMinor} = ${orders.totalMinor} then 'refunded'
  when ${orders.refundedMinor} > 0 then 'part-refunded'
  else 'paid' end`
const HAS_GIFT = sql<boolean>`exists (select from order_lines l where l.order_id = ${orders.id} and l.gift)`
const TITLES = sql<string>`(select string_agg(l.title, ', ' order by l.position) from order_lines l where l.order_id = ${orders.id})`
const AT = sql<string>`coalesce(${orders.paidAt}, ${orders.createdAt})`

/** A row of the list. */
const COLUMNS = {
  number: orders.number,
  at: sql`${AT}`.mapWith(orders.createdAt),
  buyer: orders.buyerName,
  email: orders.buyerEmail,
  titles: TITLES,
  country: orders.countryCode,
  paidWith: sql<
    string | null
  >`concat_ws(' ', coalesce(initcap(replace(${payments.wallet}, '_', ' ')), ${payments.type}), ${payments.last4})`,
  code: orders.couponCode,
  totalMinor: orders.totalMinor,
  refundedMinor: orders.refundedMinor,
  state: STATE,
  hasGift: HAS_GIFT,
}

const NUMBER = /^M-\d+$/i

/** If more orders than this have the words, the orders of the page are compared one by one instead. */
const FOUND_AT_MOST = 2_000

/**
 * Few orders have most words: each part is searched in its own index (`orders_words`, `order_lines_words`), and only
 * these orders are read. Words that many have are compared order by order, until the page is full.
 */
async function withWords(db: Db, words: string): Promise<SQL> {
  if (NUMBER.test(words)) return eq(orders.number, words.toUpperCase())
  const part = likePart(words)
  const { rows } = await db.execute<{ id: string }>(sql`
    select o.id from orders o where lower(o.buyer_name || ' ' || o.buyer_email) like ${part}
    union all select l.order_id from order_lines l where lower(l.title || ' ' || coalesce(l.gift_email, '')) like ${part}
    union all select p.order_id from payments p where p.intent_id = ${words} or p.last4 = ${words}
    limit ${FOUND_AT_MOST + 1}`)
  if (rows.length <= FOUND_AT_MOST)
    return inArray(
      orders.id,
      rows.map(({ id }) => id),
    )
  return sql`(lower(${orders.buyerName} || ' ' || ${orders.buyerEmail}) like ${part}
    or exists (select from order_lines l where l.order_id = ${orders.id}
      and lower(l.title || ' ' || coalesce(l.gift_email, '')) like ${part})
    or exists (select from payments p where p.order_id = ${orders.id} and (p.intent_id = ${words} or p.last4 = ${words})))`
}

async function whereOf(
  db: Db,
  { words, paid, state, country, leastMinor, code, gift }: OrderFilter,
): Promise<SQL | undefined> {
  const group: readonly OrderState[] | undefined =
    state === undefined ? undefined : state === 'look' || state === 'settled' ? STATE_GROUPS[state] : [state]
  return and(
    // Titles taken for a free audiobook or a card have no order.
    sql`${orders.taken} is null`,
    words ? await withWords(db, words) : undefined,
    paid &&
      and(
        gte(AT, sql`${paid.from.toISOString()}::timestamptz`),
        lt(AT, sql`${paid.until.toISOString()}::timestamptz`),
      ),
    group && inArray(STATE, [...group]),
    country === 'abroad'
      ? sql`${orders.countryCode} <> 'GB'`
      : country
        ? eq(orders.countryCode, country.toUpperCase())
        : undefined,
    leastMinor === undefined ? undefined : gte(orders.totalMinor, leastMinor),
    code ? sql`lower(${orders.couponCode}) = ${code.toLowerCase()}` : undefined,
    gift && (gift === 'yes' ? HAS_GIFT : sql`not ${HAS_GIFT}`),
  )
}

/** What the list can be ordered by, with the type that the place in the list has. */
const ORDERS_BY = {
  paid: { by: AT, type: 'timestamptz' },
  total: { by: sql`${orders.totalMinor}`, type: 'integer' },
  buyer: { by: sql`lower(${orders.buyerName})`, type: 'text' },
} as const
export type OrdersBy = keyof typeof ORDERS_BY
/** How a place in each order is written. */
export const PLACE_VALUES = { paid: 'time', total: 'whole', buyer: 'text' } as const satisfies Record<
  OrdersBy,
  string
>
export const isOrdersBy = (key: string): key is OrdersBy => key in ORDERS_BY

export interface Sorting {
  readonly key: OrdersBy
  readonly isDescending: boolean
}

/** Chooses the rows first, so that titles and states are only put together for these. */
export async function selectOfficeOrders(
  db: Db,
  filter: OrderFilter,
  {
    sorting,
    after,
    limit,
  }: { readonly sorting: Sorting; readonly after: Place | undefined; readonly limit: number },
) {
  const { by, type } = ORDERS_BY[sorting.key]
  const direction = sorting.isDescending ? desc : asc
  const beyond = sql.raw(sorting.isDescending ? '<' : '>')
  const chosen = db
    .select({ id: orders.id, value: sql<string>`(${by})::text`.as('value') })
    .from(orders)
    .where(
      and(
        await whereOf(db, filter),
        after && sql`(${by}, ${orders.id}) ${beyond} (${after.value}::${sql.raw(type)}, ${after.id}::uuid)`,
      ),
    )
    .orderBy(direction(by), direction(orders.id))
    .limit(limit)
    .as('chosen')
  return db
    .select({
      id: orders.id,
      value: chosen.value,
      ...COLUMNS,
    })
    .from(chosen)
    .innerJoin(orders, eq(orders.id, chosen.id))
    .leftJoin(payments, eq(payments.orderId, orders.id))
    .orderBy(direction(by), direction(orders.id))
    .limit(limit)
}
export type OfficeOrder = Awaited<ReturnType<typeof selectOfficeOrders>>[number]

export async function sumOfficeOrders(
  db: Db,
  filter: OrderFilter,
): Promise<{ readonly count: number; readonly totalMinor: number }> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      totalMinor: sql<number>`coalesce(sum(${orders.totalMinor}), 0)::float8`,
    })
    .from(orders)
    .where(await whereOf(db, filter))
  return row!
}

export async function selectOfficeOrder(db: Db, number: string): Promise<OfficeOrder | undefined> {
  const [row] = await db
    .select({
      id: orders.id,
      value: sql<string>`''`,
      ...COLUMNS,
    })
    .from(orders)
    .leftJoin(payments, eq(payments.orderId, orders.id))
    .where(eq(orders.number, number))
  return row
}
