import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { testDatabase } from '#tests/support/database.ts'
import { selectActivity } from './activity/queries.ts'
import { selectOfficeMembers } from './members/queries.ts'
import { selectOfficeOrders } from './orders/queries.ts'
import { selectOfficePeople } from './people/queries.ts'
import type { Place } from './keyset.ts'
import { countOfficeTitles, selectOfficeTitles } from './titles/queries.ts'

/** Enough for the planner to choose an index. */
const ACCOUNTS = 20_000
const TITLES = 5000

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.db.execute(sql`
    insert into users (email, password_hash, first_name, last_name, created_at)
    select 'u' || i || '@list.example', '', 'N' || i, '', now() - i * interval '1 minute'
    from generate_series(1, ${ACCOUNTS}::int) i`)
  await database.db.execute(sql`
    insert into subscriptions (user_id, plan, status, provider_id, period_start, period_end, valid_until)
    select id, 4, 'active', 'sub_' || id, now(), now() + interval '20 days', now() + interval '20 days' from users`)
  await database.db.execute(sql`
    insert into logbook (at, by, command, about, because, what)
    select now(), 'Hana', 'orders refund', 'order M-' || i, '', 'Refunded' from generate_series(1, ${ACCOUNTS}::int) i`)
  await database.db.execute(sql`
    insert into orders (state, user_id, total_minor, vat_minor, before_discount_minor, fingerprint, buyer_name, buyer_email,
      country_code, created_at, paid_at)
    select 'paid', id, 799, 133, 799, id::text, first_name, email, 'GB', created_at, created_at from users`)
  await database.db.execute(sql`
    insert into order_lines (order_id, position, kind, plan, title, original_minor, price_minor, vat_percent, vat_minor)
    select id, 0, 'membership', 4, 'Reader ' || number, 799, 799, 20, 133 from orders`)
  await database.db.execute(sql`insert into covers values ('c', '', 1, 1)`)
  await database.db.execute(sql`
    insert into books (format, slug, title, price_minor, cover_id, summary)
    select 'audio_book', 'n-' || i, 'N' || i, 799, 'c', repeat('A sentence of the summary. ', 50) from generate_series(1, ${TITLES}::int) i`)
  await database.db.execute(sql`
    insert into order_lines (order_id, position, book_id, title, original_minor, price_minor, vat_percent, vat_minor)
    select id, 1, 1 + row_number() over () % 500, 'N', 799, 799, 20, 133 from orders limit ${TITLES}`)
  // Vacuumed, so that the indexes of words hold all rows.
  await database.db.execute(sql`vacuum analyze`)
})
afterAll(() => database.close())

