import type { WholeOrder } from '#contract/office/orders.ts'
import { selectEntries } from '../../db/logbook-queries.ts'
import { formatPounds } from '../../format.ts'
import { notFound } from '../../http/http-errors.ts'
import { selectMailsAbout } from '../../integrations/mail/queries.ts'
import { mailOfRefund, type RefundPlan } from '../../features/checkout/refund-order-lines.ts'
import { selectMembershipGiftsOfLines, selectTitleGiftsOfLines } from '../../features/gifts/queries.ts'
import { selectPaymentAttempts, selectUndecidedOf } from '../../features/orders/queries.ts'
import { refundMail } from '../../features/orders/refunds-and-disputes.ts'
import { orderNumbered } from '../../features/orders/service.ts'
import { fits } from '../../features/orders/undecided-refunds.ts'
import { readableMail } from '../../features/mails/repeat.ts'
import { selectRefundsOfOrder, sumOwed } from '../../features/refunds/queries.ts'
import type { Shop } from '../../shop.ts'
import { type OfficeOrder, selectOfficeOrder } from './queries.ts'

export const listedOrder = ({ id: _id, value: _value, at, paidWith, ...order }: OfficeOrder) => ({
  ...order,
  at: at.toISOString(),
  paidWith: paidWith || null,
})

/** @throws 404 */
export async function wholeOfficeOrder(shop: Shop, number: string): Promise<WholeOrder> {
  const listed = await selectOfficeOrder(shop.db, number)
  if (!listed) throw notFound()
  const { order, lines, payment } = await orderNumbered(shop.db, number)
  const lineIds = lines.map(({ id }) => id)
  const gifts = [
    ...(await selectTitleGiftsOfLines(shop.db, lineIds)),
    ...(await selectMembershipGiftsOfLines(shop.db, lineIds)),
  ]
  const [attempts, refunds, undecided, mails, entries, owed] = await Promise.all([
    selectPaymentAttempts(shop.db, order.id),
    selectRefundsOfOrder(shop.db, order.id),
    selectUndecidedOf(shop.db, order.id),
    selectMailsAbout(shop.db, [order.id, ...gifts.map(({ id }) => id)]),
    selectEntries(shop.db, { about: `order ${order.number}` }, 100),
    sumOwed(shop.db, [order.id]),
  ])
  const timeline: WholeOrder['timeline'] = [
    happened(order.createdAt, 'order', 'Order made'),
    ...(order.paidAt ? [happened(order.paidAt, 'order', `Paid ${formatPounds(order.totalMinor)}`)] : []),
    ...(order.disputedAt
      ? [happened(order.disputedAt, 'payment', 'The buyer asked their bank for the money', { isBad: true })]
      : []),
    ...attempts
      .filter(({ outcome }) => outcome !== 'paid')
      .map(({ triedAt, outcome, reason }) =>
        happened(triedAt, 'payment', ATTEMPTS[outcome], { detail: reason, isBad: true }),
      ),
    ...refunds.map(({ createdAt, amountMinor, state, problem }) => {
      const sum = formatPounds(amountMinor)
      const isBad = state === 'refused' || state === 'failed'
      const what = isBad
        ? `The provider refused to send ${sum} back`
        : state === 'done'
          ? `${sum} went back`
          : `${sum} is on its way back`
      return happened(createdAt, 'refund', what, { detail: problem, isBad })
    }),
    ...undecided.map(({ foundAt, amountMinor }) =>
      happened(foundAt, 'refund', `${formatPounds(amountMinor)} went back at the provider`, {
        detail: 'Say for which line.',
        isBad: true,
      }),
    ),
    ...mails.map(({ queuedAt, kind, sentAt, failedAt }) =>
      happened(queuedAt, 'email', `Email: ${kind.replaceAll('_', ' ')}`, {
        detail: sentAt ? 'sent' : failedAt ? 'given up' : 'waiting',
        isBad: failedAt !== null && sentAt === null,
      }),
    ),
    ...entries.map(({ at, by, what, because, outcome }) =>
      happened(at, 'staff', `${by}: ${what}`, {
        detail: because && `“${because}”`,
        isBad: outcome === 'failed',
      }),
    ),
  ]
  return {
    ...listedOrder(listed),
    vatMinor: order.vatMinor,
    leftMinor: order.totalMinor - order.refundedMinor - (owed.get(order.id) ?? 0),
    isPaid: order.state === 'paid',
    paymentId: payment?.intentId ?? null,
    isAccountClosed: order.buyerEmail === '',
    lines: lines.map((line, index) => {
      const gift = gifts.find(({ orderLineId }) => orderLineId === line.id)
      return {
        place: index + 1,
        title: line.title,
        priceMinor: line.priceMinor,
        vatPercent: line.vatPercent,
        giftFor: line.giftEmail === null ? null : (gift?.email ?? line.giftEmail),
        giftBecame: gift?.claimedAt ? 'opened' : gift?.takenBackAt ? 'taken back by its giver' : null,
        refundedAt: line.refundedAt?.toISOString() ?? null,
      }
    }),
    undecided: undecided.map(({ amountMinor, foundAt, ...refund }) => ({
      amountMinor,
      foundAt: foundAt.toISOString(),
      choices: lines.flatMap((line, index) =>
        fits(line, { ...refund, amountMinor, foundAt })
          ? [
              {
                place: index + 1,
                title: line.title,
                does: leaving(line),
                email:
                  order.buyerEmail === ''
                    ? null
                    : readableMail(refundMail(order, [line], amountMinor), shop.config),
              },
            ]
          : [],
      ),
    })),
    timeline: timeline.toSorted((a, b) => a.at.localeCompare(b.at)),
  }
}

const ATTEMPTS = {
  paid: 'Paid',
  refused: 'The payment was refused',
  unanswered: 'The provider did not answer',
  misfit: 'The amount paid is not the order’s',
} as const

const happened = (
  at: Date,
  kind: WholeOrder['timeline'][number]['kind'],
  what: string,
  { detail = null, isBad = false }: { readonly detail?: string | null; readonly isBad?: boolean } = {},
) => ({ at: at.toISOString(), kind, what, detail: detail || null, isBad })

/** One sentence about each line of a refund. */
export const refundSentences = ({ order, paid, unpaid, keepsLines }: RefundPlan): string[] => [
  ...paid.map(
    (line) =>
      `${line.title}, ${formatPounds(line.priceMinor)}: ${keepsLines ? 'the buyer keeps it.' : leaving(line)}`,
  ),
  ...unpaid.map((line) => `${line.title} cost no money: ${leaving(line)}`),
  ...(unpaid.length > 0 && order.couponCode
    ? [`The use of ${order.couponCode} is free again once all of the order went back.`]
    : []),
]

function leaving({ sold, gift, deliveredId }: RefundPlan['paid'][number]): string {
  if (sold.kind === 'membership') return 'the membership ends if all of its money goes back.'
  if (gift) return 'the gift opens nothing any more, and leaves whoever opened it.'
  return deliveredId === null ? 'it is in no library by this order.' : 'it leaves their library.'
}

/** What the buyer will read, without the footer that all emails share; null if no email is sent. */
export function refundEmail({ config }: Shop, plan: RefundPlan) {
  const mail = mailOfRefund(plan, config.details.plans)
  return mail && readableMail(mail, config)
}
