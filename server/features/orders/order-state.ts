import type { orders } from '../../db/schema/orders.ts'
import type { StateMachine } from '../../db/state-machine.ts'

/** An abandoned order becomes paid if its payment succeeds after all. Refunds and disputes leave it paid. */
export const ORDER_STATES: StateMachine<(typeof orders.$inferSelect)['state']> = {
  table: 'orders',
  column: 'state',
  next: {
    awaiting_payment: ['paid', 'abandoned'],
    abandoned: ['paid'],
    paid: [],
  },
}
