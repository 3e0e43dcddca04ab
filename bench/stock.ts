import { PLANS } from '#contract/plans.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { aSoundingBook } from '#tests/support/catalogue-builders.ts'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { sql } from 'drizzle-orm'
import { readConfig } from '../server/settings/config.ts'
import { type Database, openDatabase } from '../server/db/open.ts'
import { subscriptions } from '../server/db/schema/membership.ts'
import { grantFor } from '#server/features/membership/credits.ts'
import { monthsAfter } from '#server/features/membership/months.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import { seedCatalogue } from './seed.ts'

/**
 * The contents of the measured shop. Created by a separate process, so that it does not count as the server's memory.
 */
export interface Stock {
  readonly titles: number
  readonly searches: Readonly<Record<string, readonly string[]>>
  /** Headers of logged-in listeners, each with the audiobook that they own. */
  readonly listeners: readonly {
    readonly headers: { xtoken: string }
    readonly slug: string
    /** True for every second listener. */
    readonly isMember: boolean
    readonly account: TestUser
  }[]
  /** Headers of a bookshop's point of sale. */
  readonly till: { readonly xtoken: string }
  /** An audiobook of the first listener, with sound too large for the cache. */
  readonly soundingSlug: string
}

export interface StockWish {
  readonly titles: number
  readonly listeners: number
}

const BOOKS_HEARD = 40
const SOUND_BYTES = 48 * 1024 * 1024

process.once('message', (wish: StockWish) => {
  void fill(wish).then(
    (stock) => process.send?.(stock, () => process.exit(0)),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function fill({ titles, listeners: count }: StockWish): Promise<Stock> {
  const config = readConfig(process.env, [])
  const { databaseUrl, dataDir } = config
  const database = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) })
  const shop = { config, db: database.db, now: () => new Date(), media: openMedia(config) }
  await seedCatalogue(shop.db, titles)

  const books: TestBook[] = []
  for (let n = 0; n < BOOKS_HEARD; n++) books.push(await anAudioBook(shop, { slug: `heard-${n}` }))
  const listeners: Stock['listeners'][number][] = []
  const enter = async (n: number): Promise<TestUser> => {
    const user = await aUser(shop, { email: `listener-${n}-${randomUUID().slice(0, 8)}@murmur.example` })
    const book = books[n % books.length]!
    await inLibrary(shop, user, book)
    const isMember = n % 2 === 1
    if (isMember) await aMembership(shop.db, user)
    listeners[n] = { headers: await signedIn(shop, user), slug: book.slug, isMember, account: user }
    return user
  }
  const account = await enter(0)
  for (let n = 1; n < count; n += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - n) }, (_, index) => enter(n + index)))

  const desk = await aUser(shop, { outlet: 'Corner House Books' })
  const till = await signedIn(shop, desk)

  // Random bytes, because compression must not make the file smaller.
  const sounding = await aSoundingBook(shop, [{ title: 'A long chapter', bytes: randomBytes(SOUND_BYTES) }])
  await inLibrary(shop, account, sounding)
  await seedPlaces(shop.db)
  const searches = await searchesFor(shop.db)
  await database.close()
  return { titles, searches, listeners, till, soundingSlug: sounding.slug }
}

async function aMembership(db: Database, { id: userId }: TestUser): Promise<void> {
  const periodStart = new Date()
  const periodEnd = monthsAfter(periodStart, 12)
  const [row] = await db
    .insert(subscriptions)
    .values({ userId, plan: 5, status: 'active', periodStart, periodEnd, validUntil: periodEnd })
    .returning({ id: subscriptions.id })
  const to = { id: row!.id, userId, plan: PLANS[5], anchor: periodStart }
  await grantFor(db, to, { from: periodStart, until: periodEnd })
}

/** Search terms from various titles: whole, partial, with the author, and with a typo. */
async function searchesFor(db: Database): Promise<Stock['searches']> {
  const { rows } = await db.execute<{ title: string; last: string }>(sql`
    select title, last_name as last from books
    join book_people on book_id = books.id and role = 'author' and position = 0
    join people on people.id = person_id
    where published and books.id % 331 = 7 and length(title) > 12 order by md5(title) limit 250`)
  const named = rows.map(({ title, last }) => ({ words: title.match(/[\p{L}']{3,}/gu) ?? [title], last }))
  const long = (words: readonly string[]) =>
    words.reduce((longest, word) => (word.length > longest.length ? word : longest))
  return {
    'words of a title': named.map(({ words }) => words.slice(0, 3).join(' ')),
    'the beginning of a word': named.map(({ words }) => long(words).slice(0, 4)),
    'author and title': named.map(({ words, last }) => `${last} ${long(words)}`),
    'a typing error': named.map(({ words }) => swapped(long(words))),
    'a typing error in two words': named.map(({ words, last }) => `${swapped(long(words))} ${swapped(last)}`),
  }
}

const swapped = (word: string) =>
  word.length < 5 ? `${word}x` : word.slice(0, 2) + word[3]! + word[2]! + word.slice(4)

async function seedPlaces(db: Database): Promise<void> {
  const place = `user_id, book_id, 1, 0, now() - interval '1 day' + n * interval '1 second', gen_random_uuid(), null, 0`
  const entries = (each: number) => sql.raw(`from library_entries, generate_series(1, ${each}) n`)
  const columns = sql.raw('user_id, book_id, chapter, seconds, heard_at, event_id, device_id, sequence')
  await db.execute(sql`
    insert into user_audio_book_times (${columns}, updated_at) select ${sql.raw(place)}, now() ${entries(1)}`)
  await db.execute(sql`
    insert into user_chapter_times (${columns}, updated_at) select ${sql.raw(place)}, now() ${entries(1)}`)
  await db.execute(sql`
    insert into place_history (${columns}, replaced_at) select ${sql.raw(place)}, now() ${entries(5)}`)
  await db.execute(sql`
    insert into listening_events (user_id, event_id, received_at)
    select user_id, gen_random_uuid(), now() - interval '1 day' ${entries(20)}`)
  // Statistics for the planner, as after the nightly maintenance.
  await db.execute(sql`vacuum analyze`)
}
