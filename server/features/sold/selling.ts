import type { BookCard } from '#contract/catalogue.ts'
import type { OrderItem } from '#contract/orders.ts'
import type { Db } from '../../db/open.ts'
import type { orderLines } from '../../db/schema/orders.ts'
import type { Shop } from '../../shop.ts'
import type { Format, Kind, SoldOf } from './kinds.ts'

type Columns = typeof orderLines.$inferSelect

/** Columns of a line that say what is sold, and those that say what came of it. */
type SubjectColumn = 'bookId' | 'plan' | 'giftDetails'
type ResultColumn = 'entryId' | 'subscriptionId' | 'membershipGiftId'

/** A line as the table has it, with the format of its book. */
export type StoredLine = Pick<Columns, 'kind' | SubjectColumn | ResultColumn> & {
  readonly format: Format | null
}

export interface ForBuyer {
  readonly userId: string
  /** How it came about, for the library. */
  readonly source: 'purchase' | 'free' | 'credit' | 'card'
}

export interface ForOther {
  readonly orderId: string
  readonly orderLineId: string
  /** What it is called. */
  readonly title: string
  /** Without an id for a visitor; without an address where the account was closed. */
  readonly giver: { readonly id: string | null; readonly name: string; readonly email: string }
  readonly email: string
  readonly message: string | null
  readonly paidMinor: number
}

export interface GivenLine {
  readonly orderLineId: string
  readonly title: string
  /** The change of a dispute of its payment; undefined where the money was refunded. */
  readonly dispute?: 'open' | 'won' | 'lost' | undefined
}

/**
 * The outcome of a paid line, or why nothing came of it. There is no third answer: what was refused stays
 * undelivered, and the reconciliation pays its money back.
 */
export type Delivery = { readonly deliveredId: string } | { readonly refused: Refused }

export type Refused =
  /** The buyer has it by now. */
  | 'owned'
  /** The buyer's account was deleted while it was being paid. */
  | 'nobody'
  /** It is sold elsewhere than at the checkout. */
  | 'elsewhere'

/** All that the shop has to know of a kind to sell it. */
export interface Selling<K extends Kind> {
  /** The column that says what came of a line. While it is empty the line is undelivered, and its money due back. */
  readonly deliveredColumn: ResultColumn
  readonly columns: (sold: SoldOf<K>) => Partial<Pick<Columns, SubjectColumn>>
  readonly read: (line: StoredLine) => SoldOf<K>
  /** Brings it to its buyer. */
  readonly deliver: (
    tx: Db,
    shop: Pick<Shop, 'config' | 'clock'>,
    sold: SoldOf<K>,
    to: ForBuyer,
  ) => Promise<Delivery>
  /** Sends it on its way to somebody else. */
  readonly give: (
    tx: Db,
    shop: Pick<Shop, 'config' | 'clock'>,
    sold: SoldOf<K>,
    to: ForOther,
  ) => Promise<Delivery>
  /** True if a visitor can give it. */
  readonly givenWithoutAccount?: true
  /** True if a line that was given notes what it brought. */
  readonly notesGifts?: true
  /** True if the account with this address has it already, so that it is no gift. */
  readonly hasAlready: (tx: Db, sold: SoldOf<K>, email: string) => Promise<boolean>
  /** Takes back what a line brought. */
  readonly takeBack: (tx: Db, deliveredId: string) => Promise<void>
  /** The same of a line that was given; answers the account that had it, which the caller tells. */
  readonly takeBackGiven: (tx: Db, line: GivenLine, now: Date) => Promise<string | undefined>
  /** Delivers again what was taken back, for its money did not go back after all. Without it what is over stays over. */
  readonly restore?: Selling<K>['deliver']
  /** The same of a line that was given; answers the account that has it again. */
  readonly restoreGiven?: Selling<K>['takeBackGiven']
  /** Takes it away while a dispute is open, and gives it back (null). Without it a dispute is money that went back. */
  readonly suspendGiven?: (tx: Db, line: GivenLine, at: Date | null) => Promise<string | undefined>
  /** The books whose cards its view shows. */
  readonly books: (sold: SoldOf<K>) => readonly number[]
  /** Its part of a receipt's line. */
  readonly view: (
    sold: SoldOf<K>,
    deliveredId: string | null,
    cards: ReadonlyMap<number, BookCard>,
  ) => Pick<OrderItem, 'audioBook' | 'eBook' | 'subscription'>
}
