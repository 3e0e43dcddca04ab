import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transaction } from '#server/db/open.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { insertProof } from '#server/features/account/email-queries.ts'
import { hashOfToken, newProof } from '#server/features/account/email-tokens.ts'
import { hashPassword } from '#server/features/account/passwords.ts'
import { insertUser } from '#server/features/account/queries.ts'
import { grantTitle } from '#server/features/library/service.ts'
import { chapterOffsetsOf, eventStore } from '#server/features/listening/service.ts'
import { createBookmark } from '#server/features/notes/service.ts'
import { insertOutlet } from '#server/features/outlets/queries.ts'
import { queueMail } from '#server/integrations/mail/queue.ts'
import type { Shop } from '#server/shop.ts'
import { type ShopDaysAgo, shopIn } from './shop-days-ago.ts'
import { type DemoMembership, insertMembership } from './demo-memberships.ts'

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

/** In one transaction, so all or none. Fills the libraries with what `purchases` did not bring. */
export async function loadAccounts(
  shop: Shop,
  content: string,
  purchases: (daysAgo: ShopDaysAgo) => Promise<void> = async () => undefined,
): Promise<void> {
  const file: { password: string; accounts: DemoAccount[] } = JSON.parse(
    readFileSync(join(content, 'accounts.json'), 'utf8'),
  )
  // One hash for all accounts: the password is public, and a hundred hashes would take seconds.
  const passwordHash = await hashPassword(file.password, { one: 'demo' })

  await shop.db.transaction(async (tx) => {
    const daysAgo = shopIn(shop, tx)
    const accounts = []
    for (const account of file.accounts.flatMap(numbered)) {
      const userId = await register(daysAgo(400), account, passwordHash)
      accounts.push({ ...account, userId })
      if (!account.confirmed) await mailLink(daysAgo(0), userId, account)
      const { membership, credits } = account
      await insertMembership(tx, { userId, membership, credits }, shop.now())
    }
    await purchases(daysAgo)
    const titles = await selectTitles(tx)
    for (const { email, userId, library = [], ...account } of accounts) {
      for (const { kind, slug, addedDaysAgo } of library) {
        const book = titles.get(`${FORMAT[kind]} ${slug}`)
        if (!book)
          throw new Error(`accounts.json: ${email} holds ${kind}/${slug}, which is not a demo title.`)
        const source = book.priceMinor === 0 ? ('free' as const) : ('owner' as const)
        await grantTitle(tx, { userId, bookId: book.id, source, addedAt: daysAgo(addedDaysAgo).now() })
      }
      await listen(daysAgo, userId, account)
      await bookmark(daysAgo, userId, account)
    }
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

async function register(
  { db, now }: Shop,
  { email, firstName, lastName, countryCode, confirmed, outlet }: DemoAccount,
  passwordHash: string,
): Promise<string> {
  const outletId = outlet && (await insertOutlet(db, { ...outlet, createdAt: now() }))
  const userId = await insertUser(db, {
    email,
    passwordHash,
    firstName,
    lastName,
    countryCode: countryCode ?? null,
    confirmedAt: confirmed ? now() : null,
    outletId: outletId ?? null,
    createdAt: now(),
  })
  return userId!
}

/** The link is valid for a year, longer than anyone looks at a demo; no code confirms it. */
async function mailLink({ db, now }: Shop, userId: string, { email, firstName }: DemoAccount): Promise<void> {
  const { token, code } = newProof()
  await insertProof(db, {
    userId,
    purpose: 'confirm',
    tokenHash: hashOfToken(token),
    codeHash: '',
    createdAt: now(),
    expiresAt: new Date(now().getTime() + 365 * DAY),
  })
  const data = { firstName, token, code }
  await queueMail(db, { to: email, kind: 'confirm_address', key: `confirm:${userId}`, data })
}

async function listen(
  daysAgo: ShopDaysAgo,
  userId: string,
  { listening = [] }: Pick<DemoAccount, 'listening'>,
): Promise<void> {
  // Oldest first, as the listener's device would send them.
  for (const { slug, heardDaysAgo, ...place } of listening.toSorted(
    (one, other) => other.heardDaysAgo - one.heardDaysAgo,
  ))
    await eventStore(daysAgo(heardDaysAgo))(userId, slug, place)
}

async function bookmark(
  daysAgo: ShopDaysAgo,
  userId: string,
  { bookmarks = [] }: Pick<DemoAccount, 'bookmarks'>,
): Promise<void> {
  for (const { slug, note = '', madeDaysAgo, ...place } of bookmarks) {
    const shop = daysAgo(madeDaysAgo)
    const id = randomUUID()
    await createBookmark(shop, userId, await chapterOffsetsOf(shop, slug), { ...place, id, note })
  }
}
