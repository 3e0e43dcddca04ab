import type { VatRates } from '../../settings/owners-terms.ts'
import { vatPercentOf } from '../prices/vat.ts'
import type { Sold } from '../products/product.ts'
import type { Bought } from './basket.ts'

/** A basket with one line that costs nothing, because something other than money pays for it. */
export const basketOfNothing = (sold: Sold, title: string, rates: VatRates): Bought => ({
  lines: [
    {
      sold,
      title,
      originalMinor: 0,
      priceMinor: 0,
      vatPercent: vatPercentOf(sold, rates),
      vatMinor: 0,
      reduced: false,
      gift: null,
      itemId: null,
    },
  ],
  totalMinor: 0,
  vatMinor: 0,
  beforeMinor: 0,
  code: null,
})
