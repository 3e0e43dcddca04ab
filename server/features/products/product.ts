import type { BusinessTime } from '../../clock.ts'
import { type PlanId, PLANS } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import type { orderLines } from '../../db/schema/orders.ts'

interface GiftDetails {
  readonly firstName: string | null
  /** `2026-12-25`; null for at once. */
  readonly day: string | null
  readonly zone: string
  readonly christmas: boolean
}

/** The kinds of products. What depends on the kind: behaviour in `Product`, storage in `LINE_COLUMNS`. */
export type Sold =
  | { readonly kind: 'title'; readonly bookId: number; readonly format: Format }
  | { readonly kind: 'membership'; readonly plan: number }
  | ({ readonly kind: 'membership_gift'; readonly plan: PlanId } & GiftDetails)

export type Format = 'audio_book' | 'e_book'
export type Kind = Sold['kind']
export type SoldOf<K extends Kind> = Extract<Sold, { readonly kind: K }>

export interface ForBuyer {
  readonly userId: string
  readonly source: 'purchase' | 'free' | 'credit' | 'card'
}

interface ForOther {
  readonly orderId: string
  readonly orderLineId: string
  readonly title: string
  /** Without an id for a visitor; without an address if the account was closed. */
  readonly giver: { readonly id: string | null; readonly name: string; readonly email: string }
  readonly email: string
  readonly message: string | null
  /** For a title; a membership's day is in `GiftDetails`. */
  readonly giftDay: string | null
  readonly giftZone: string | null
  readonly paidMinor: number
}

interface GivenLine {
  readonly orderLineId: string
  readonly title: string
  /** The change of a dispute of its payment; undefined if the money was refunded. */
  readonly dispute?: 'open' | 'won' | 'lost' | undefined
}

/** A refused line stays undelivered, and the reconciliation refunds it. */
export type Delivery = { readonly deliveredId: string } | { readonly refused: Refused }

export type Refused = 'owned' | 'nobody' | 'elsewhere'

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
  readonly hasAlready: (tx: Db, sold: SoldOf<K>, email: string) => Promise<boolean>
  readonly takeBack: (tx: Db, deliveredId: string) => Promise<void>
  readonly takeBackGiven: (tx: Db, line: GivenLine, now: BusinessTime) => Promise<string | undefined>
  /** Delivers again after a refund failed or a dispute was won. Undefined if what ended stays ended. */
  readonly restore?: Product<K>['deliver']
  readonly restoreGiven?: Product<K>['takeBackGiven']
  /** Suspends a gift during a dispute, or ends the suspension (null). Undefined if a dispute counts as a refund. */
  readonly suspendGiven?: (tx: Db, line: GivenLine, at: Date | null) => Promise<string | undefined>
}

type Products = { readonly [K in Kind]: Product<K> }

let products: Products | undefined

export const registerProducts = (table: Products): void => void (products = table)

export function productOf<K extends Kind>({ kind }: { readonly kind: K }): Product<K> {
  if (!products) throw new Error('No products are registered: import server/event-handlers.ts')
  return products[kind]
}

type Columns = typeof orderLines.$inferSelect

type SubjectColumn = 'bookId' | 'plan' | 'giftDetails'
type ResultColumn = 'entryId' | 'subscriptionId' | 'membershipGiftId'

export type StoredLine = Pick<Columns, 'kind' | SubjectColumn | ResultColumn> & {
  readonly format: Format | null
}

interface LineColumns<K extends Kind> {
  /** Refers to what was delivered. While it is null the line is undelivered, and its price has to be refunded. */
  readonly deliveredColumn: ResultColumn
  /** True if `deliveredColumn` is set for gifts, too. Otherwise the gift refers to its line. */
  readonly storesGifts: boolean
  readonly write: (sold: SoldOf<K>) => Partial<Pick<Columns, SubjectColumn>>
  readonly read: (line: StoredLine) => SoldOf<K>
}

/** `read` relies on the table's check constraints: they refuse a line without what its kind needs. */
const LINE_COLUMNS: { readonly [K in Kind]: LineColumns<K> } = {
  title: {
    deliveredColumn: 'entryId',
    storesGifts: false,
    write: ({ bookId }) => ({ bookId }),
    read: ({ bookId, format }) => ({ kind: 'title', bookId: bookId!, format: format! }),
  },
  membership: {
    deliveredColumn: 'subscriptionId',
    storesGifts: false,
    write: ({ plan }) => ({ plan }),
    read: ({ plan }) => ({ kind: 'membership', plan: plan! }),
  },
  membership_gift: {
    deliveredColumn: 'membershipGiftId',
    storesGifts: true,
    write: ({ plan, firstName, day, zone, christmas }) => ({
      plan,
      giftDetails: { firstName, day, zone, christmas },
    }),
    read: ({ plan, giftDetails }) => ({
      kind: 'membership_gift',
      plan: Object.values(PLANS).find(({ id }) => id === plan)!.id,
      ...giftDetails!,
    }),
  },
}

export const lineColumns = <K extends Kind>({ kind }: { readonly kind: K }): LineColumns<K> =>
  LINE_COLUMNS[kind]

export const DELIVERED_COLUMNS = Object.entries(LINE_COLUMNS).map(([kind, { deliveredColumn }]) => ({
  kind,
  deliveredColumn,
}))
