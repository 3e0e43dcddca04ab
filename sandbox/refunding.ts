import type Stripe from 'stripe'
import { invalidRequest } from './errors.ts'
import { refund } from './objects/others.ts'
import type { World } from './world.ts'

interface Wish {
  readonly amount: number | undefined
  readonly reason: Stripe.Refund.Reason | null
  readonly metadata: Record<string, string>
}

/** Pays back a part of a charge, or all that is left of it. */
export function giveBack(world: World, charge: Stripe.Charge, wish: Wish): Stripe.Refund {
  const { store, clock } = world
  const left = charge.amount - charge.amount_refunded
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    })
  if (charge.disputed)
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

  const made = refund(clock.now(), charge, amount, wish.reason, wish.metadata)
  const refunded = charge.amount_refunded + amount
  const after: Stripe.Charge = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount }
  store.put('refund', made)
  store.put('charge', after)
  world.emit('refund.created', made)
  world.emit('charge.refunded', after, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
  return made
}
