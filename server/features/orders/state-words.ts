import { formatPounds } from '../../format.ts'
import type { orders } from '../../db/schema/orders.ts'

type Stated = Pick<
  typeof orders.$inferSelect,
  'state' | 'taken' | 'totalMinor' | 'refundedMinor' | 'disputedAt'
>

/** The state of an order for the shop's owner: "paid", "£4.00 paid back", "awaiting payment". */
export function stateWords({ state, taken, totalMinor, refundedMinor, disputedAt }: Stated): string {
  if (disputedAt) return 'disputed at the bank'
  if (state !== 'paid') return state.replace('_', ' ')
  if (taken) return TAKEN[taken]
  if (refundedMinor === 0) return 'paid'
  return refundedMinor === totalMinor ? 'paid back' : `${formatPounds(refundedMinor)} paid back`
}

const TAKEN = { free: 'free title', credit: 'with a free audiobook', card: 'with a card' } as const
