import type { Shop } from '../../shop.ts'
import { MESSAGES } from '#contract/messages.ts'
import { buyNowConsent } from '#contract/messages-checkout.ts'
import type { Db } from '../../db/open.ts'
import { type Payment, takesPayments } from '../../integrations/stripe/payments.ts'
import { ifKnown, PaymentConflict } from '../../integrations/stripe/problems.ts'
import { proofNeeded } from '../../auth/recent-proof.ts'
import { addressKey } from '../../rate-limiting/rate-limit.ts'
import { noPaymentsYet, outdated, unprocessable, refusedCode, totalChanged } from '../../http/http-errors.ts'
import { lookUpCode, reserveUse } from '../discounts/service.ts'
import { countOwnerQuestion } from '../gifts/title-gifts.ts'
import {
  abandonOrder,
  createOrder,
  payOrder,
  type Basket,
  type BasketSource,
  fingerprintOf,
} from '../orders/service.ts'
import {
  selectPayments,
  type OrderRow as Order,
  updateOrder,
  updateReservation,
  selectWaitingOrder,
  selectNewestPaid,
  storeIntent,
} from '../orders/queries.ts'
import { paymentStillChecked, recordUnansweredAttempt } from '../orders/payment-attempts.ts'
import { productOf } from '../products/product.ts'
import { ensureCustomer } from '../membership/payment-methods.ts'
import { settleBy } from './settle-payment.ts'

interface CheckoutDetails {
  readonly address: string
  readonly code: string | null
  readonly shownMinor: number | undefined
  readonly waiver: boolean
  /** Whether the buyer proved who they are, or is a visitor: required to give, and to save a card. */
  readonly isProved: (db: Db) => Promise<boolean>
  /** Save the card that pays, for later purchases of the account. */
  readonly savesCard?: boolean
  /** For a press without a form: the sentence under the button. */
  readonly consent?: string
}

export interface CheckedOut {
  readonly order: Order
  readonly clientSecret: string | null
}

/** For this long (one hour), checking out an emptied basket counts as repeating a checkout whose response got lost. */
export const REPEATED_WITHIN_MS = 3_600_000

/**
 * Idempotent: the same basket is the same order and payment. The order's key finds the payment again.
 * @throws 409 if the total has changed, the bag keeps changing, or an earlier payment is still pending
 * @throws 422 if the basket can't be bought as it is
 */
export async function checkOut(
  shop: Shop,
  source: BasketSource,
  details: CheckoutDetails,
): Promise<CheckedOut> {
  await refuseGuesses(shop, source, details)
  // The second round follows a cancelled order; a third means that another tab keeps changing the bag.
  for (let round = 0; round < 3; round++) {
    const step = await shop.db.transaction((tx) => nextStep(tx, shop, source, details))
    if (step.kind === 'paid') return { order: step.order, clientSecret: null }
    const isNew = step.kind === 'pay' && step.isNew
    const payment = await paymentOf(shop, step.order, { isNew }).catch(async (error: unknown) => {
      await recordUnansweredAttempt(shop, { orderId: step.order.id }, error)
      throw error
    })
    if (step.kind === 'superseded') {
      const settled = await settleBy(shop, await cancelled(shop, payment))
      if (settled.outcome === 'paid') return { order: settled.order!, clientSecret: null }
      continue
    }
    if (payment.state === 'open') {
      if (await choosesSaving(shop, payment, source.buyer, details))
        return { order: step.order, clientSecret: payment.clientSecret }
      continue
    }
    if (payment.state === 'pending') throw paymentStillChecked()
    const settled = await settleBy(shop, payment)
    if (settled.outcome === 'paid') return { order: settled.order!, clientSecret: null }
  }
  throw outdated('Your bag has changed. Please check it again.')
}

/** A checkout reveals which codes exist and what others own, so the limits of those calls apply to it. */
async function refuseGuesses(
  shop: Shop,
  source: BasketSource,
  { code, address }: CheckoutDetails,
): Promise<void> {
  const { db, now } = shop
  const { userId } = source.buyer
  if (await source.sendsGifts(db)) await countOwnerQuestion(shop, { userId, address })
  if (code === null) return
  const open = () => source.open(db)
  const basket = await lookUpCode(
    db,
    { who: userId ?? addressKey(address), now: now() },
    open,
    (found) => found.hasUnknownCode,
  )
  if (basket.hasUnknownCode && basket.refusal) throw refusedCode('discount_not_valid')
}

type Step =
  | { readonly kind: 'paid'; readonly order: Order }
  | { readonly kind: 'pay'; readonly order: Order; readonly isNew: boolean }
  /** An order for an earlier state of the basket. Cancel its payment before creating the next one. */
  | { readonly kind: 'superseded'; readonly order: Order }

