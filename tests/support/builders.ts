import { createHash, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { outlets, sessions, users } from '#server/db/schema/accounts.ts'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { accessTokens, type TokenShop } from '#server/auth/access-token.ts'
import type { Shop } from '#server/shop.ts'

type Stock = Pick<Shop, 'db'> & TokenShop

export interface TestUser {
  readonly id: string
  readonly email: string
  readonly password: string
}

export interface TestBook {
  readonly id: number
  readonly slug: string
}

const PASSWORD = 'murmur-test'
let passwordHash: Promise<string> | undefined

/** An account; its password is always `murmur-test`. With `outlet` it belongs to a bookshop of that name. */
export async function aUser(
  shop: Stock,
  { outlet, ...given }: Partial<typeof users.$inferInsert> & { outlet?: string } = {},
): Promise<TestUser> {
  passwordHash ??= hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const outletId = outlet === undefined ? undefined : randomUUID()
  if (outletId) await shop.db.insert(outlets).values({ id: outletId, name: outlet! })
  const [user] = await shop.db
    .insert(users)
    .values({
      email: `listener-${randomUUID().slice(0, 8)}@murmur.example`,
      passwordHash: await passwordHash,
      firstName: 'Nell',
      lastName: 'Hart',
      ...(outletId ? { outletId } : {}),
      ...given,
    })
    .returning()
  return { id: user!.id, email: user!.email, password: PASSWORD }
}

/** Signs the account in without a password; returns the header for its requests. */
export async function signedIn(shop: Stock, user: TestUser): Promise<{ xtoken: string }> {
  const sessionId = randomUUID()
  const farAway = new Date(shop.now().getTime() + 90 * 24 * 3_600_000)
  await shop.db.insert(sessions).values({
    id: sessionId,
    userId: user.id,
    tokenHash: randomUUID(),
    createdAt: shop.now(),
    rotatedAt: shop.now(),
    expiresAt: farAway,
    endsAt: farAway,
  })
  return { xtoken: `Bearer ${await accessTokens(shop).issue({ userId: user.id, sessionId })}` }
}

interface ChapterOf {
  readonly title: string
  readonly seconds: number
}
type BookOf = Partial<typeof books.$inferInsert>

/** An audiobook with chapters of 10, 20 and 30 minutes, unless specified otherwise. It has no audio files. */
export async function anAudioBook(
  shop: Stock,
  { chapters: given, ...fields }: BookOf & { chapters?: readonly ChapterOf[] } = {},
): Promise<TestBook> {
  const book = await aBook(shop, { format: 'audio_book', ...fields })
  const outline =
    given ?? [600, 1200, 1800].map((seconds, index) => ({ title: `Chapter ${index + 1}`, seconds }))
  if (outline.length === 0) return book
  const sounds = outline.map(({ seconds }, index) => ({
    sha256: createHash('sha256').update(`${book.slug} ${index}`).digest('hex'),
    extension: 'mp3' as const,
    bytes: seconds * 8000,
  }))
  await shop.db.insert(mediaFiles).values(sounds)
  await shop.db.insert(chapters).values(
    outline.map(({ title, seconds }, index) => ({
      bookId: book.id,
      number: index + 1,
      title,
      durationMs: Math.round(seconds * 1000),
      soundId: sounds[index]!.sha256,
    })),
  )
  return book
}

export const anEBook = (shop: Stock, fields: BookOf = {}): Promise<TestBook> =>
  aBook(shop, { format: 'e_book', pages: 200, ...fields })

async function aBook(
  shop: Stock,
  fields: BookOf & Pick<typeof books.$inferInsert, 'format'>,
): Promise<TestBook> {
  const slug = `a-quiet-book-${randomUUID().slice(0, 8)}`
  const [book] = await shop.db
    .insert(books)
    .values({ slug, title: 'A Quiet Book', priceMinor: 999, listedAt: shop.now(), ...fields })
    .returning()
  return { id: book!.id, slug: book!.slug }
}

export async function inLibrary(
  shop: Stock,
  user: TestUser,
  book: TestBook,
  { source = 'purchase', addedAt = shop.now() }: Partial<typeof libraryEntries.$inferInsert> = {},
): Promise<void> {
  await shop.db.insert(libraryEntries).values({ userId: user.id, bookId: book.id, source, addedAt })
}
