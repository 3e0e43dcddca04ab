import { planInWords, type Plan, type Plans } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import type { GivenBack } from '../../integrations/mail/templates/orders.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { formatPounds } from '../../format.ts'
import { notFound, outdated, refused } from '../../http/http-errors.ts'
import { openAgain } from '../cards/redemption.ts'
import { deleteUse } from '../discounts/queries.ts'
import { restoreCredit } from '../membership/owner-actions.ts'
import { type OrderRow as Order, lockOrder } from '../orders/queries.ts'
import { orderNumbered } from '../orders/service.ts'
import { refuseUndecided } from '../orders/undecided-refunds.ts'
import { firstNameOf, refundMail, takeBackLines, titlesLeaving } from '../orders/refunds-and-disputes.ts'
import { requestRefund, closeRefund, postponeRefund, sendRefund } from '../refunds/service.ts'
import { lockAccount, selectInvoiceOf } from '../membership/queries.ts'
import { sumOwed, selectRefundsOfOrder, selectDueRefunds } from '../refunds/queries.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import { settlePayment } from './settle-payment.ts'

type Line = Awaited<ReturnType<typeof orderNumbered>>['lines'][number]

export interface RefundPlan {
  readonly order: Order
  /** Lines paid with money: they leave the library once the refund has succeeded. */
  readonly paid: readonly Line[]
  /** Lines paid in full by a free audiobook, a card or a code: they leave the library at once. */
  readonly unpaid: readonly Line[]
  readonly amountMinor: number
  readonly keepsLines: boolean
}

/** A refund that leaves the lines in the library. */
export interface Goodwill {
  /** In pence; null for the whole price of the lines. */
  readonly amountMinor: number | null
}

/** `places` are positions on the order, starting at 1; null selects all lines that are left. */
export async function planRefund(
  db: Db,
  number: string,
  places: readonly number[] | null,
  goodwill: Goodwill | null = null,
): Promise<RefundPlan> {
  const { order, lines, payment } = await orderNumbered(db, number)
  if (order.state !== 'paid') throw refused(`${order.number} was never paid, so nothing can go back.`)
  if (order.disputedAt)
    throw refused('The buyer asked their bank for this money. The bank decides, and the shop follows it.')
  const asked = await selectRefundsOfOrder(db, order.id)
  const isAsked = ({ id }: Line) =>
    asked.some(({ lineIds, keepsLines }) => !keepsLines && lineIds?.includes(id))
  const chosen =
    places === null ? lines.filter(({ refundedAt }) => !refundedAt) : [...new Set(places)].map(at)
  if (chosen.length === 0) throw refused(`All of ${order.number} went back already.`)
  for (const line of chosen) {
    if (line.refundedAt) throw refused(`${line.title} went back already.`)
    if (isAsked(line)) throw refused(`The money for ${line.title} is on its way back already.`)
    if (line.sold.kind === 'membership' && line.priceMinor === 0)
      throw refused('This membership cost nothing. End it instead: npm run members -- end')
  }
  if (!goodwill) await refuseUndecided(db, order, chosen)
  const paid = chosen.filter(({ priceMinor }) => priceMinor > 0)
  const owed = (await sumOwed(db, [order.id])).get(order.id) ?? 0
  const leftMinor = order.totalMinor - order.refundedMinor - owed
  const wanted = goodwill?.amountMinor ?? sum(paid)
  const amountMinor = Math.min(wanted, leftMinor)
  if (goodwill) refuseGoodwill(goodwill, { order, paid, leftMinor })
  if (paid.length > 0 && amountMinor < 1) throw refused(`All of its money went back already.`)
  // An order of a demo without the sandbox.
  if (paid.length > 0 && !payment?.intentId && !(await selectInvoiceOf(db, order.id)))
    throw refused(`${order.number} has no payment at the provider, so there is nothing to pay it back from.`)
  const unpaid = goodwill ? [] : chosen.filter((line) => !paid.includes(line))
  return { order, paid, unpaid, amountMinor, keepsLines: goodwill !== null }

  function at(place: number): Line {
    const line = lines[place - 1]
    if (!line) throw refused(`${order.number} has no line ${place}.`)
    return line
  }
}

function refuseGoodwill(
  { amountMinor }: Goodwill,
  { order, paid, leftMinor }: Pick<RefundPlan, 'order' | 'paid'> & { readonly leftMinor: number },
): void {
  if (paid.length === 0) throw refused('These lines cost no money, so there is nothing to refund.')
  if (amountMinor !== null && amountMinor > Math.min(sum(paid), leftMinor))
    throw refused(`At most ${formatPounds(Math.min(sum(paid), leftMinor))} can be refunded.`)
  const isMembership = paid.some(({ sold }) => sold.kind !== 'title')
  if (isMembership && order.refundedMinor + (amountMinor ?? sum(paid)) >= order.totalMinor)
    throw refused('A membership ends when all of its money goes back. Refund less of it, with --amount.')
}

const sum = (lines: readonly Line[]): number => lines.reduce((all, { priceMinor }) => all + priceMinor, 0)

export function mailOfRefund({ order, paid, amountMinor, keepsLines }: RefundPlan, plans: Plans) {
  if (paid.length === 0 || order.buyerEmail === '') return null
  const membership = paid.find(({ sold }) => sold.kind === 'membership')
  if (membership?.sold.kind !== 'membership') return refundMail(order, keepsLines ? [] : paid, amountMinor)
  const isWhole = order.refundedMinor + amountMinor === order.totalMinor
  return {
    to: order.buyerEmail,
    kind: 'membership_refunded',
    data: {
      firstName: firstNameOf(order),
      plan: planInWords(planWithId(plans, membership.sold.plan)),
      amountMinor,
      orderNumber: order.number,
      ended: isWhole,
    },
  } as const
}

