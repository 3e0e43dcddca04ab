import type { Format } from '../format.ts'
import { hiddenIn } from '../hidden-characters.ts'
import { RowRefused } from './entry.ts'
import type { Notes } from './notes.ts'

export const NO_PRICE = [
  'no price',
  'No price: listed last, and neither sold nor found by search until it has one.',
] as const

export interface OfAll {
  /** `--format`: for rows that do not say whether they are audiobooks or e-books. */
  readonly format?: Format
  /** `--price` in pence, for rows without a price. */
  readonly priceMinor?: number
  /** The members' highest discount, in per cent. */
  readonly memberDiscount?: number
}

const LONGEST_TITLE = 1_000
/** The limit of a database index; no real tag is longer. */
const LONGEST_TAG = 200

/** @throws `RowRefused` if the title is missing or as long as a page */
export function titleOf(title: string, subtitle: string): string {
  // Library records mark the beginning of the subtitle with a subfield code such as `$b`.
  const bare = title.replace(/\s*:?\s*\$[a-z]\s+/g, ': ').replace(/^: /, '')
  if (bare === '') throw new RowRefused('no title', 'The row has no title.')
  const whole =
    subtitle === '' || bare.toLowerCase().includes(subtitle.toLowerCase()) ? bare : `${bare}: ${subtitle}`
  const hidden = hiddenIn('title', whole)
  if (hidden !== undefined) throw new RowRefused('a title with hidden characters', hidden)
  if (whole.length > LONGEST_TITLE)
    throw new RowRefused(
      'title too long',
      `The title has ${whole.length} characters; the shop takes up to ${LONGEST_TITLE}.`,
    )
  return whole
}

/** Sorted, without tags that are too long. */
export function keptTags(tags: readonly string[], notes: Notes): string[] {
  const kept = tags.filter((tag) => tag.length <= LONGEST_TAG)
  if (kept.length < tags.length)
    notes.add('tag too long', `A tag or place of more than ${LONGEST_TAG} characters was left out.`)
  return kept.sort()
}

export function refusedCountries(cell: string): string[] {
  const codes = cell.split(/[\s,;|]+/).filter(Boolean)
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code))
  if (wrong)
    throw new RowRefused('not a country', `blocked_countries: “${wrong}” is not a country code, like US.`)
  return [...new Set(codes)].sort()
}
