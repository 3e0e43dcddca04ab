import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOutletCalendar } from '#server/features/outlets/scheduled-statements.ts'
import {
  aBuyer,
  checkOut,
  comeBack,
  fillBag,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { anAudioBook, aUser, inLibrary } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { type RunningPostgres, startPostgres } from '#tests/support/postgres.ts'
import { moveDatabase, NotEmpty } from './move.ts'
import { type OpenDatabase, openDatabase } from './open.ts'

let from: OpenDatabase
let postgres: RunningPostgres
beforeAll(async () => {
  from = await openDatabase({ dataDir: await freshDataDir() })
  postgres = await startPostgres({ durable: false })
})
afterAll(async () => {
  await from.close()
  await postgres?.stop()
})

test('a shop moves into PostgreSQL with every row, once, and continues there', async () => {
  const shop = { db: from.db, now: () => new Date() } as never
  const [first, second] = [await anAudioBook(shop), await anAudioBook(shop)]
  await from.db.execute(sql`update books set counterpart_id = ${second.id} where id = ${first.id}`)
  const user = await aUser(shop)
  await inLibrary(shop, user, first)

  const into = await openDatabase({ dataDir: await freshDataDir(), databaseUrl: postgres.url })
  try {
    const { rows } = await moveDatabase(from, into)
    expect(rows).toBeGreaterThan(4)
    for (const table of ['books', 'users', 'library_entries', 'people', 'book_people']) {
      const of = (database: OpenDatabase) =>
        database.db.execute(sql.raw(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`))
      expect((await of(into)).rows).toEqual((await of(from)).rows)
    }
    const made = await anAudioBook({ ...(shop as object), db: into.db } as never)
    expect(made.id).toBeGreaterThan(second.id)
    await expect(moveDatabase(from, into)).rejects.toThrow(NotEmpty)
  } finally {
    await into.close()
  }
})

test('after the move, sales, gifts, cards, statements and memberships work, with unused numbers', async () => {
  const database = await openDatabase({ dataDir: await freshDataDir() })
  const before = await payingShop({ database })
  const earlier = await everythingWithANumber(before)
  await before.shop.close()

  const first = await openDatabase({ dataDir: await freshDataDir(), databaseUrl: postgres.url })
  await first.db.execute(sql`create database another`)
  await first.close()
  const databaseUrl = postgres.url.replace('@/postgres', '@/another')
  const moved = await openDatabase({ dataDir: await freshDataDir(), databaseUrl })
  try {
    await moveDatabase(database, moved)
    const after = await payingShop({ database: moved })
    const later = await everythingWithANumber(after)
    for (const [what, number] of Object.entries(earlier)) expect(later[what], what).toBeGreaterThan(number)
    await after.shop.close()
  } finally {
    await moved.close()
    await database.close()
  }
})

/** Uses every sequence of the shop, like a month of business; returns the newest number of each kind. */
async function everythingWithANumber(at: PayingShop): Promise<Record<string, number>> {
  const { shop } = at
  const buyer = await aBuyer(shop)
  const { audioBook, eBook } = await twoTitles(shop)
  const bag = await fillBag(buyer, [
    { slug: audioBook.slug, kind: 'audio_books' },
    { slug: eBook.slug, kind: 'e_books', giftEmail: 'friend@post.example' },
  ])
  const till = await checkOut(buyer, bag)
  at.payments.pay(till.intent)
  expect((await comeBack(buyer, till)).json().outcome).toBe('paid')

  const corner = await aBookshop(shop)
  await corner.sell(await aCard(shop))
  shop.clock.advance(40 * 24 * 3600)
  await runOutletCalendar(shop)

  const { rows } = await shop.db.execute<Record<string, string>>(sql`
    select (select max(substr(number, 3)::int) from orders) as orders,
      (select max(substr(number, 3)::int) from outlet_statements) as statements,
      nextval('settlements') as settlements`)
  return Object.fromEntries(Object.entries(rows[0]!).map(([what, number]) => [what, Number(number)]))
}