const planWithId = (plans: Plans, plan: number): Plan => Object.values(plans).find(({ id }) => id === plan)!

interface Refunded {
  readonly refundId: string | null
  readonly givenBack: GivenBack | null
}

/**
 * Recorded under the locks of the account, then the order. Refunded only once the provider says so.
 * @throws 409 if the refund is no longer `shownMinor`, in pence
 * @throws 422 for lines that can't be refunded
 */
export async function refundLines(
  shop: Shop,
  number: string,
  places: readonly number[] | null,
  shownMinor: number,
  goodwill: Goodwill | null = null,
): Promise<Refunded> {
  const { order } = await planRefund(shop.db, number, places, goodwill)
  const { refundId, givenBack } = await shop.db.transaction(async (tx) => {
    if (order.userId !== null) await lockAccount(tx, order.userId)
    if (!(await lockOrder(tx, order.id))) throw notFound()
    const plan = await planRefund(tx, number, places, goodwill)
    if (plan.amountMinor !== shownMinor) throw outdated('The order has changed. Please look again.')
    const key = plan.paid.map(({ id }) => id).toSorted()
    // The same lines can get goodwill more than once; the sum refunded before keeps the keys apart.
    const before = plan.order.refundedMinor + ((await sumOwed(tx, [order.id])).get(order.id) ?? 0)
    return requestLineRefunds(tx, shop, plan, {
      reason: 'owner',
      key: goodwill ? `goodwill:${key.join(':')}:${before}` : `owner:${key.join(':')}`,
    })
  })
  if (refundId !== null) await sendOrderRefundNow(shop, refundId)
  return { refundId, givenBack }
}

/** Records the refunds of a plan's lines; the caller sends them. The caller has locked the account and the order. */
export async function requestLineRefunds(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  plan: RefundPlan,
  why: { readonly reason: 'owner' | 'gift-taken-back'; readonly key: string },
): Promise<Refunded> {
  const { order, paid, amountMinor, keepsLines } = plan
  const invoiceId = await selectInvoiceOf(tx, order.id)
  const lineIds = paid.map(({ id }) => id)
  const request = {
    ...why,
    orderId: order.id,
    ...(invoiceId ? { invoiceId } : {}),
    amountMinor,
    lineIds,
    keepsLines,
  }
  const refund = paid.length === 0 ? null : await requestRefund(tx, request, shop.clock.now())
  return { refundId: refund?.id ?? null, givenBack: await takeBackUnpaid(tx, shop, plan) }
}

async function takeBackUnpaid(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { order, unpaid }: RefundPlan,
): Promise<GivenBack | null> {
  if (unpaid.length === 0) return null
  const now = shop.clock.now()
  await takeBackLines(tx, shop, order, unpaid, now)
  const givenBack = await restoreMeansOfPayment(tx, order, unpaid, now)
  const titles = titlesLeaving(unpaid)
  if (order.buyerEmail !== '' && titles.length > 0)
    await queueMail(tx, {
      to: order.buyerEmail,
      kind: 'title_taken_back',
      key: `title_taken_back:${order.id}:${unpaid[0]!.id}`,
      data: { firstName: firstNameOf(order), titles, givenBack },
    })
  return givenBack
}

async function restoreMeansOfPayment(
  tx: Db,
  order: Order,
  lines: readonly Line[],
  now: Date,
): Promise<GivenBack> {
  const { taken, userId, totalMinor, couponCode } = order
  const [sold] = lines.map((line) => line.sold)
  if (taken === 'credit' && userId !== null && sold?.kind === 'title') {
    const until = await restoreCredit(tx, { userId, bookId: sold.bookId }, now)
    if (until) return { kind: 'free audiobook', lastDay: new Date(until.getTime() - 1).toISOString() }
  }
  if (taken === 'card' && (await openAgain(tx, order.id)) !== null) return { kind: 'card' }
  if (taken !== null || totalMinor > 0 || !couponCode) return { kind: 'nothing' }
  const isAll = (await orderNumbered(tx, order.number)).lines.every(({ refundedAt }) => refundedAt)
  if (!isAll) return { kind: 'nothing' }
  await deleteUse(tx, order.id)
  return { kind: 'code' }
}

const REFUNDS_PER_RUN = 200

export async function sendOrderRefund(shop: Shop, refundId: string): Promise<void> {
  const refund = await sendRefund(shop, refundId)
  if (refund.paymentId !== null) await settlePayment(shop, refund.paymentId)
  await closeRefund(shop, refund)
}

/** If the provider doesn't answer, the job sends it. */
export const sendOrderRefundNow = (shop: Shop, refundId: string): Promise<void> =>
  sendOrderRefund(shop, refundId).catch((error: unknown) => {
    if (!(error instanceof PaymentsUnavailable)) throw error
  })

export async function sendDueRefunds(shop: Shop, signal?: AbortSignal): Promise<void> {
  const due = await selectDueRefunds(shop.db, shop.clock.now(), REFUNDS_PER_RUN)
  await forEachDue(due, ({ id }) => sendOrderRefund(shop, id), {
    log: shop.log,
    signal,
    problem: 'money that is owed could not be sent',
    about: ({ id }) => ({ refund: id }),
    onFailure: ({ id }) => postponeRefund(shop, id),
    toleratesOutage: true,
  })
}
