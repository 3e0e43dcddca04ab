import { DateTime } from 'luxon'
import type { BusinessTime } from '../../clock.ts'
import type { Config } from '../../settings/config.ts'
import { USUAL_VAT, type VatRates } from '../../settings/owners-terms.ts'
import type { Format, Kind, Sold } from '../products/product.ts'

/**
 * The rates for a buyer's country on the date in the shop's time zone. An order keeps the rates that it was created
 * with.
 */
export const ratesAt = (
  { details, shopZone }: Pick<Config, 'details' | 'shopZone'>,
  country: string,
  at: BusinessTime,
): VatRates => details.terms.vatOn(country, DateTime.fromJSDate(at, { zone: shopZone }).toISODate() ?? '')

const RATE_OF = {
  audio_book: 'audiobook',
  e_book: 'ebook',
  membership: 'membership',
  membership_gift: 'membership',
} as const satisfies Record<Format | Exclude<Kind, 'title'>, keyof VatRates>

/** In percent, included in the price (docs/product.md, Money). */
export const vatPercentOf = (sold: Sold, rates: VatRates = USUAL_VAT): number =>
  rates[RATE_OF[sold.kind === 'title' ? sold.format : sold.kind]]

/** The VAT included in a price, rounded half up. */
export const vatIn = (priceMinor: number, percent: number): number =>
  Math.floor((2 * priceMinor * percent + 100 + percent) / (2 * (100 + percent)))
