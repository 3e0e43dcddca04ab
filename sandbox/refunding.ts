import type Stripe from 'stripe'
import { invalidRequest } from './errors.ts'
import { idOf } from './objects/id.ts'
import { refund } from './objects/others.ts'
import { newId, type World } from './world.ts'

interface Wish {
  readonly amount: number | undefined
  readonly reason: Stripe.Refund.Reason | null
  readonly metadata: Record<string, string>
}

export const REFUND_ANSWERS = ['succeeded', 'pending', 'balance_insufficient'] as const
export interface RefundAnswer {
  readonly id: 'refunds'
  readonly answer: (typeof REFUND_ANSWERS)[number]
}

/** Refunds part of a charge, or the rest of it. A pending refund counts as refunded until it fails. */
export function giveBack(world: World, charge: Stripe.Charge, wish: Wish): Stripe.Refund {
  const { store, clock } = world
  const left = charge.amount - charge.amount_refunded
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    })
  const disputes = store.where<Stripe.Dispute>('dispute', { charge: charge.id })
  if (disputes.some(({ is_charge_refundable: isRefundable }) => !isRefundable))
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    })
  const amount = wish.amount ?? left
  if (amount < 1 || amount > left)
    throw invalidRequest(
      `Refund amount (£${(amount / 100).toFixed(2)}) is greater than unrefunded amount on charge (£${(left / 100).toFixed(2)})`,
      { param: 'amount' },
    )

  const { answer } = store.get<RefundAnswer>('setting', 'refunds') ?? { answer: 'succeeded' }
  if (answer === 'balance_insufficient')
    throw invalidRequest('Insufficient funds in your Stripe balance to refund this amount.', {
      code: 'balance_insufficient',
    })

  const asked = refund(clock.now(), charge, amount, wish.reason, wish.metadata)
  const made: Stripe.Refund =
    answer === 'pending' ? { ...asked, status: 'pending', pending_reason: 'processing' } : asked
  const refunded = charge.amount_refunded + amount
  const after: Stripe.Charge = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount }
  store.put('refund', made)
  store.put('charge', after)
  world.emit('refund.created', made)
  world.emit('charge.refunded', after, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
  return made
}

/** Sets the bank's final answer. A refund that had succeeded can still fail; its money is then on the charge again. */
export function endRefund(
  world: World,
  before: Stripe.Refund,
  status: 'succeeded' | 'failed',
  reason: string,
): Stripe.Refund {
  const { store, emit } = world
  if (before.status !== 'pending' && (before.status !== 'succeeded' || status === 'succeeded'))
    throw invalidRequest(`This refund is ${before.status} already.`)
  const { pending_reason: _, ...rest } = before
  const after: Stripe.Refund =
    status === 'succeeded'
      ? { ...rest, status }
      : { ...rest, status, failure_reason: reason, failure_balance_transaction: newId('txn') }
  store.put('refund', after)
  if (status === 'failed') {
    const charge = store.get<Stripe.Charge>('charge', idOf(before.charge))!
    store.put('charge', {
      ...charge,
      amount_refunded: charge.amount_refunded - before.amount,
      refunded: false,
    })
    emit('refund.failed', after)
  }
  emit('refund.updated', after, { status: before.status })
  emit('charge.refund.updated', after, { status: before.status })
  return after
}
