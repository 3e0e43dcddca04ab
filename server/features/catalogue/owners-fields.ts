import { isDeepStrictEqual } from 'node:util'
import type { LogbookValue } from '../../db/schema/logbook.ts'

/** Fields that are columns of `books`. A field of several columns has an object with their names as its value. */
export const COLUMNS_OF = {
  title: ['title'],
  summary: ['summary'],
  metaDescription: ['metaDescription'],
  metaKeywords: ['metaKeywords'],
  sampleText: ['sampleText'],
  bookseller: ['booksellerWords', 'booksellerName'],
  firstPublished: ['firstPublished'],
  preorder: ['preorder'],
  pages: ['pages'],
  price: ['priceMinor', 'memberPriceMinor'],
  edition: ['edition'],
  secondEdition: ['secondEdition'],
  memoir: ['memoir'],
  writersDilemma: ['writersDilemma'],
  featuredPosition: ['featuredPosition'],
  availableAsCard: ['availableAsCard'],
  violence: ['violence'],
  colours: ['backgroundColour', 'containerColour', 'textColour'],
  cover: ['coverId', 'coverAlt'],
  file: ['fileId'],
} as const

/** Fields whose values are in tables of their own, as names. */
export const LISTS = [
  'authors',
  'narrators',
  'translator',
  'publisher',
  'language',
  'category',
  'style',
  'tags',
  'series',
  'chapters',
] as const

export type ColumnField = keyof typeof COLUMNS_OF
export type ListField = (typeof LISTS)[number]
export type WholeField = ColumnField | ListField

/** By their names in `books.set_by_owner` and `npm run titles`. */
export type OwnersField = WholeField | `chapter ${number}`

export type FieldValues = { readonly [Field in WholeField]?: LogbookValue }

export const isColumnField = (field: string): field is ColumnField => Object.hasOwn(COLUMNS_OF, field)
export const isListField = (field: string): field is ListField => LISTS.some((each) => each === field)
export const isWholeField = (field: string): field is WholeField => isColumnField(field) || isListField(field)

/** As an import's report and the office call it. */
export const FIELD_WORDS: Readonly<Record<WholeField, string>> = {
  title: 'title',
  summary: 'description',
  metaDescription: 'meta description',
  metaKeywords: 'meta keywords',
  sampleText: 'sample text',
  bookseller: 'bookseller’s words',
  firstPublished: 'date of publication',
  preorder: 'date of release',
  pages: 'pages',
  price: 'price',
  edition: 'edition',
  secondEdition: 'highlight',
  memoir: 'memoir',
  writersDilemma: 'writer’s dilemma',
  featuredPosition: 'place on the home page',
  availableAsCard: 'card',
  violence: 'note on violence',
  colours: 'colours',
  cover: 'cover',
  file: 'e-book’s file',
  authors: 'authors',
  narrators: 'narrators',
  translator: 'translator',
  publisher: 'publisher',
  language: 'language',
  category: 'category',
  style: 'style',
  tags: 'tags',
  series: 'series',
  chapters: 'chapters',
}

export const fieldWords = (field: string): string => (isWholeField(field) ? FIELD_WORDS[field] : field)

/** The value of a field, out of an object that has its columns. */
export function valueOf(row: Readonly<Record<string, unknown>>, field: ColumnField): LogbookValue {
  const columns: readonly string[] = COLUMNS_OF[field]
  const value = (column: string) => plain(row[column])
  return columns.length === 1
    ? value(columns[0]!)
    : Object.fromEntries(columns.map((column) => [column, value(column)]))
}

const plain = (value: unknown): LogbookValue =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns hold text, numbers, booleans or lists of these
  (value ?? null) as LogbookValue

/** The columns that a value sets. */
export function columnsIn(field: ColumnField, value: LogbookValue): Readonly<Record<string, LogbookValue>> {
  const columns: readonly string[] = COLUMNS_OF[field]
  if (columns.length === 1) return { [columns[0]!]: value }
  const given = isObject(value) ? value : {}
  return Object.fromEntries(columns.map((column) => [column, given[column] ?? null]))
}

export const isObject = (
  value: LogbookValue | undefined,
): value is { readonly [key: string]: LogbookValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Those of `wanted` that differ from `standing`. */
export function changedValues(standing: FieldValues, wanted: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => isWholeField(field) && !isDeepStrictEqual(standing[field] ?? null, value ?? null),
    ),
  )
}
