import { createHash } from 'node:crypto'
import type { State } from '#server/db/schema/catalogue.ts'
import type { Format } from './format.ts'
import type { FoundFile } from './found.ts'
import type { PersonName } from './names.ts'
import type { PlannedCover } from './plan-cover.ts'
import type { GivenSeries } from './series-names.ts'

export interface DesiredBook {
  readonly format: Format
  readonly slug: string
  readonly title: string
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly published: boolean
  readonly state: State
  readonly preorder: string | null
  readonly deliverable: boolean
  readonly embargoed: boolean
  readonly blockedCountries: readonly string[]
  readonly edition: boolean
  readonly secondEdition: boolean
  readonly memoir: boolean
  readonly writersDilemma: boolean
  readonly featuredPosition: number | null
  readonly availableAsCard: boolean
  readonly hideDownload: boolean
  readonly violence: boolean
  readonly summary: string
  readonly sampleText: string | null
  readonly coverId: string
  readonly coverAlt: string
  readonly backgroundColour: string | null
  readonly containerColour: string | null
  readonly textColour: string | null
  readonly publisherBookLink: string | null
  readonly publisherBookName: string | null
  readonly metaDescription: string | null
  readonly metaKeywords: string | null
  readonly firstPublished: string | null
  readonly lengthMinutes: number | null
  readonly pages: number | null
  readonly accessibility: readonly string[]
  readonly accessibilitySummary: string | null
  readonly spiSin: string | null
  /** Null keeps the catalogue's value. */
  readonly isbn: string | null
  readonly language: string | null
  readonly style: string | null
  readonly category: string | null
  readonly publisher: string | null
  readonly translator: string | null
  readonly authors: readonly string[]
  readonly narrators: readonly string[]
  readonly locations: readonly string[]
  readonly tags: readonly string[]
  readonly series: readonly Omit<GivenSeries, 'title'>[]
  readonly sampleId: string | null
  readonly fileId: string | null
  readonly madeAfterPurchase: boolean
  readonly downloadable: boolean
  readonly chapters: readonly DesiredChapter[]
}

export interface DesiredChapter {
  readonly title: string
  readonly durationMs: number
  readonly soundId: string
}

export interface DesiredPublisher {
  readonly slug: string
  readonly name: string
  readonly about?: string
  readonly website?: string
}

export interface DesiredFile extends Pick<FoundFile, 'path' | 'sha256' | 'bytes'> {
  readonly extension: 'mp3' | 'm4a' | 'epub'
  /** Measured; null for e-books. */
  readonly durationMs: number | null
}

export interface Plan {
  readonly slug: string
  /** The owner chose the slug; it was not derived from the title. */
  readonly isOwnSlug: boolean
  readonly title: string
  readonly books: readonly DesiredBook[]
  /** Spelling for people that the shop does not know yet. */
  readonly people: readonly PersonName[]
  readonly publisher: DesiredPublisher | undefined
  readonly series: readonly Pick<GivenSeries, 'slug' | 'title'>[]
  readonly files: readonly DesiredFile[]
  readonly covers: readonly PlannedCover[]
  /** The warning for each format without a price in the folder, used if the shop has no price either. */
  readonly unpriced: ReadonlyMap<Format, string>
  readonly warnings: readonly string[]
}

export const contentHash = (book: DesiredBook): string =>
  createHash('sha256').update(JSON.stringify(book)).digest('hex')
