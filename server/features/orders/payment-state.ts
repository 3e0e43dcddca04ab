import type { payments } from '../../db/schema/orders.ts'
import type { StateMachine } from '../../db/state-machine.ts'

/**
 * The payment of an order: `created` at the provider, then paid. Free orders and invoices are paid without one. The
 * database derives the state from the intent and the payment method.
 */
export const PAYMENT_STATES: StateMachine<(typeof payments.$inferSelect)['state']> = {
  table: 'payments',
  column: 'state',
  next: {
    waiting: ['created', 'paid'],
    created: ['paid'],
    paid: [],
  },
}
