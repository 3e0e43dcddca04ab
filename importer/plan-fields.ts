import { MEMBER_DISCOUNT } from '#contract/plans.ts'
import { type State, STATES } from '#server/db/schema/catalogue.ts'
import type { BookFile } from './book-file.ts'
import { type PersonName, personOf } from '#server/features/catalogue/names.ts'
import { measuredMinutes } from '#server/features/catalogue/chapters.ts'
import { ImportRefused } from './refused.ts'

export interface Price {
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly known: boolean
  readonly warning?: string
}

export function plannedPrice(
  name: string,
  given: { price?: string; memberPrice?: string } | undefined,
  memberDiscount = MEMBER_DISCOUNT,
): Price {
  if (given?.price === undefined)
    return {
      priceMinor: 0,
      memberPriceMinor: null,
      known: false,
      warning: `No price: the ${name === 'ebook' ? 'e-book' : name} is listed but not sold. Set one with npm run titles -- price, import with --price, or give ${name}.price in book.json ("0.00" is free).`,
    }
  const priceMinor = pence(given.price)
  const memberPriceMinor = given.memberPrice === undefined ? null : pence(given.memberPrice)
  if (memberPriceMinor !== null && memberPriceMinor > priceMinor)
    throw new ImportRefused(`${name}.memberPrice ${given.memberPrice} is above ${name}.price ${given.price}.`)
  if (memberPriceMinor !== null && memberPriceMinor * 100 < priceMinor * (100 - memberDiscount))
    throw new ImportRefused(
      `${name}.memberPrice ${given.memberPrice} is more than ${memberDiscount}% below ${name}.price ${given.price}.`,
    )
  return { priceMinor, memberPriceMinor, known: true }
}

export const publishedAt = ({ priceMinor, memberPriceMinor, known }: Price, state: State) => ({
  priceMinor,
  memberPriceMinor,
  published: known && state === 'on-sale',
})

/** `published: false` is the older notation of `listed`. */
export function plannedState({ state, published }: Pick<BookFile, 'state' | 'published'> = {}): State {
  const said = STATES.find((each) => each === state)
  if (said === 'on-sale' && published === false)
    throw new ImportRefused(
      '"state" is "on-sale" and "published" is false: book.json can say only one of them.',
    )
  return said ?? (published === false ? 'listed' : 'on-sale')
}

// Removes the point instead of multiplying, because 1.15 * 100 is not 115.
const pence = (pounds: string): number => Number(pounds.replace('.', ''))

export const personNames = (list: readonly string[] = []): readonly PersonName[] => list.map(personOf)

export function publicationDate(published: string | undefined): string | null {
  const given = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(published ?? '')
  if (!given || given[1] === '0000') return null
  const date = `${given[1]}-${given[2] ?? '01'}-${given[3] ?? '01'}`
  return Number.isNaN(Date.parse(date)) ? null : date
}

export function languageOf(code: string | undefined): string | null {
  if (code && /^\p{L}{4,}(?: |$)/u.test(code)) return code[0]!.toUpperCase() + code.slice(1)
  try {
    return (code && new Intl.DisplayNames('en', { type: 'language' }).of(code.split(/[-_]/)[0]!)) || null
  } catch {
    return null
  }
}

export function lengthOf(
  given: { lengthHours?: number; lengthMin?: number } | undefined,
  measuredMs: number,
): number | null {
  if (given?.lengthHours !== undefined || given?.lengthMin !== undefined)
    return (given.lengthHours ?? 0) * 60 + (given.lengthMin ?? 0)
  return measuredMinutes([{ durationMs: measuredMs }])
}
