import type { BusinessTime } from '../../clock.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { DisputeDetails } from '../../integrations/stripe/payments.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { emit } from '../../domain-events.ts'
import { keepingLines, namingLines } from '../refunds/service.ts'
import { type RefundRow, selectRefundsOfOrder } from '../refunds/queries.ts'
import { productOf } from '../products/product.ts'
import { isUnneeded, matchRefunds, storeUndecided, undecidedFor } from './undecided-refunds.ts'
import {
  markDecided,
  selectUndecidedOf,
  type UndecidedRefund,
  type Line,
  lockOrder,
  type OrderRow,
  selectLines,
  updateDelivered,
  updateOrder,
  updateRefunded,
} from './queries.ts'

/** `refundedMinor` is the total so far, so calls may repeat, in any order. The caller has locked the order. */
export async function refundOrder(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow,
  refundedMinor: number,
  { quietly = false }: { readonly quietly?: boolean } = {},
): Promise<void> {
  const back = Math.min(refundedMinor, order.totalMinor)
  if (order.state !== 'paid' || back <= order.refundedMinor) return
  const now = shop.clock.now()
  const kept = (await selectLines(tx, [order.id])).filter(({ refundedAt }) => refundedAt === null)
  const amountMinor = back - order.refundedMinor
  const refunds = await selectRefundsOfOrder(tx, order.id)
  const goodwillMinor = uncountedGoodwill(refunds, amountMinor)
  const chosen = chosenOf(kept, amountMinor - goodwillMinor, namingLines(refunds))
  const rest = kept.filter((line) => !chosen.lines.includes(line))
  const undecided = await selectUndecidedOf(tx, order.id)
  const amounts = [
    ...undecided.map((refund) => refund.amountMinor),
    ...(chosen.restMinor > 0 ? [chosen.restMinor] : []),
  ]
  const isAll = back === order.totalMinor && amounts.length > 0
  const matched = isAll ? { lines: rest, undecided: [] } : matchRefunds(rest, amounts)
  const returned = [...chosen.lines, ...matched.lines]
  await updateOrder(tx, order.id, { refundedMinor: back })
  await storeUndecided(tx, order.id, { before: undecided, amounts: matched.undecided, now })
  if (!quietly && order.buyerEmail !== '' && (returned.length > 0 || goodwillMinor > 0))
    await queueMail(tx, {
      // An undecided amount is in the email about the line that it turns out to be for.
      ...refundMail(order, returned, amountMinor + sumOf(undecided) - sum(matched.undecided)),
      key: `title_refunded:${order.id}:${back}`,
    })
  await takeBackLines(tx, shop, order, returned, now)
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)

const sumOf = (refunds: readonly { readonly amountMinor: number }[]): number =>
  sum(refunds.map(({ amountMinor }) => amountMinor))

export const assignRefund = (
  { db, ...shop }: Pick<Shop, 'db' | 'config' | 'clock'>,
  { orderId, lineId }: { readonly orderId: string; readonly lineId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const line = (await selectLines(tx, [orderId])).find(({ id }) => id === lineId)
    if (!order || !line) throw notFound()
    const refund = await undecidedFor(tx, order, line)
    const now = shop.clock.now()
    await markDecided(tx, [refund.id], now)
    if (order.buyerEmail !== '')
      await queueMail(tx, {
        ...refundMail(order, [line], refund.amountMinor),
        key: `title_refunded:${order.id}:${refund.id}`,
      })
    await takeBackLines(tx, shop, order, [line], now)
    // The sales count the money on the day on which it went back.
    await updateRefunded(tx, line.id, refund.foundAt)
  })

export function firstNameOf({ buyerName }: Pick<OrderRow, 'buyerName'>): string {
  const [firstName = ''] = buyerName.split(' ')
  return firstName
}

export const refundMail = (
  order: Pick<OrderRow, 'buyerEmail' | 'buyerName' | 'number'>,
  returned: readonly Line[],
  amountMinor: number,
) =>
  ({
    to: order.buyerEmail,
    kind: 'title_refunded',
    data: {
      firstName: firstNameOf(order),
      orderNumber: order.number,
      titles: titlesLeaving(returned),
      amountMinor,
    },
  }) as const

/** The titles that leave the buyer's library with these lines. A title that the buyer had before stays. */
export const titlesLeaving = (lines: readonly Line[]): string[] =>
  lines.filter((line) => !line.gift && !isUnneeded(line) && !isMembership(line)).map(({ title }) => title)