async function nextStep(tx: Db, shop: Shop, source: BasketSource, details: CheckoutDetails): Promise<Step> {
  const now = shop.clock.now()
  await source.hold(tx)
  // Before the basket: if it is paid between the two reads, the basket is empty. The other way round, a second order
  // would be made for it.
  const waiting = await selectWaitingOrder(tx, source)
  const basket = await source.open(tx)
  if (basket.lines.length === 0 && basket.refusal === null) {
    const before = await selectNewestPaid(tx, source, new Date(now.getTime() - REPEATED_WITHIN_MS))
    if (before) return { kind: 'paid', order: before }
    throw unprocessable('', 'Your bag is empty.')
  }
  await refuseUnready(tx, source, basket, details)
  if (basket.totalMinor > 0 && !takesPayments(shop.payments)) throw noPaymentsYet()
  if (waiting && waiting.fingerprint !== fingerprintOf(basket)) return { kind: 'superseded', order: waiting }
  const couponReservedUntil =
    basket.code && (await reserveUse(tx, basket.code.code, { source: source.id, now }))
  if (waiting) {
    if (couponReservedUntil) await updateReservation(tx, waiting.id, couponReservedUntil)
    // The order may have been created by the form of the checkout, which shows other words.
    if (details.consent && waiting.consentWords !== details.consent)
      await updateOrder(tx, waiting.id, { consentWords: details.consent })
    return { kind: 'pay', order: waiting, isNew: false }
  }
  const { buyer } = source
  const order = await createOrder(tx, {
    basket,
    source,
    buyer,
    waiver: details.waiver,
    consentWords: details.consent ?? null,
    couponReservedUntil,
    now,
  })
  if (order.totalMinor > 0) return { kind: 'pay', order, isNew: true }
  await payOrder(tx, shop, order, { type: 'free', last4: null })
  shop.metrics.orders.add(1, 'free')
  return { kind: 'paid', order: { ...order, state: 'paid' } }
}

function consentTo({ lines }: Basket): string {
  const gifts = lines.filter(({ gift }) => gift).length
  return buyNowConsent({ own: lines.length - gifts, gifts })
}

const WAIVER = {
  propertyPath: 'waiver',
  words: 'Please agree that you can’t cancel once your books are in your library.',
}

async function refuseUnready(
  tx: Db,
  { consent = WAIVER }: BasketSource,
  basket: Basket,
  { waiver, shownMinor, isProved, savesCard, consent: shownConsent }: CheckoutDetails,
): Promise<void> {
  if (basket.refusal) throw basket.refusal
  if ((savesCard || basket.lines.some(({ gift }) => gift)) && !(await isProved(tx))) throw proofNeeded()
  if (shownConsent !== undefined && shownConsent !== consentTo(basket))
    throw unprocessable('consent', 'This page is out of date. Please load it again.')
  if (basket.totalMinor > 0 && !waiver) throw unprocessable(consent.propertyPath, consent.words)
  for (const { sold, title, gift } of basket.lines) {
    if (!gift) continue
    if (gift.email === null) throw unprocessable('giftEmail', `${title}: ${MESSAGES.invalidEmail}`)
    if (await productOf(sold).hasAlready(tx, sold, gift.email))
      throw unprocessable('giftEmail', `${title}: ${MESSAGES.alreadyHaveBook}`)
  }
  if (shownMinor !== undefined && shownMinor !== basket.totalMinor) throw totalChanged()
}

async function paymentOf(
  { db, payments }: Shop,
  order: Order,
  { isNew }: { readonly isNew: boolean },
): Promise<Payment> {
  const [stored] = isNew ? [] : await selectPayments(db, [order.id])
  if (stored?.intentId) return payments.retrievePayment(stored.intentId)
  const payment = await payments.createPayment(
    {
      amountMinor: order.totalMinor,
      description: `Order ${order.number}`,
      metadata: { order: order.id, number: order.number },
    },
    `order:${order.id}`,
  )
  await storeIntent(db, order.id, payment.id)
  return payment
}

/** Tells the provider whether to store the card that pays. Returns false if it has been paid or cancelled meanwhile. */
async function choosesSaving(
  shop: Shop,
  payment: Payment,
  { userId }: BasketSource['buyer'],
  { savesCard = false }: CheckoutDetails,
): Promise<boolean> {
  if (payment.savesCard === savesCard || userId === null) return true
  const customer = savesCard ? await ensureCustomer(shop, userId) : null
  return shop.payments.saveCardOf(payment.id, customer).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PaymentConflict) return false
      throw error
    },
  )
}

/** If it was paid first, returns it as paid; throws a 409 while it is pending. */
async function cancelled({ payments }: Shop, payment: Payment): Promise<Payment> {
  if (payment.state === 'paid' || payment.state === 'cancelled') return payment
  const after = await payments.cancelPayment(payment.id).catch((error: unknown) => {
    if (error instanceof PaymentConflict) throw paymentStillChecked()
    throw error
  })
  if (after.state === 'open' || after.state === 'pending') throw paymentStillChecked()
  return after
}

/** If the order was paid after all, settles it instead. Returns true if it is abandoned now. */
export async function abandon(
  shop: Shop,
  order: Pick<Order, 'id'>,
  intentId: string | null,
): Promise<boolean> {
  // The payment of another account or mode is unknown: the shop's keys have changed.
  const payment = intentId === null ? undefined : await ifKnown(shop.payments.retrievePayment(intentId))
  if (payment) {
    if (payment.state === 'pending') return false
    const settled = await settleBy(shop, await cancelled(shop, payment))
    return settled.outcome === 'cancelled'
  }
  // Nothing can be paid without a client secret, or with a payment that the provider doesn't know.
  const isAbandoned = await abandonOrder(shop.db, order.id)
  if (isAbandoned) shop.metrics.orders.add(1, 'abandoned')
  return isAbandoned
}
