import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import type { Kind, SoldOf } from './kinds.ts'

export interface ForBuyer {
  readonly userId: string
  /** How the title came into the library. */
  readonly source: 'purchase' | 'free' | 'credit' | 'card'
}

export interface ForOther {
  readonly orderId: string
  readonly orderLineId: string
  /** The title of the order line. */
  readonly title: string
  /** Without an id for a visitor; without an address if the account was closed. */
  readonly giver: { readonly id: string | null; readonly name: string; readonly email: string }
  readonly email: string
  readonly message: string | null
  readonly paidMinor: number
}

export interface GivenLine {
  readonly orderLineId: string
  readonly title: string
  /** The change of a dispute of its payment; undefined if the money was refunded. */
  readonly dispute?: 'open' | 'won' | 'lost' | undefined
}

/**
 * The id of what was delivered for a paid line, or why nothing was. A refused line stays undelivered, and the
 * reconciliation refunds it.
 */
export type Delivery = { readonly deliveredId: string } | { readonly refused: Refused }

export type Refused =
  /** The buyer has the title already. */
  | 'owned'
  /** The buyer's account was deleted during the payment. */
  | 'nobody'
  /** The checkout does not sell it. */
  | 'elsewhere'

/** How a kind of product is delivered, given, taken back and restored. Orders know products only by this interface. */
export interface Product<K extends Kind> {
  readonly deliver: (
    tx: Db,
    shop: Pick<Shop, 'config' | 'clock'>,
    sold: SoldOf<K>,
    to: ForBuyer,
  ) => Promise<Delivery>
  readonly give: (
    tx: Db,
    shop: Pick<Shop, 'config' | 'clock'>,
    sold: SoldOf<K>,
    to: ForOther,
  ) => Promise<Delivery>
  readonly givenWithoutAccount?: true
  /** True if the account with this address has it already, so that it cannot be given. */
  readonly hasAlready: (tx: Db, sold: SoldOf<K>, email: string) => Promise<boolean>
  readonly takeBack: (tx: Db, deliveredId: string) => Promise<void>
  /** Revokes a gift. Returns the account that had it, which the caller notifies. */
  readonly takeBackGiven: (tx: Db, line: GivenLine, now: Date) => Promise<string | undefined>
  /** Delivers again after a refund failed or a dispute was won. Undefined if what ended stays ended. */
  readonly restore?: Product<K>['deliver']
  /** Restores a gift. Returns the account that has it again. */
  readonly restoreGiven?: Product<K>['takeBackGiven']
  /** Suspends a gift during a dispute, or ends the suspension (null). Undefined if a dispute counts as a refund. */
  readonly suspendGiven?: (tx: Db, line: GivenLine, at: Date | null) => Promise<string | undefined>
}

export type Products = { readonly [K in Kind]: Product<K> }

let products: Products | undefined

/** Called once, by `event-handlers.ts`. */
export const registerProducts = (table: Products): void => void (products = table)

/** @throws if the program did not import `event-handlers.ts`. */
export function productOf<K extends Kind>({ kind }: { readonly kind: K }): Product<K> {
  if (!products) throw new Error('No products are registered: import server/event-handlers.ts')
  return products[kind]
}
