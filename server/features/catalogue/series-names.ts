import { createHash } from 'node:crypto'
import { slugOf } from './names.ts'

export interface FoundSeries {
  readonly name: string
  readonly number?: string | undefined
}

/** `published` and `story` are set only where they differ from `number`. */
export interface GivenSeries {
  readonly slug: string
  readonly title: string
  readonly number: string | null
  readonly published: number | null
  readonly story: number | null
}

interface Said extends FoundSeries {
  readonly slug?: string | undefined
  readonly published?: number | undefined
  readonly story?: number | undefined
}

export function givenSeries(all: readonly Said[]): GivenSeries[] {
  const known = new Map<string, GivenSeries>()
  for (const { name, number, slug, published, story } of all) {
    const title = name.replace(/\s+/g, ' ').trim()
    if (title === '') continue
    const place = {
      slug: slug ?? seriesSlug(title),
      title,
      number: positionInSeries(number),
      published: published ?? null,
      story: story ?? null,
    }
    if (!known.has(place.slug)) known.set(place.slug, place)
  }
  return [...known.values()]
}

const NUMBER = /\d+(?:[.,]\d+)?(?:\s*[-–—]\s*\d+(?:[.,]\d+)?)?/.source
const NAME_AND_NUMBER = new RegExp(
  `^(.+?)[\\s,;:(]*(?:#|\\b(?:book|vol(?:ume)?\\.?|part|no\\.?)\\s*)\\s*(${NUMBER})\\)?$`,
  'i',
)

export function seriesNamed(text: string): FoundSeries {
  const [, name, number] = NAME_AND_NUMBER.exec(text.trim()) ?? []
  return name === undefined ? { name: text.trim() } : { name, number }
}

/** Normalises `01` and `1.0` to 1, and the hyphen of a range to an en dash; anything else is kept as written. */
function positionInSeries(given: string | undefined): string | null {
  const number = (given ?? '')
    .trim()
    .replace(/\s*[-–—]\s*(?=\d)/g, '–')
    .replace(/(?<![\d.])0+(?=\d)/g, '')
    .replace(/\.0+(?!\d)/g, '')
  return number.slice(0, 20) || null
}

/** A name without Latin letters gets one from its hash. */
const seriesSlug = (title: string): string =>
  slugOf(title) || `series-${createHash('sha256').update(title.toLowerCase()).digest('hex').slice(0, 8)}`