/** The plans of all statements that it sends. */
async function plansOf(send: () => Promise<unknown>): Promise<string> {
  const query = vi.spyOn(database.pool, 'query')
  await send()
  const sent = query.mock.calls.map((call) => call as unknown as [{ text: string }, unknown[]])
  query.mockRestore()
  expect(sent).not.toEqual([])
  const plans: string[] = []
  for (const [{ text }, values] of sent) {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans.join('\n')
}

const now = new Date()
const FIRST = { now, after: undefined, limit: 51 }

test('OFFICE-68: the newest people are read from an index, with the memberships of these only', async () => {
  const plan = await plansOf(() =>
    selectOfficePeople(database.db, {}, { ...FIRST, sort: { key: 'since', isDescending: true } }),
  )
  expect(plan).toContain('using users_created')
  expect(plan).not.toMatch(/Seq Scan on (users|subscriptions)/)
})

test.each([
  ['next', 'subscriptions_next'],
  ['since', 'subscriptions_ordered'],
  ['name', 'users_name'],
] as const)(
  'OFFICE-68: members in the order of %s are read from an index, page by page',
  async (key, index) => {
    const plan = await plansOf(() =>
      selectOfficeMembers(database.db, {}, { ...FIRST, sort: { key, isDescending: false } }),
    )
    expect(plan).toContain(`using ${index}`)
    expect(plan).not.toMatch(/Seq Scan on (users|subscriptions)/)
  },
)

test('OFFICE-68: members with some words are found by an index, and only their memberships are compared', async () => {
  const plan = await plansOf(() =>
    selectOfficeMembers(
      database.db,
      { words: 'N1234' },
      { ...FIRST, sort: { key: 'next', isDescending: false } },
    ),
  )
  expect(plan).toContain('users_words')
  expect(plan).not.toMatch(/Seq Scan on (users|subscriptions)/)
})

test('OFFICE-68: the newest orders are read from an index, and those with some words by what has the words', async () => {
  const newest = { sorting: { key: 'paid', isDescending: true }, after: undefined, limit: 51 } as const
  expect(await plansOf(() => selectOfficeOrders(database.db, {}, newest))).toContain('using orders_listed')
  const plan = await plansOf(() => selectOfficeOrders(database.db, { words: 'N1234' }, newest))
  expect(plan).toContain('orders_words')
  expect(plan).toContain('order_lines_words')
  expect(plan).not.toMatch(/Seq Scan on (orders|order_lines)\b/)
})

test('OFFICE-68: orders with words that many have are compared from the newest on, until the page is full', async () => {
  const newest = { sorting: { key: 'paid', isDescending: true }, after: undefined, limit: 51 } as const
  expect(await selectOfficeOrders(database.db, { words: 'list.example' }, newest)).toHaveLength(51)
  const plan = await plansOf(() => selectOfficeOrders(database.db, { words: 'list.example' }, newest))
  expect(plan).toContain('using orders_listed')
})

test('OFFICE-68: people without a membership are the newest without one, not all of them compared', async () => {
  const plan = await plansOf(() =>
    selectOfficePeople(
      database.db,
      { member: 'none' },
      { ...FIRST, sort: { key: 'since', isDescending: true } },
    ),
  )
  expect(plan).toContain('Anti Join')
  expect(plan).not.toContain('other')
})

test('OFFICE-68: the log is read from its newest entry, and not as a whole', async () => {
  const plan = await plansOf(() => selectActivity(database.db, {}, { limit: 51 }))
  expect(plan).toContain('Backward using logbook_pkey')
})

test.each([
  ['sold', {}, 'order_lines_sold'],
  ['title', {}, 'books_by_title'],
  ['price', {}, 'books_by_price'],
  ['added', {}, 'books_by_added'],
  ['title', { words: 'n1234' }, 'books_words'],
  ['sold', { state: 'retired' }, 'books_by_state'],
  ['sold', { missing: 'price' }, 'books_incomplete'],
] as const)(
  'OFFICE-68: titles in the order of %s with the filter %o are read from indexes',
  async (key, filter, index) => {
    const plan = await plansOf(() =>
      selectOfficeTitles(database.db, filter, { ...FIRST, sorting: { key, isDescending: true } }),
    )
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/Seq Scan on (books|orders|order_lines)\b/)
  },
)

test.each([
  ['title', { words: 'n' }, 'using books_by_title'],
  ['added', { missing: 'any' }, 'using books_by_added'],
  ['sold', { words: 'n', missing: 'any' }, 'using books_pkey'],
] as const)(
  'OFFICE-68: in the order of %s, titles that match %o as most do are compared until the page is full',
  async (key, filter, index) => {
    const page = { ...FIRST, sorting: { key, isDescending: true } }
    const plan = await plansOf(() => selectOfficeTitles(database.db, filter, page))
    expect(plan).toContain(index)
    const idsOf = async (narrowed: typeof filter | Record<never, never>, after?: Place) =>
      (await selectOfficeTitles(database.db, narrowed, { ...page, after })).map(({ id, value }) => ({
        id: String(id),
        value,
      }))
    const found = await idsOf(filter)
    expect(found).toEqual(await idsOf({}))
    expect(await idsOf(filter, found.at(-1))).toEqual(await idsOf({}, found.at(-1)))
    expect(await countOfficeTitles(database.db, filter)).toBe(TITLES)
  },
)
