import type { refunds } from '../../db/schema/orders.ts'
import type { StateMachine } from '../../db/state-machine.ts'

/** A refused or failed refund is requested again. No refund becomes `asked` again, so none is sent twice. */
export const REFUND_STATES: StateMachine<(typeof refunds.$inferSelect)['state']> = {
  table: 'refunds',
  column: 'state',
  next: {
    asked: ['sent', 'done', 'refused', 'failed'],
    /** `refused` if the shop got the keys of another account meanwhile. */
    sent: ['done', 'refused', 'failed'],
    refused: ['sent', 'done', 'failed'],
    failed: ['sent', 'done', 'refused'],
    /** The bank may return the money later. `sent` if the provider lists a refund late that a crashed server made. */
    done: ['sent', 'failed'],
  },
}
