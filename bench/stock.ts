import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { aSoundingBook } from '#tests/support/shelves.ts'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/open.ts'
import { seedCatalogue } from './seed.ts'

/** What a shop is filled with, in a process of its own, so that none of it counts as the server's memory. */
export interface Stock {
  readonly titles: number
  /** Headers of signed-in listeners, each of whom owns the audiobook beside it. */
  readonly listeners: readonly { readonly headers: { xtoken: string }; readonly slug: string }[]
  /** One of the listeners, who can log in. */
  readonly account: TestUser
  /** An audiobook with sound that the first listener owns, too large to be kept in memory. */
  readonly soundingSlug: string
}

const TITLES = Number(process.env.BENCH_TITLES ?? 100_000)
const LISTENERS = 2_000
const BOOKS_HEARD = 40
const SOUND_BYTES = 48 * 1024 * 1024

process.once('message', () => {
  void fill().then(
    (stock) => process.send?.(stock, () => process.exit(0)),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function fill(): Promise<Stock> {
  const config = readConfig(process.env, [])
  const { databaseUrl, dataDir } = config
  const database = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) })
  const shop = { config, db: database.db, now: () => new Date(), mediaDir: join(dataDir, 'media') }
  await seedCatalogue(shop.db, TITLES)

  const books: TestBook[] = []
  for (let n = 0; n < BOOKS_HEARD; n++) books.push(await anAudioBook(shop, { slug: `heard-${n}` }))
  const listeners: Stock['listeners'][number][] = []
  const enter = async (n: number): Promise<TestUser> => {
    const user = await aUser(shop, { email: `listener-${n}-${randomUUID().slice(0, 8)}@murmur.example` })
    const book = books[n % books.length]!
    await inLibrary(shop, user, book)
    listeners[n] = { headers: await signedIn(shop, user), slug: book.slug }
    return user
  }
  const account = await enter(0)
  for (let n = 1; n < LISTENERS; n += 50)
    await Promise.all(Array.from({ length: Math.min(50, LISTENERS - n) }, (_, index) => enter(n + index)))

  // Noise, because nothing may be able to make it smaller.
  const sounding = await aSoundingBook(shop, [{ title: 'A long chapter', bytes: randomBytes(SOUND_BYTES) }])
  await inLibrary(shop, account, sounding)
  await database.db.execute('vacuum analyze')
  await database.close()
  return { titles: TITLES, listeners, account, soundingSlug: sounding.slug }
}
