import { resolve } from 'node:path'
import { reading } from './run-command.ts'
import type { BatchRequest } from '../features/cards/print.ts'

const USAGE = `Usage: npm run cards -- make --title SLUG --count N [--outlet SLUG] [--price POUNDS] [--a4] [--to FOLDER]
       npm run cards -- list
       npm run cards -- find NUMBER
       npm run cards -- void NUMBER | --batch BATCH
       npm run cards -- replace NUMBER [--a4] [--to FOLDER]

make     creates cards for an audiobook and writes them to FOLDER, as a table (CSV) and for a printer (PDF). The codes
         are only in these files and are never shown again: keep the files like money
void     invalidates unsold cards: one card, or the rest of a batch
replace  replaces a sold card that can’t be read by a new one, and invalidates the old one

  --outlet  only this bookshop may sell them; by default all may
  --price   the price at the counter, like 12.00; by default today’s price of the title
  --a4      ten cards per sheet, for a desk printer; by default one card per page, with bleed and crop marks`

export type CardsCommand =
  | (BatchRequest & { readonly verb: 'make' })
  | { readonly verb: 'list' }
  | { readonly verb: 'find' | 'void'; readonly number: string }
  | { readonly verb: 'voidBatch'; readonly batch: number }
  | (Pick<BatchRequest, 'folder' | 'layout'> & { readonly verb: 'replace'; readonly number: string })

export const read = reading(
  USAGE,
  {
    title: { type: 'string' },
    count: { type: 'string' },
    outlet: { type: 'string' },
    price: { type: 'string' },
    batch: { type: 'string' },
    to: { type: 'string' },
    a4: { type: 'boolean' },
  },
  ({ values, positionals }): CardsCommand | string => {
    const [verb, ...typed] = positionals
    // A number copied from a card consists of three groups.
    const number = typed.join(' ')
    const { title: slug, outlet, price, batch } = values
    const paper: Pick<BatchRequest, 'folder' | 'layout'> = {
      folder: resolve(values.to ?? '.'),
      layout: values.a4 ? 'a4' : 'printer',
    }
    if (verb === 'make' && slug !== undefined && number === '') {
      const count = Number(values.count)
      if (!Number.isInteger(count) || count < 1 || count > 1_000_000)
        return '--count says how many cards to make, from 1 to 1000000.'
      if (price !== undefined && !/^(?!0+(?:\.0+)?$)\d{1,4}(?:\.\d{1,2})?$/.test(price))
        return `--price is an amount in pounds, like 12.00, not “${price}”.`
      return {
        verb,
        slug,
        count,
        ...paper,
        ...(outlet === undefined ? {} : { outletSlug: outlet }),
        ...(price === undefined ? {} : { priceMinor: Math.round(Number(price) * 100) }),
      }
    }
    if (verb === 'list' && number === '') return { verb }
    if (verb === 'void' && number === '' && /^\d{1,9}$/.test(batch ?? ''))
      return { verb: 'voidBatch', batch: Number(batch) }
    if (number === '' || batch !== undefined) return USAGE
    if (verb === 'find' || verb === 'void') return { verb, number }
    return verb === 'replace' ? { verb, number, ...paper } : USAGE
  },
)
