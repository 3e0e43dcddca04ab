import { createHash } from 'node:crypto'
import type { State } from '#server/db/schema/catalogue.ts'
import type { Format, FoundCaptions, FoundFile } from './found.ts'
import type { PersonName } from '#server/features/catalogue/names.ts'
import type { DesiredPublisher } from '#server/features/catalogue/vocabulary-queries.ts'
import type { CompositionName } from './covers/choose-composition.ts'
import type { CoverSource } from './covers/render.ts'
import type { GivenSeries } from '#server/features/catalogue/series-names.ts'
import { isDeepStrictEqual } from 'node:util'

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
  readonly booksellerWords: string | null
  readonly booksellerName: string | null
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

export interface DesiredFile extends Pick<FoundFile, 'path' | 'sha256' | 'bytes'> {
  readonly extension: 'mp3' | 'm4a' | 'epub'
  readonly durationMs: number | null
}

export interface PlannedCover {
  readonly format: Format
  readonly id: string
  readonly source: CoverSource
  readonly composition: CompositionName | undefined
}

export interface Plan {
  readonly slug: string
  readonly isOwnSlug: boolean
  readonly title: string
  readonly books: readonly DesiredBook[]
  /** For people that the shop does not know yet. */
  readonly people: readonly PersonName[]
  readonly publisher: DesiredPublisher | undefined
  readonly series: readonly Pick<GivenSeries, 'slug' | 'title'>[]
  readonly files: readonly DesiredFile[]
  readonly covers: readonly PlannedCover[]
  /** By the sound's SHA-256. */
  readonly captions: ReadonlyMap<string, FoundCaptions>
  readonly unpriced: ReadonlyMap<Format, string>
  readonly warnings: readonly string[]
}

export const contentHash = (book: DesiredBook): string =>
  createHash('sha256').update(JSON.stringify(book)).digest('hex')

export const differences = (standing: DesiredBook, desired: DesiredBook): string[] =>
  changedFields(spelt(standing), spelt(desired), FIELD_WORDS)

export function changedFields<Row extends object>(
  standing: NoInfer<Row>,
  desired: Row,
  words: { readonly [Field in keyof NoInfer<Row>]?: string | undefined },
): string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
  const fields = Object.keys(desired) as (keyof Row & string)[]
  const differing = fields.filter((field) => !isDeepStrictEqual(standing[field], desired[field]))
  return [...new Set(differing.map((field) => words[field] ?? field))]
}

/** The first stored spelling of a person stays; another one is not a change. */
function spelt(book: DesiredBook): DesiredBook {
  const plain = (name: string) => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return {
    ...book,
    authors: book.authors.map(plain),
    narrators: book.narrators.map(plain),
    translator: book.translator && plain(book.translator),
  }
}

const FIELD_WORDS: Partial<Record<keyof DesiredBook, string>> = {
  priceMinor: 'price',
  memberPriceMinor: 'member price',
  secondEdition: 'current highlight',
  writersDilemma: 'writer’s dilemma',
  featuredPosition: 'featured position',
  availableAsCard: 'card',
  blockedCountries: 'blocked countries',
  hideDownload: 'download',
  sampleText: 'sample text',
  booksellerWords: 'bookseller’s words',
  booksellerName: 'bookseller’s words',
  coverId: 'cover',
  coverAlt: 'cover text',
  backgroundColour: 'colours',
  containerColour: 'colours',
  textColour: 'colours',
  publisherBookLink: 'publisher’s book',
  publisherBookName: 'publisher’s book',
  metaDescription: 'meta description',
  metaKeywords: 'meta keywords',
  firstPublished: 'first published',
  lengthMinutes: 'length',
  spiSin: 'spiSIN',
  isbn: 'ISBN',
  sampleId: 'sample',
  fileId: 'file',
  madeAfterPurchase: 'file',
  deliverable: 'what is delivered',
  downloadable: 'download',
  accessibilitySummary: 'accessibility',
}

interface Given {
  readonly chapters: number
  readonly hasFile: boolean
  readonly hasSample: boolean
  readonly madeAfterPurchase: boolean
  readonly withoutFile: boolean
  readonly isDemo: boolean
}

/** A title without anything to deliver is not on sale. */
export const isDeliverable = ({
  chapters,
  hasFile,
  hasSample,
  madeAfterPurchase,
  withoutFile,
  isDemo,
}: Given): boolean => withoutFile || madeAfterPurchase || hasFile || chapters > 0 || (isDemo && hasSample)
