import { formatPounds } from '../../format.ts'
import { refused, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { type Buyer, findSale, priceFor, refuseUnsold } from '../bag/service.ts'
import { changedReaderOf, seeBook } from '../catalogue/service.ts'
import { mustConfirmAddress, entitlementOf } from '../membership/service.ts'
import { isClaimable } from '../membership/entitlement.ts'
import { leftIfChosen } from '../membership/withdrawal-amounts.ts'
import { createOrder, payOrder, freeBasket } from '../orders/service.ts'
import { ratesAt } from '../prices/pricing.ts'
import type { Format } from '../products/product.ts'
import { lockAccount, selectMember } from '../membership/queries.ts'
import { spendCredit } from '../membership/credit-queries.ts'

/** Idempotent: for an owned title nothing is spent (API-71, API-73). @throws 422 if the title must be paid for */
export async function takeTitle<F extends Format>(
  shop: Shop,
  { userId, sessionId, countries }: Buyer & { userId: string; sessionId: string },
  format: F,
  slugOrId: string,
  { email, waiver = false }: { email?: string; waiver?: boolean },
): ReturnType<typeof seeBook<F>> {
  const { db, clock, config } = shop
  if (email !== undefined && (await selectMember(db, userId))?.email.toLowerCase() !== email.toLowerCase())
    throw unprocessable('email', 'This isn’t the email address of your account.')
  const { tier } = await entitlementOf(db, userId, clock.now())
  const taking = db.transaction(async (tx) => {
    // Wait for a concurrent withdrawal, which revokes unspent credits.
    await lockAccount(tx, userId)
    const book = await findSale(tx, format, slugOrId, userId)
    if (book.owned) return
    refuseUnsold(book, countries)
    const taken = priceFor(config, book, tier) === 0 ? 'free' : 'credit'
    if (taken === 'credit' && isClaimable(book) && (await mustConfirmAddress(tx, userId, clock.now())))
      throw refused(CONFIRM_FIRST)
    const waived =
      taken === 'credit' && isClaimable(book) ? await leftIfChosen(tx, userId, clock.now()) : null
    if (waived && !waiver) throw refused(leavesWords(waived))
    const rates = ratesAt(config, countries[0], clock.now())
    const basket = freeBasket({ kind: 'title', bookId: book.id, format }, book.title, rates)
    const buyer = { userId, country: countries[0] }
    const order = await createOrder(tx, {
      basket,
      source: null,
      buyer,
      taken,
      waiver: waived !== null,
      now: clock.now(),
    })
    const delivery = await payOrder(tx, shop, order, { type: 'free', last4: null })
    if (delivery.refused.length > 0) throw new OwnedByNow()
    if (taken === 'free') return
    if (!isClaimable(book) || !(await spendCredit(tx, userId, book.id, clock.now())))
      throw unprocessable('', 'This title isn’t free.')
  })
  await taking.catch((error: unknown) => {
    if (!(error instanceof OwnedByNow)) throw error
  })
  const reader = await changedReaderOf(shop, { caller: { userId, sessionId }, countries })
  return seeBook(shop, format, slugOrId, reader)
}

const CONFIRM_FIRST =
  'Please confirm your email address first: the link is in the email we sent you, and Settings can send it again. Your free audiobook waits for you.'

/** The recipient of a gift is not told its price. */
const leavesWords = ({ leftMinor, gift }: { readonly leftMinor: number; readonly gift: boolean }): string =>
  gift
    ? 'If you choose it now, less can be paid back to whoever gave you the membership. Please agree to that first.'
    : `If you choose it now, ${leftMinor === 0 ? 'nothing' : formatPounds(leftMinor)} is left to pay back should you withdraw. Please agree to that first.`

/** A concurrent request has added the title already: roll back, so that nothing is ordered or spent. */
class OwnedByNow extends Error {}
