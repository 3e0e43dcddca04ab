import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Transaction } from '#server/db/open.ts'
import { accountTokens, outlets, users } from '#server/db/schema/accounts.ts'
import { bookmarks } from '#server/db/schema/notes.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { bookTimes, chapterTimes } from '#server/db/schema/listening.ts'
import { hashOfToken, newProof } from '#server/features/account/email-tokens.ts'
import { hashPassword } from '#server/features/account/passwords.ts'
import { queueMail } from '#server/integrations/mail/queue.ts'
import { type DemoMembership, insertMembership } from './demo-memberships.ts'

/** An entry of `accounts.json`, which other parts of the demo read too. */
interface DemoAccount {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly countryCode?: string
  readonly confirmed: boolean
  readonly outlet?: { readonly slug: string; readonly name: string }
  /** Creates several numbered accounts; `{nn}` is replaced by the two-digit number. */
  readonly series?: { readonly from: number; readonly to: number }
  readonly library?: readonly { readonly kind: Kind; readonly slug: string; readonly addedDaysAgo: number }[]
  readonly listening?: readonly Listening[]
  readonly bookmarks?: readonly Marked[]
  readonly membership?: DemoMembership
  readonly credits?: number
}
interface Listening {
  readonly slug: string
  readonly chapter: number
  readonly seconds: number
  readonly heardDaysAgo: number
}
interface Marked {
  readonly slug: string
  readonly chapter: number
  readonly seconds: number
  readonly note?: string
  readonly madeDaysAgo: number
}
type Kind = 'audio_books' | 'e_books'

const DAY = 24 * 3_600_000
const FORMAT = { audio_books: 'audio_book', e_books: 'e_book' } as const

/**
 * Inserts accounts with their libraries, places and memberships in one transaction, so all or none. `within` runs at
 * its end, for related data.
 */
export async function loadAccounts(
  db: Database,
  content: string,
  now: Date,
  within: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<void> {
  const { password, accounts }: { password: string; accounts: DemoAccount[] } = JSON.parse(
    readFileSync(join(content, 'accounts.json'), 'utf8'),
  )
  // One hash for all accounts: the password is public, and a hundred hashes would take seconds.
  const passwordHash = await hashPassword(password, { one: 'demo' })
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY)

  await db.transaction(async (tx) => {
    const titles = await selectTitles(tx)
    for (const account of accounts.flatMap(numbered)) {
      const userId = await insertUser(tx, account, { passwordHash, createdAt: daysAgo(400) })
      const entries = (account.library ?? []).map(({ kind, slug, addedDaysAgo }) => {
        const book = titles.get(`${FORMAT[kind]} ${slug}`)
        if (!book)
          throw new Error(`accounts.json: ${account.email} holds ${kind}/${slug}, which is not a demo title.`)
        const source = book.priceMinor === 0 ? ('free' as const) : ('owner' as const)
        return { userId, bookId: book.id, source, addedAt: daysAgo(addedDaysAgo) }
      })
      if (entries.length > 0) await tx.insert(libraryEntries).values(entries)
      if (!account.confirmed) await mailLink(tx, userId, account, now)
      const audioBookId = (slug: string) => titles.get(`audio_book ${slug}`)?.id
      await insertPlaces(tx, userId, account, audioBookId, daysAgo)
      await insertBookmarks(tx, userId, account, audioBookId, daysAgo)
      await insertMembership(tx, { userId, membership: account.membership, credits: account.credits }, now)
    }
    await within(tx)
  })
}

function numbered(account: DemoAccount): DemoAccount[] {
  if (!account.series) return [account]
  const { from, to } = account.series
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = String(from + index).padStart(2, '0')
    const named = (text: string) => text.replaceAll('{nn}', number)
    return {
      ...account,
      email: named(account.email),
      firstName: named(account.firstName),
      lastName: named(account.lastName),
    }
  })
}

async function selectTitles(tx: Transaction): Promise<Map<string, { id: number; priceMinor: number }>> {
  const rows = await tx
    .select({ id: books.id, format: books.format, slug: books.slug, priceMinor: books.priceMinor })
    .from(books)
  return new Map(rows.map(({ id, format, slug, priceMinor }) => [`${format} ${slug}`, { id, priceMinor }]))
}

async function insertUser(
  tx: Transaction,
  { email, firstName, lastName, countryCode, confirmed, outlet }: DemoAccount,
  { passwordHash, createdAt }: { passwordHash: string; createdAt: Date },
): Promise<string> {
  const [shop] = outlet
    ? await tx
        .insert(outlets)
        .values({ ...outlet, createdAt })
        .returning({ id: outlets.id })
    : []
  const [user] = await tx
    .insert(users)
    .values({
      email,
      passwordHash,
      firstName,
      lastName,
      countryCode: countryCode ?? null,
      confirmedAt: confirmed ? createdAt : null,
      outletId: shop?.id ?? null,
      createdAt,
    })
    .returning({ id: users.id })
  return user!.id
}

/**
 * Queues a confirmation mail. Its link is valid for a year, longer than anyone looks at a demo; no code confirms it.
 */
async function mailLink(
  tx: Transaction,
  userId: string,
  { email, firstName }: DemoAccount,
  now: Date,
): Promise<void> {
  const { token, code } = newProof()
  await tx.insert(accountTokens).values({
    userId,
    purpose: 'confirm',
    tokenHash: hashOfToken(token),
    codeHash: '',
    createdAt: now,
    expiresAt: new Date(now.getTime() + 365 * DAY),
  })
  const data = { firstName, token, code }
  await queueMail(tx, { to: email, kind: 'confirm_address', key: `confirm:${userId}`, data })
}

async function insertPlaces(
  tx: Transaction,
  userId: string,
  { email, listening = [] }: DemoAccount,
  bookIdOf: (slug: string) => number | undefined,
  daysAgo: (days: number) => Date,
): Promise<void> {
  const places = listening.map(({ slug, chapter, seconds, heardDaysAgo }) => {
    const bookId = bookIdOf(slug)
    if (bookId === undefined)
      throw new Error(`accounts.json: ${email} listens to ${slug}, which is not a demo title.`)
    return { userId, bookId, chapter, seconds, heardAt: daysAgo(heardDaysAgo) }
  })
  if (places.length === 0) return
  await tx.insert(chapterTimes).values(places)
  // A book's place is the one heard last; on the same day, the one later in the list.
  const latest = new Map<number, (typeof places)[number]>()
  for (const place of places) {
    const before = latest.get(place.bookId)
    if (!before || place.heardAt >= before.heardAt) latest.set(place.bookId, place)
  }
  await tx.insert(bookTimes).values([...latest.values()])
}

async function insertBookmarks(
  tx: Transaction,
  userId: string,
  { email, bookmarks: marked = [] }: DemoAccount,
  bookIdOf: (slug: string) => number | undefined,
  daysAgo: (days: number) => Date,
): Promise<void> {
  const rows = marked.map(({ slug, chapter, seconds, note = '', madeDaysAgo }) => {
    const bookId = bookIdOf(slug)
    if (bookId === undefined)
      throw new Error(`accounts.json: ${email} bookmarked ${slug}, which is not a demo title.`)
    const madeAt = daysAgo(madeDaysAgo)
    return { userId, id: randomUUID(), bookId, chapter, seconds, note, madeAt, changedAt: madeAt }
  })
  if (rows.length > 0) await tx.insert(bookmarks).values(rows)
}
