import { createHash } from 'node:crypto'
import type { Refusal } from '../../http/http-errors.ts'
import type { Db } from '../../db/open.ts'
import type { Sold } from '../products/product.ts'
import type { VatRates } from '../../settings/owners-terms.ts'
import { vatIn, vatPercentOf } from '../prices/vat.ts'
import type { OrderSource } from './queries.ts'

export interface Bought {
  readonly lines: readonly BasketLine[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
  readonly code: { readonly code: string; readonly percent: number | null } | null
}

/** Made from a bag (`bag/checkout-basket.ts`) or a membership gift (`checkout/gift-checkout.ts`). */
export interface Basket extends Bought {
  readonly refusal: Refusal | null
  readonly hasUnknownCode: boolean
}

export interface BasketLine {
  readonly sold: Sold
  readonly title: string
  readonly originalMinor: number
  readonly priceMinor: number
  readonly vatPercent: number
  readonly vatMinor: number
  readonly reduced: boolean
  readonly gift: { readonly email: string | null; readonly message: string | null } | null
  /** The item that leaves the bag once this line is paid. */
  readonly itemId: string | null
}

export interface Buyer {
  readonly userId: string | null
  readonly visitor?: { readonly email: string; readonly firstName: string; readonly lastName: string }
  /** Decides the VAT rates. */
  readonly country: string
}

/** The source of a basket. Paying its order empties it. */
export interface BasketSource extends OrderSource {
  readonly buyer: Buyer
  readonly hold: (tx: Db) => Promise<void>
  readonly open: (db: Db) => Promise<Basket>
  /** The consent that the buyer must give if it costs anything; by default, to waive the right to cancel. */
  readonly consent?: { readonly propertyPath: string; readonly words: string }
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

interface OneLine extends Pick<BasketLine, 'sold' | 'title' | 'originalMinor' | 'priceMinor' | 'vatPercent'> {
  readonly code?: Bought['code']
  readonly gift?: BasketLine['gift']
}

/** A basket with one line. It is reduced if there is a code. */
export function oneLineBasket({ code = null, gift = null, ...line }: OneLine): Bought {
  const { priceMinor, originalMinor, vatPercent } = line
  const vatMinor = vatIn(priceMinor, vatPercent)
  return {
    lines: [{ ...line, gift, vatMinor, reduced: code !== null, itemId: null }],
    totalMinor: priceMinor,
    vatMinor,
    beforeMinor: originalMinor,
    code,
  }
}

/** Something other than money pays for it. */
export const freeBasket = (sold: Sold, title: string, rates: VatRates): Bought =>
  oneLineBasket({ sold, title, originalMinor: 0, priceMinor: 0, vatPercent: vatPercentOf(sold, rates) })
