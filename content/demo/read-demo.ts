import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const here = import.meta.dirname

export const readJson = (path: string): unknown => JSON.parse(readFileSync(join(here, path), 'utf8'))

export interface Person {
  firstName: string
  lastName: string
  nationality?: string
}

export interface Book {
  slug: string
  title: string
  authors: Person[]
  translator?: Person
  publisher: { slug: string }
  style?: string
  category: string
  locations?: string[]
  tags?: string[]
  summary: string
  sampleText?: string
  firstPublished: string
  colours: { background: string; container: string; text: string; accents: string[] }
  published: boolean
  embargoed?: boolean
  blockedCountries?: string[]
  violence?: boolean
  edition?: boolean
  currentHighlight?: boolean
  memoir?: boolean
  writersDilemma?: boolean
  audiobook?: {
    price: string
    narrators: Person[]
    lengthHours: number
    lengthMin: number
    spiSIN?: string
    availableAsCard?: boolean
    hideDownload?: boolean
    chapters?: { file: string; title: string }[]
    sample?: string
  }
  ebook?: { price: string; pages: number; file?: string; madeAfterPurchase?: boolean; downloadable?: boolean }
}

export const books = readdirSync(join(here, 'titles')).map(
  (slug) => readJson(`titles/${slug}/book.json`) as Book,
)
export const audiobooks = books.filter((book) => book.audiobook)
export const ebooks = books.filter((book) => book.ebook)
export const spoken = audiobooks.filter((book) => book.audiobook?.chapters)

export const named = (slug: string) => books.find((book) => book.slug === slug)!
export const inTitle = (book: Book, file: string) => join(here, 'titles', book.slug, file)
