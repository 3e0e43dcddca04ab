import type { BuyNow } from '#contract/buy-now.ts'
import { type Countries, refuseElsewhere } from '../../auth/country.ts'
import { ConcurrentRequest } from '../../integrations/stripe/problems.ts'
import { notFound, refused, unprocessable } from '../../http/http-errors.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { findSale, priceFor, refuseUnsold } from '../bag/service.ts'
import { invalidMethod, ensureCustomer } from '../membership/payment-methods.ts'
import { type SavedCardRow, selectSavedCard, updateCardUsed } from '../membership/saved-card-queries.ts'
import { selectSubscription } from '../membership/queries.ts'
import { entitlementOf } from '../membership/service.ts'
import { type BasketSource, type Basket, oneLineBasket } from '../orders/service.ts'
import { countRefusals, lockSource, selectNewestPaid } from '../orders/queries.ts'
import { recordUnansweredAttempt } from '../orders/payment-attempts.ts'
import { ratesAt, vatPercentOf } from '../prices/pricing.ts'
import type { Format } from '../products/product.ts'
import { derivedId } from './derived-id.ts'
import { checkOut, REPEATED_WITHIN_MS } from './service.ts'
import { paymentRefusal, settleBy } from './settle-payment.ts'

interface Card {
  readonly methodId: string
  /** Undefined for a membership's card that is not saved. */
  readonly saved?: SavedCardRow
}

/** @throws 422 for a card that is not saved */
export async function savedCardOf(shop: Shop, userId: string, cardId: string): Promise<Card> {
  const saved = await selectSavedCard(shop.db, userId, cardId)
  if (!saved) throw invalidMethod()
  return { methodId: saved.methodId, saved }
}

/**
 * The card that paid for a membership. Only during its first hour, because the buyer agreed to this use of it at the
 * checkout that began the membership.
 * @throws 404 for another account's membership; 422 if it did not begin just now and with this bag, or PayPal pays
 */
export async function cardOfNewMembership(
  shop: Shop,
  { userId, id, cartId }: { readonly userId: string; readonly id: string; readonly cartId: string },
): Promise<{ readonly card: Card; readonly joinedAt: Date }> {
  const row = await selectSubscription(shop.db, userId, id)
  if (!row) throw notFound()
  const isNew = shop.clock.now().getTime() - row.orderedAt.getTime() < REPEATED_WITHIN_MS
  if (row.status !== 'active' || row.gift || row.providerId === null || row.cartId !== cartId || !isNew)
    throw invalidMethod()
  const { method } = await shop.billing.subscriptions.retrieve(row.providerId)
  if (!method || method.brand === null) throw invalidMethod()
  return { card: { methodId: method.id }, joinedAt: row.orderedAt }
}

/** Opening it is refused with 422 once it was paid after joining: the buyer agreed to one payment with that card. */
export const paidOnceSince = (joinedAt: Date, source: BasketSource): BasketSource => ({
  ...source,
  async open(db) {
    const basket = await source.open(db)
    if (basket.lines.length > 0 && (await selectNewestPaid(db, source, joinedAt))) throw invalidMethod()
    return basket
  },
})

interface Press {
  readonly userId: string
  readonly address: string
  readonly shownMinor: number
  readonly card: Card
  /** Undefined if the waiver was ticked in a form. */
  readonly consent?: string
  readonly code: string | null
  /** See `CheckoutDetails`. */
  readonly isProved: (db: Db) => Promise<boolean>
}

/**
 * Pays a basket with a stored card. Pressed again, at the same time or later, it finds the same order and payment, so that
 * one of them is charged.
 * @throws 422 for another sentence than the one that we show
 */
export async function buyNow(shop: Shop, source: BasketSource, press: Press): Promise<BuyNow> {
  const { userId, card, ...details } = press
  const { order, clientSecret } = await checkOut(shop, source, { ...details, waiver: true })
  if (clientSecret === null) return { outcome: 'paid', order: order.id, clientSecret }
  const intentId = clientSecret.split('_secret_')[0]!
  const customer = await ensureCustomer(shop, userId)
  // The provider repeats its answer under a key. A refused attempt is counted, so the next press is another one.
  const refusals = await countRefusals(shop.db, order.id)
  const key = `buy-now:${order.id}:${card.methodId}:${refusals}`
  const payment = await shop.payments
    .payWithSaved(intentId, { customer, method: card.methodId }, key)
    .catch(async (error: unknown) => {
      // The same press in another tab is being charged; its result is known in a moment.
      if (error instanceof ConcurrentRequest) return undefined
      await recordUnansweredAttempt(shop, { orderId: order.id }, error)
      throw error
    })
  if (!payment) return { outcome: 'checking', order: order.id, clientSecret }
  const settled = await settleBy(shop, payment)
  // The provider does not take the card: it was detached there.
  if (settled.outcome === 'open' && !payment.needsAuthentication) throw invalidMethod()
  if (settled.outcome === 'paid' && card.saved) await updateCardUsed(shop.db, card.saved, shop.clock.now())
  const refusal = paymentRefusal(settled.outcome, payment)
  return {
    outcome: settled.outcome === 'open' ? 'authenticate' : settled.outcome,
    order: order.id,
    clientSecret,
    ...(refusal ? { refusal } : {}),
  }
}

interface Buyer {
  readonly userId: string
  readonly countries: Countries
}

/** One title for the buyer's own library. A title and a buyer have one order at a time. */
export async function titleSource(
  shop: Shop,
  { userId, countries }: Buyer,
  format: Format,
  slug: string,
): Promise<BasketSource> {
  const { clock, config } = shop
  refuseElsewhere(config, countries)
  const { id: bookId } = await findSale(shop.db, format, slug, userId)
  const source = { kind: 'title', id: derivedId(JSON.stringify(['title', userId, bookId])) } as const
  return {
    ...source,
    buyer: { userId, country: countries[0] },
    hold: (tx) => lockSource(tx, source),
    sendsGifts: async () => false,
    async open(db): Promise<Basket> {
      const now = clock.now()
      const book = await findSale(db, format, slug, userId)
      if (book.owned) {
        const since = new Date(now.getTime() - REPEATED_WITHIN_MS)
        // Bought a moment ago: the repeated press gets that order.
        const refusal = (await selectNewestPaid(db, source, since)) ? null : alreadyOwned()
        return { ...NOTHING, refusal }
      }
      refuseUnsold(book, countries)
      const { tier } = await entitlementOf(db, userId, now)
      const priceMinor = priceFor(config, book, tier)
      if (priceMinor === 0)
        throw unprocessable('', 'This title is free, so it goes straight to your library.')
      const sold = { kind: 'title', bookId, format } as const
      const vatPercent = vatPercentOf(sold, ratesAt(config, countries[0], now))
      const line = { sold, title: book.title, originalMinor: priceMinor, priceMinor, vatPercent }
      return { ...oneLineBasket(line), refusal: null, hasUnknownCode: false }
    },
  }
}

const alreadyOwned = () => refused('It’s in your library already. Nothing was charged.', 'already_owned')

const NOTHING = {
  lines: [],
  totalMinor: 0,
  vatMinor: 0,
  beforeMinor: 0,
  code: null,
  hasUnknownCode: false,
} as const
