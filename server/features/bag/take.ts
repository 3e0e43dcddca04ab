import { notFound, unprocessable } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import { readerOf, seeBook } from '../catalogue/rules.ts'
import { addToLibrary } from '../library/rules.ts'
import { spendCredit } from '../membership/rules.ts'
import { type Buyer, isMemberNow, priceFor, refuseUnsold } from './rules.ts'
import { isEmailOf, selectSale } from './rows.ts'

/**
 * Takes a free title, or one that a credit claims, into the library (API-71, API-73). Safe to repeat: an owned title
 * is answered, and nothing is spent. Throws 422 for a title that must be paid.
 */
export async function takeTitle<F extends 'audio_book' | 'e_book'>(
  shop: Shop,
  { userId, countries }: Buyer & { userId: string },
  format: F,
  slugOrId: string,
  { email }: { email?: string },
): ReturnType<typeof seeBook<F>> {
  const { db, now } = shop
  if (email !== undefined && !(await isEmailOf(db, userId, email)))
    throw unprocessable('email', 'This isn’t the email address of your account.')
  const isMember = await isMemberNow(db, userId, now())
  await db.transaction(async (tx) => {
    const book = await selectSale(tx, format, slugOrId, userId)
    if (!book) throw notFound()
    if (book.owned) return
    refuseUnsold(book, countries)
    const isFree = priceFor(book, isMember) === 0
    const source = isFree ? ('free' as const) : ('credit' as const)
    const isNew = await addToLibrary(tx, { userId, bookId: book.id, source, addedAt: now() })
    // A second request in the same moment finds the entry, and spends nothing.
    if (!isNew || isFree) return
    const isClaimable = book.edition || book.second_edition
    if (!isClaimable || !(await spendCredit(tx, userId, book.id, now())))
      throw unprocessable('', 'This title must be paid for.')
  })
  return seeBook(shop, format, slugOrId, await readerOf(shop, { caller: { userId }, countries }))
}
