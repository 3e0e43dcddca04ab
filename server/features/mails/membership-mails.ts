import { type Plans, givenInWords, type PlanId, planInWords } from '#contract/plans.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { DataOf, MailKind } from '../../integrations/mail/kinds.ts'
import type { Shop } from '../../shop.ts'
import { HIDDEN } from '../../integrations/mail/queue.ts'
import { giftTimes } from '../gifts/membership-gifts.ts'
import { selectInvoice } from '../membership/billing-queries.ts'
import { firstCharge, sumBack } from '../membership/service.ts'
import { coversForMember } from '../membership/month-emails.ts'
import { daysAfter } from '../membership/months.ts'
import { hasFailedPayment } from '../membership/failed-payments.ts'
import { type SubscriptionRow, selectMember, selectAnySubscription } from '../membership/queries.ts'
import { WITHDRAW_DAYS } from '../membership/withdrawal-amounts.ts'
import { wholeOrder } from '../orders/service.ts'
import { receiptOfStatement } from '../withdrawals/service.ts'
import { selectMembershipGift } from '../gifts/queries.ts'

export interface Remade {
  readonly to: string
  readonly kind: MailKind
  readonly data: object
  readonly send?: (tx: Transaction, shop: Shop) => Promise<boolean>
}

export type MakeAgain = (db: Db, id: string, more: readonly string[], plans: Plans) => Promise<Remade | null>

export const renderedMail = <const Kind extends MailKind>(
  to: string,
  kind: Kind,
  data: DataOf<Kind>,
): Remade => ({
  to,
  kind,
  data,
})

/** The next payment is the current one, not the one that the original email named. */
export const OF_MEMBERSHIPS: Readonly<Record<string, MakeAgain>> = {
  async membership_started(db, id, _more, plans) {
    const [found, first] = await Promise.all([ofMembership(db, id), firstCharge(db, id)])
    const charge = first && (await ofCharge(db, plans, first.orderId))
    if (!found || !charge) return null
    return renderedMail(found.to, 'membership_started', {
      firstName: found.firstName,
      plan: planInWords(charge.plan),
      amountMinor: charge.order.totalMinor,
      next: nextOf(found.row),
      validUntil: first.until.toISOString(),
      creditsPerMonth: charge.plan.creditsPerMonth,
      path: charge.path,
      withdrawUntil: daysAfter(charge.order.paidAt ?? first.from, WITHDRAW_DAYS).toISOString(),
    })
  },
  async membership_renewed(db, invoiceId, _more, plans) {
    const paid = await selectInvoice(db, invoiceId)
    if (!paid) return null
    const [found, charge] = await Promise.all([
      ofMembership(db, paid.subscriptionId),
      ofCharge(db, plans, paid.orderId),
    ])
    if (!found || !charge) return null
    return renderedMail(found.to, 'membership_renewed', {
      firstName: found.firstName,
      plan: planInWords(charge.plan),
      amountMinor: charge.order.totalMinor,
      vatMinor: charge.order.vatMinor,
      validUntil: paid.periodEnd.toISOString(),
      creditsPerMonth: charge.plan.creditsPerMonth,
      next: nextOf(found.row),
      orderNumber: charge.order.number,
      path: charge.path,
      covers: await coversForMember(db, found.row.userId!, found),
    })
  },
  async membership_refunded(db, orderId, [backMinor], plans) {
    const charge = await ofCharge(db, plans, orderId)
    const found = charge?.subscriptionId ? await ofMembership(db, charge.subscriptionId) : null
    if (!charge || !found) return null
    return renderedMail(found.to, 'membership_refunded', {
      firstName: found.firstName,
      plan: planInWords(charge.plan),
      amountMinor: Number(backMinor),
      orderNumber: charge.order.number,
      ended: Number(backMinor) >= charge.order.totalMinor,
    })
  },
  async withdrawal_received(db, id, _more, plans) {
    const found = await ofMembership(db, id)
    if (!found?.row.withdrawnAt) {
      const receipt = await receiptOfStatement(db, id)
      return receipt ? renderedMail(receipt.email, 'withdrawal_received', receipt) : null
    }
    return renderedMail(found.to, 'withdrawal_received', {
      name: found.name,
      contract: `Your membership (${planInWords(plans[found.row.plan])})`,
      scope: null,
      email: found.to,
      statedAt: found.row.withdrawnAt.toISOString(),
    })
  },
  async membership_withdrawn(db, id, _more, plans) {
    const found = await ofMembership(db, id)
    if (!found?.row.withdrawnAt) return null
    return renderedMail(found.to, 'membership_withdrawn', {
      ...namesOf(found, plans),
      amountMinor: await sumBack(db, id),
      withdrawnAt: found.row.withdrawnAt.toISOString(),
    })
  },
  async membership_ended(db, id, _more, plans) {
    const found = await ofMembership(db, id)
    return (
      found &&
      renderedMail(found.to, 'membership_ended', {
        ...namesOf(found, plans),
        unpaid: found.row.paymentFailedAt !== null,
      })
    )
  },
  async membership_ending(db, id, _more, plans) {
    const found = await ofMembership(db, id)
    return (
      found &&
      renderedMail(found.to, 'membership_ending', {
        ...namesOf(found, plans),
        validUntil: found.row.validUntil.toISOString(),
      })
    )
  },
  async membership_cancelled(db, id, _more, plans) {
    const found = await ofMembership(db, id)
    return (
      found &&
      renderedMail(found.to, 'membership_cancelled', {
        ...namesOf(found, plans),
        validUntil: found.row.validUntil.toISOString(),
        trial: found.row.status === 'trialing',
      })
    )
  },
  async gift_membership_given(db, id, _more, plans) {
    const gift = await selectMembershipGift(db, id)
    if (!gift?.giverEmail) return null
    return renderedMail(gift.giverEmail, 'gift_membership_given', {
      ...giverOf(gift, plans),
      email: gift.email,
      arrivesAt: gift.day === null ? null : gift.deliverAt.toISOString(),
      zone: gift.zone,
      ...giftTimes(gift),
      giverToken: HIDDEN,
    })
  },
  async gift_membership_opened(db, id, _more, plans) {
    const gift = await selectMembershipGift(db, id)
    return gift?.giverEmail && gift.claimedAt
      ? renderedMail(gift.giverEmail, 'gift_membership_opened', giverOf(gift, plans))
      : null
  },
  async gift_membership_thanks(db, id, _more, plans) {
    const gift = await selectMembershipGift(db, id)
    return gift?.giverEmail && gift.thanks
      ? renderedMail(gift.giverEmail, 'gift_membership_thanks', {
          ...giverOf(gift, plans),
          message: gift.thanks,
        })
      : null
  },
}

