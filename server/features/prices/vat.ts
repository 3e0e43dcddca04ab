import type { Format, Kind, Sold } from '../sold/kinds.ts'

/** In percent, included in the price: audiobooks and memberships carry VAT, e-books do not (docs/product.md, Money). */
const VAT = { audio_book: 20, e_book: 0, membership: 20, membership_gift: 20 } satisfies Record<
  Format | Exclude<Kind, 'title'>,
  number
>

export const vatPercentOf = (sold: Sold): number => VAT[sold.kind === 'title' ? sold.format : sold.kind]

/** The VAT included in a price, rounded half up. */
export const vatIn = (priceMinor: number, percent: number): number =>
  Math.floor((2 * priceMinor * percent + 100 + percent) / (2 * (100 + percent)))
