import { createHash } from 'node:crypto'
import type { Refusal } from '../../http/http-errors.ts'
import type { Db } from '../../db/open.ts'
import type { Sold } from '../products/kinds.ts'

/** The things bought, priced: all that an order keeps of them. */
export interface Bought {
  /** Of what can be bought. */
  readonly lines: readonly BasketLine[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
  readonly code: { readonly code: string; readonly percent: number | null } | null
}

/** Everything that goes to the checkout. The bag makes one; a plan will, and a card. */
export interface Basket extends Bought {
  /** Why it cannot be bought as it is. */
  readonly refusal: Refusal | null
  /** The typed text is no code that holds. */
  readonly hasUnknownCode: boolean
}

export interface BasketLine {
  readonly sold: Sold
  readonly title: string
  readonly originalMinor: number
  readonly priceMinor: number
  readonly vatPercent: number
  readonly vatMinor: number
  /** By the code. */
  readonly reduced: boolean
  readonly gift: { readonly email: string | null; readonly message: string | null } | null
  /** The item that leaves the bag when this is paid. */
  readonly itemId: string | null
}

export interface Buyer {
  /** Null for a visitor, who says who they are. */
  readonly userId: string | null
  readonly visitor?: { readonly email: string; readonly firstName: string; readonly lastName: string }
  /** Whose VAT is paid. */
  readonly country: string
}

/** The source of a basket. One order waits for each source at a time; being paid empties it. */
export interface BasketSource {
  readonly id: string
  readonly buyer: Buyer
  /** Until the transaction ends nobody else changes it. */
  readonly hold: (tx: Db) => Promise<void>
  /** Its content now. */
  readonly open: (db: Db) => Promise<Basket>
  /**
   * The right its buyer has to waive where it costs something; else that what is taken into a library stays there.
   */
  readonly consent?: { readonly propertyPath: string; readonly words: string }
  /** True if something in it goes to an address that is known. */
  readonly sendsGifts: (db: Db) => Promise<boolean>
}

/** A text that makes two checkouts of a basket the same one: its lines, what they cost, to whom they go. */
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