interface Membership {
  readonly row: SubscriptionRow
  readonly to: string
  readonly firstName: string
  readonly choiceEmails: boolean
  readonly name: string
}

async function ofMembership(db: Db, id: string): Promise<Membership | null> {
  const row = await selectAnySubscription(db, id)
  const person = row?.userId ? await selectMember(db, row.userId) : undefined
  if (!row || !person) return null
  const { email: to, firstName, lastName, choiceEmails } = person
  return { row, to, firstName, choiceEmails, name: `${firstName} ${lastName}`.trim() }
}

const namesOf = ({ row, firstName }: Membership, plans: Plans) => ({
  firstName,
  plan: planInWords(plans[row.plan]),
})

async function ofCharge(db: Db, plans: Plans, orderId: string) {
  const whole = await wholeOrder(db, orderId)
  if (!whole) return null
  const { order, lines } = whole
  for (const { sold, deliveredId } of lines)
    if (sold.kind === 'membership' && isPlan(plans, sold.plan))
      return { order, plan: plans[sold.plan], subscriptionId: deliveredId, path: `/orders/${order.id}` }
  return null
}

const nextOf = (row: SubscriptionRow) =>
  row.nextMinor === null || row.canceledAt !== null || row.endedAt !== null || hasFailedPayment(row)
    ? null
    : { at: row.validUntil.toISOString(), amountMinor: row.nextMinor }

const isPlan = (plans: Plans, id: number): id is PlanId => Object.hasOwn(plans, id)

const giverOf = (
  gift: { giverName: string; plan: PlanId; firstName: string | null; email: string },
  plans: Plans,
) => ({
  giverName: gift.giverName,
  plan: givenInWords(plans[gift.plan]),
  recipient: gift.firstName ?? gift.email,
})