/** Publishes the change. The caller has locked the order. */
export async function takeBackLines(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { userId: buyer }: Pick<OrderRow, 'userId'>,
  lines: readonly Line[],
  now: Date,
  dispute?: 'open',
): Promise<void> {
  const concerned = new Set<string>(buyer === null ? [] : [buyer])
  for (const line of lines) {
    await updateRefunded(tx, line.id, now)
    if (line.gift) {
      const given = { orderLineId: line.id, title: line.title, dispute }
      const claimer = await productOf(line.sold).takeBackGiven(tx, given, now)
      if (claimer) concerned.add(claimer)
    } else if (line.deliveredId) await productOf(line.sold).takeBack(tx, line.deliveredId)
  }
  await emit(tx, shop, 'LinesTakenBack', { orderLineIds: lines.map(({ id }) => id), now })
  // Publishing locks an account's feed until the commit. Sort, so that feeds are always locked in the same order.
  for (const userId of [...concerned].sort()) await publish(tx, userId, { type: 'library' }, now)
}

/** A closed refund was counted before. */
function uncountedGoodwill(refunds: readonly RefundRow[], amountMinor: number): number {
  let goodwillMinor = 0
  for (const refund of keepingLines(refunds))
    if (refund.nextTryAt !== null && goodwillMinor + refund.amountMinor <= amountMinor)
      goodwillMinor += refund.amountMinor
  return goodwillMinor
}

function chosenOf(
  kept: readonly Line[],
  amountMinor: number,
  refunds: readonly { readonly amountMinor: number; readonly lineIds: readonly string[] }[],
): { readonly lines: readonly Line[]; readonly restMinor: number } {
  const lines: Line[] = []
  let restMinor = amountMinor
  for (const refund of refunds) {
    const named = kept.filter(({ id }) => refund.lineIds.includes(id))
    if (named.length === 0 || refund.amountMinor > restMinor) continue
    lines.push(...named)
    restMinor -= refund.amountMinor
  }
  return { lines, restMinor }
}

/** A dispute was won, or a bank did not accept a refund. The caller has locked the order. */
export async function restoreOrder(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow,
  refundedMinor: number,
  dispute?: 'won',
): Promise<void> {
  const now = shop.clock.now()
  const returned = (await selectLines(tx, [order.id])).filter(({ refundedAt }) => refundedAt !== null)
  const goodwillMinor = sumOf(keepingLines(await selectRefundsOfOrder(tx, order.id)))
  const undecided = await selectUndecidedOf(tx, order.id)
  const failed = failedOf(undecided, order.refundedMinor - refundedMinor)
  await markDecided(
    tx,
    failed.map(({ id }) => id),
    now,
  )
  const restored = restoredOf(returned, refundedMinor - goodwillMinor - (sumOf(undecided) - sumOf(failed)))
  await updateOrder(tx, order.id, { refundedMinor })
  const concerned = new Set<string>(order.userId === null ? [] : [order.userId])
  for (const line of restored) {
    await updateRefunded(tx, line.id, null)
    if (line.gift) {
      const claimer = await productOf(line.sold).restoreGiven?.(
        tx,
        { orderLineId: line.id, title: line.title, dispute },
        now,
      )
      if (claimer) concerned.add(claimer)
    } else if (line.deliveredId && order.userId !== null) {
      const to = { userId: order.userId, source: order.taken ?? ('purchase' as const) }
      const delivery = await productOf(line.sold).restore?.(tx, shop, line.sold, to)
      // If the buyer got the title in another way meanwhile, the line delivers nothing and must be refunded.
      if (delivery) await updateDelivered(tx, line, 'deliveredId' in delivery ? delivery.deliveredId : null)
    }
  }
  await emit(tx, shop, 'LinesRestored', { orderLineIds: restored.map(({ id }) => id), now })
  for (const userId of [...concerned].sort()) await publish(tx, userId, { type: 'library' }, now)
}

function failedOf(undecided: readonly UndecidedRefund[], decreaseMinor: number): readonly UndecidedRefund[] {
  let left = decreaseMinor
  return undecided.filter(({ amountMinor }) => {
    const isExplained = amountMinor <= left
    if (isExplained) left -= amountMinor
    return isExplained
  })
}

