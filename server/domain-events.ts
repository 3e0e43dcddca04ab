import type { BusinessTime } from './clock.ts'
import type { Db } from './db/open.ts'
import type { Shop } from './shop.ts'

/** What features announce to features above them, which they must not import (`event-handlers.ts`). */
export interface DomainEvents {
  /** An order was paid, or needed no payment. Its lines have been delivered, or refused. */
  OrderPaid: {
    readonly orderId: string
    /** Null for a visitor, and if the account was deleted during the payment. */
    readonly userId: string | null
    readonly couponCode: string | null
    readonly cartId: string | null
    readonly cartItemIds: readonly string[]
    readonly taken: 'free' | 'credit' | 'card' | null
    /** True if the titles came from the checkout, false for an invoice of a membership. */
    readonly isCheckout: boolean
    readonly paidAt: BusinessTime
  }
  /** Lines were refunded or are disputed, and what they delivered was taken back. */
  LinesTakenBack: { readonly orderLineIds: readonly string[]; readonly now: BusinessTime }
  /** Less was refunded than recorded, or a dispute was won: the lines were delivered again. */
  LinesRestored: { readonly orderLineIds: readonly string[]; readonly now: BusinessTime }
}

/** A handler runs in the transaction that emits the event: if it throws, nothing has happened. */
type EventHandler<E extends keyof DomainEvents> = (
  tx: Db,
  event: DomainEvents[E],
  shop: Pick<Shop, 'config'>,
) => Promise<unknown>

export type EventHandlers = { readonly [E in keyof DomainEvents]: readonly EventHandler<E>[] }

let handlers: EventHandlers | undefined

export const registerEventHandlers = (table: EventHandlers): void => void (handlers = table)

/** Runs the handlers in the order of the table. @throws without `event-handlers.ts`: an event must never get lost */
export async function emit<E extends keyof DomainEvents>(
  tx: Db,
  shop: Pick<Shop, 'config'>,
  name: E,
  event: DomainEvents[E],
): Promise<void> {
  if (!handlers) throw new Error('No event handlers are registered: import server/event-handlers.ts')
  for (const handle of handlers[name] as readonly EventHandler<E>[]) await handle(tx, event, shop)
}
