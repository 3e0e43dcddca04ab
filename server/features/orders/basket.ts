import { createHash } from 'node:crypto'
import type { Refusal } from '../../http/http-errors.ts'
import type { Db } from '../../db/open.ts'
import type { Sold } from '../products/product.ts'
import type { OrderSource } from './queries.ts'

export interface Bought {
  /** Only the lines that can be bought. */
  readonly lines: readonly BasketLine[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
  readonly code: { readonly code: string; readonly percent: number | null } | null
}

/**
 * What the checkout needs to create an order: made from a bag (`bag/checkout-basket.ts`) or a membership gift
 * (`checkout/gift-checkout.ts`).
 */
export interface Basket extends Bought {
  /** Why the basket cannot be bought as it is; null if it can. */
  readonly refusal: Refusal | null
  /** The typed discount code does not exist or cannot be used. */
  readonly hasUnknownCode: boolean
}

export interface BasketLine {
  readonly sold: Sold
  readonly title: string
  readonly originalMinor: number
  readonly priceMinor: number
  readonly vatPercent: number
  readonly vatMinor: number
  /** The discount code applies to this line. */
  readonly reduced: boolean
  readonly gift: { readonly email: string | null; readonly message: string | null } | null
  /** The item that leaves the bag once this line is paid. */
  readonly itemId: string | null
}

export interface Buyer {
  /** Null for a visitor, whose details are in `visitor`. */
  readonly userId: string | null
  readonly visitor?: { readonly email: string; readonly firstName: string; readonly lastName: string }
  /** Decides the VAT rates. */
  readonly country: string
}

/** The source of a basket. Paying its order empties it. */
export interface BasketSource extends OrderSource {
  readonly buyer: Buyer
  /** Locks the source until the transaction ends. */
  readonly hold: (tx: Db) => Promise<void>
  readonly open: (db: Db) => Promise<Basket>
  /**
   * The consent that the buyer must give if the basket costs anything. By default the buyer waives the right to cancel
   * titles that are added to the library.
   */
  readonly consent?: { readonly propertyPath: string; readonly words: string }
  /** True if a title in it is a gift to an email address. */
  readonly sendsGifts: (db: Db) => Promise<boolean>
}

/** A hash of the lines, prices, recipients and code: equal for two checkouts of an unchanged basket. */
export function fingerprintOf({ code, lines }: Bought): string {
  const parts = lines.map(({ itemId, sold, originalMinor, priceMinor, gift }) => [
    itemId,
    sold,
    originalMinor,
    priceMinor,
    gift && [gift.email, gift.message],
  ])
  return createHash('sha256')
    .update(JSON.stringify([code?.code ?? null, parts]))
    .digest('base64url')
}
