import type { State } from '#server/db/schema/catalogue.ts'
import type { Format } from '../format.ts'
import type { Accessibility } from '../accessibility.ts'
import type { PersonName } from '../names.ts'
import type { GivenSeries } from '../series-names.ts'

/** A remark on a row. The summary counts each `kind`; `text` is shown for the row. */
export interface Remark {
  readonly kind: string
  readonly text: string
}

export class RowRefused extends Error {
  readonly kind: string

  constructor(kind: string, text = kind) {
    super(text)
    this.kind = kind
  }
}

/** The rest of the file is unreadable; the rows before the fault are imported. */
export class BrokenFile extends Error {}

/** One title in one format, as a catalogue describes it; validated and in the shop's units. */
export interface Entry {
  readonly format: Format
  readonly isbn: string | null
  /** Catalogue and record number, for example `librivox:47`. */
  readonly sourceId: string | null
  /** Undefined if the shop shall choose the slug. */
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
  /** This field and the next two are absent if the row does not set them. */
  readonly state?: State
  readonly preorder?: string
  /** Sold although the shop has neither sound nor text. */
  readonly withoutFile?: true
  /** Absent if the row names none: the hash of rows that were imported earlier must stay the same. */
  readonly series?: readonly GivenSeries[]
  readonly blockedCountries: readonly string[]
  readonly lengthMinutes: number | null
  readonly pages: number | null
  /** Absent if the row does not mention it. */
  readonly accessibility?: Accessibility
  readonly firstPublished: string | null
  /** URLs or file names. */
  readonly pictures: readonly string[]
  readonly notes: readonly Remark[]
}

/** What a reader found at one place of the file. */
export interface Found {
  /** In CSV the first line of the row; in ONIX the line where the product begins. */
  readonly line: number
  /** The row's title or number, for the report. */
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
