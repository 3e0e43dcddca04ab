import { isDeepStrictEqual } from 'node:util'
import type { DesiredBook } from './desired.ts'

/** The names of the parts that differ, as `book.json` calls them. */
export function differences(standing: DesiredBook, desired: DesiredBook): string[] {
  return differing(spelt(standing), spelt(desired))
}

function differing<B extends DesiredBook>(one: B, two: B): string[] {
  const words = new Set<string>()
  const said: { readonly [Key in keyof B]?: string | undefined } = WORDS
  for (const key in two) if (!isDeepStrictEqual(one[key], two[key])) words.add(said[key] ?? key)
  return [...words]
}

/** A person keeps the first spelling that the shop stored; another spelling is not a change. */
function spelt(book: DesiredBook): DesiredBook {
  const plain = (name: string) => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return {
    ...book,
    authors: book.authors.map(plain),
    narrators: book.narrators.map(plain),
    translator: book.translator && plain(book.translator),
  }
}

const WORDS: Partial<Record<keyof DesiredBook, string>> = {
  priceMinor: 'price',
  memberPriceMinor: 'member price',
  secondEdition: 'current highlight',
  writersDilemma: 'writer’s dilemma',
  featuredPosition: 'featured position',
  availableAsCard: 'card',
  blockedCountries: 'blocked countries',
  hideDownload: 'download',
  sampleText: 'sample text',
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
