import type { State } from '#server/db/schema/catalogue.ts'
import type { Format } from '../format.ts'
import type { Accessibility } from '../accessibility.ts'
import type { PersonName } from '../names.ts'
import type { GivenSeries } from '../series-names.ts'

/** A remark on a row: the kind is counted in the summary, the text is for the row itself. */
export interface Remark {
  readonly kind: string
  readonly text: string
}

/** A row that is not imported, and why. */
export class RowRefused extends Error {
  readonly kind: string

  constructor(kind: string, text = kind) {
    super(text)
    this.kind = kind
  }
}

/** A file that cannot be read on; what was read before it stays. */
export class BrokenFile extends Error {}

/** One title in one format as a catalogue describes it, checked and in the shop's units. */
export interface Entry {
  readonly format: Format
  readonly isbn: string | null
  /** Which record of which catalogue, as `librivox:47`. */
  readonly sourceId: string | null
  /** Undefined where the catalogue leaves the address to the shop. */
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
  /** The price comes from `--price`; an import without it does not change it. */
  readonly pricedByOwner?: true
  /** The row says that the title is not for sale, even if it has a price. */
  readonly withheld?: true
  /** Absent where the row says nothing of it, as are the next two. */
  readonly state?: State
  readonly preorder?: string
  /** It is sold though the shop has neither sound nor text of it. */
  readonly withoutFile?: true
  /** Absent where the row names none, so that the rows of before have the hash they had. */
  readonly series?: readonly GivenSeries[]
  readonly blockedCountries: readonly string[]
  readonly lengthMinutes: number | null
  readonly pages: number | null
  /** Absent where the row says nothing of it. */
  readonly accessibility?: Accessibility
  readonly firstPublished: string | null
  /** Addresses or names of files. */
  readonly pictures: readonly string[]
  readonly notes: readonly Remark[]
}

/** Found by a reader at one place of the file. */
export interface Found {
  /** In CSV the row's first line; in ONIX the line where the product begins. */
  readonly line: number
  /** What the row calls itself, for the report. */
  readonly name: string
  readonly value: Entry | RowRefused
}

export interface RowReport {
  readonly line: number
  readonly name: string
  readonly outcome: 'created' | 'changed' | 'same' | 'refused'
  readonly slug?: string
  /** Why it was refused. */
  readonly reason?: Remark
  readonly notes: readonly Remark[]
}
