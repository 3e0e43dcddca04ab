import type { State } from '#server/db/schema/catalogue.ts'
import type { Format } from '../found.ts'
import type { Accessibility } from '../accessibility.ts'
import { type PersonName, fullName, nameKey, slugOf } from '#server/features/catalogue/names.ts'
import type { GivenSeries } from '#server/features/catalogue/series-names.ts'
import { type Remark, RowRefused } from './notes.ts'
import { createHash } from 'node:crypto'

export interface Entry {
  readonly format: Format
  readonly isbn: string | null
  /** Catalogue and record number, for example `librivox:47`. */
  readonly sourceId: string | null
  readonly slug: string | undefined
  readonly title: string
  readonly authors: readonly PersonName[]
  readonly narrators: readonly PersonName[]
  readonly translator: PersonName | null
  readonly publisher: string | null
  readonly language: string | null
  readonly style: string | null
  readonly category: string | null
  readonly locations: readonly string[]
  readonly tags: readonly string[]
  /** Sanitised HTML. */
  readonly summary: string
  readonly metaKeywords: string | null
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly published: boolean
  /** An import without `--price` does not change the price. */
  readonly pricedByOwner?: true
  readonly withheld?: true
  /** This field and the next two are absent if the row does not set them. */
  readonly state?: State
  readonly preorder?: string
  readonly withoutFile?: true
  /** Absent if the row names none: the hash of rows that were imported earlier must stay the same. */
  readonly series?: readonly GivenSeries[]
  readonly blockedCountries: readonly string[]
  readonly lengthMinutes: number | null
  readonly pages: number | null
  readonly accessibility?: Accessibility
  readonly firstPublished: string | null
  readonly pictures: readonly string[]
  readonly notes: readonly Remark[]
}

export interface Found {
  /** In CSV the first line of the row; in ONIX the line where the product begins. */
  readonly line: number
  readonly name: string
  readonly value: Entry | RowRefused
}

export interface RowReport {
  readonly line: number
  readonly name: string
  readonly outcome: 'created' | 'changed' | 'same' | 'refused'
  readonly slug?: string
  readonly reason?: Remark
  readonly notes: readonly Remark[]
}

/** Prefix of the stored hash of a catalogue row. It distinguishes books of catalogues from books of folders. */
const MARK = 'catalogue:'

/** The hash omits notes and pictures. */
export function hashOf(entry: Entry): string {
  const { notes: _notes, pictures: _pictures, pricedByOwner: _pricedByOwner, ...said } = entry
  return MARK + createHash('sha256').update(JSON.stringify(said)).digest('base64url')
}

export const isOfCatalogue = (importHash: string | null): boolean => importHash?.startsWith(MARK) ?? false

export const identityOf = ({ isbn, sourceId, format, slug, title, authors }: Entry): string =>
  isbn ?? sourceId ?? `${format}/${slug ?? `${title.toLowerCase()}/${authors.map(nameKey).join('/')}`}`

/** Paths that the shop's own lists use (docs/product.md, Names and addresses). */
const RESERVED = new Set(['latest', 'second_editions', 'claim', 'tag_related', 'zip'])

/** In the order in which they are tried. A title without Latin letters uses its ISBN or record number. */
export function* slugsFor(entry: Entry): Generator<string> {
  if (entry.slug !== undefined) {
    yield entry.slug
    return
  }
  const words = slugOf(entry.title) || slugOf(entry.isbn ?? entry.sourceId ?? '')
  if (!words)
    throw new RowRefused(
      'no address',
      'No address can be made from a title without Latin letters: give the row a slug or an ISBN.',
    )
  if (!RESERVED.has(words)) yield words
  const author = slugOf(entry.authors[0]?.lastName ?? '')
  const base = author && !words.endsWith(author) ? `${words.slice(0, 80)}-${author.slice(0, 32)}` : words
  if (base !== words) yield base
  for (let number = 2; ; number++) yield `${base.slice(0, 112)}-${number}`
}

export const coverAltOf = ({ title, authors }: Entry): string =>
  authors.length > 0 ? `Cover of ${title} by ${authors.map(fullName).join(', ')}` : `Cover of ${title}`