/** The line that was taken back first stays taken back, as far as the amount still refunded covers it. */
function restoredOf(returned: readonly Line[], stillReturnedMinor: number): readonly Line[] {
  let left = stillReturnedMinor
  return returned
    .toSorted((one, two) => one.refundedAt!.getTime() - two.refundedAt!.getTime())
    .filter(({ priceMinor }) => {
      const isExplained = priceMinor <= left
      if (isExplained) left -= priceMinor
      return !isExplained
    })
}

type DisputeNews = 'open' | 'won' | 'lost' | null

/** A bank has decided a dispute by then. */
export const LONGEST_DISPUTE_MS = 150 * DAY_MS

/** Returns it if it changed; null if it was won before it was recorded. The caller has locked the order. */
export async function recordDispute(
  tx: Db,
  order: OrderRow,
  { state, isRefundable }: DisputeDetails,
  now: Date,
): Promise<DisputeNews> {
  if (state === 'none') return null
  // The previous release stored only the time at which a dispute was opened.
  const before = order.dispute ?? (order.disputedAt ? 'open' : null)
  if (state === order.dispute && isRefundable === order.isRefundable) return null
  await updateOrder(tx, order.id, {
    dispute: state,
    isRefundable,
    disputedAt: state === 'open' ? (order.disputedAt ?? now) : null,
  })
  if (state === before) return null
  return state === 'won' && before !== 'open' ? null : state
}

/** `order` is the order before the change. */
export async function mailDispute(
  tx: Db,
  order: OrderRow,
  outcome: 'open' | 'won' | 'lost',
  {
    titles,
    plan,
    now,
  }: { readonly titles: readonly string[]; readonly plan: string | null; readonly now: BusinessTime },
): Promise<void> {
  if (order.buyerEmail === '') return
  await queueMail(tx, {
    ...disputeMail(order, outcome, { titles, plan }),
    // A payment can be disputed again after a won dispute, so the key names the time at which this one was opened.
    key: `payment_disputed:${order.id}:${outcome}:${(order.disputedAt ?? now).getTime()}`,
  })
}

export const disputeMail = (
  order: Pick<OrderRow, 'buyerEmail' | 'buyerName' | 'number' | 'totalMinor'>,
  outcome: 'open' | 'won' | 'lost',
  { titles, plan }: { readonly titles: readonly string[]; readonly plan: string | null },
) =>
  ({
    to: order.buyerEmail,
    kind: 'payment_disputed',
    data: {
      firstName: firstNameOf(order),
      orderNumber: order.number,
      amountMinor: order.totalMinor,
      outcome,
      titles,
      plan,
    },
  }) as const

/** The caller has locked the order, and records a lost dispute as a full refund. */
export async function settleDispute(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow,
  details: DisputeDetails,
): Promise<void> {
  const now = shop.clock.now()
  const news = await recordDispute(tx, order, details, now)
  const lines = await selectLines(tx, [order.id])
  const isGiven = lines.every(({ sold, gift }) => gift && productOf(sold).suspendGiven)
  if (isGiven) {
    if (details.state !== 'none')
      await suspendGivenLines(tx, lines, details.state === 'open' ? now : null, now)
  } else if (news === 'open') {
    await takeBackLines(
      tx,
      shop,
      order,
      lines.filter(({ refundedAt }) => refundedAt === null),
      now,
      'open',
    )
  } else if (news === 'won') await restoreOrder(tx, shop, order, order.refundedMinor, 'won')
  const concerned = lines.filter(
    ({ refundedAt }) => refundedAt === null || (order.disputedAt && refundedAt >= order.disputedAt),
  )
  // The refund counts from today, not from the day on which the dispute was opened.
  if (news === 'lost' && !isGiven)
    for (const { id, refundedAt, gift, sold, title } of concerned)
      if (refundedAt) {
        await updateRefunded(tx, id, now)
        // The gift is revoked already. Tell the recipient that it does not come back.
        if (gift) await productOf(sold).takeBackGiven(tx, { orderLineId: id, title, dispute: 'lost' }, now)
      }
  if (news) await mailDispute(tx, order, news, { titles: titlesLeaving(concerned), plan: null, now })
}

async function suspendGivenLines(tx: Db, lines: readonly Line[], at: Date | null, now: Date): Promise<void> {
  for (const { id, title, sold } of lines) {
    const claimer = await productOf(sold).suspendGiven?.(tx, { orderLineId: id, title }, at)
    if (claimer) await publish(tx, claimer, { type: 'membership' }, now)
  }
}

const isMembership = ({ sold }: Line): boolean => sold.kind !== 'title'
