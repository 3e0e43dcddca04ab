import type { EditedBook } from '#contract/office/titles.ts'
import { namesIn, seriesIn, seriesText } from '../../ui/typed-names.ts'

/** What is typed in the editor: every value as text or a tick. */
export interface TitleFields {
  readonly title: string
  readonly authors: string
  readonly narrators: string
  readonly translator: string
  readonly publisher: string
  readonly series: string
  readonly summary: string
  readonly booksellerWords: string
  readonly booksellerName: string
  readonly language: string
  readonly category: string
  readonly style: string
  readonly tags: string
  readonly firstPublished: string
  readonly preorder: string
  readonly metaDescription: string
  readonly edition: boolean
  readonly secondEdition: boolean
  readonly memoir: boolean
  readonly writersDilemma: boolean
  readonly featuredPosition: string
  readonly availableAsCard: boolean
  readonly violence: boolean
  readonly backgroundColour: string
  readonly containerColour: string
  readonly textColour: string
}

/** Two inputs make one field. */
const FIELD_OF: Readonly<Partial<Record<keyof TitleFields, string>>> = {
  booksellerWords: 'bookseller',
  booksellerName: 'bookseller',
  backgroundColour: 'colours',
  containerColour: 'colours',
  textColour: 'colours',
}
export const fieldOf = (input: keyof TitleFields): string => FIELD_OF[input] ?? input

type Values = EditedBook['values']

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): string =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string').join(', ') : ''
const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, whose values are checked
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

export function fieldsFrom(values: Values): TitleFields {
  const bookseller = record(values.bookseller)
  const colours = record(values.colours)
  return {
    title: text(values.title),
    authors: list(values.authors),
    narrators: list(values.narrators),
    translator: text(values.translator),
    publisher: text(values.publisher),
    series: seriesText(seriesOf(values.series)),
    summary: editableText(text(values.summary)),
    booksellerWords: text(bookseller.booksellerWords),
    booksellerName: text(bookseller.booksellerName),
    language: text(values.language),
    category: text(values.category),
    style: text(values.style),
    tags: list(values.tags),
    firstPublished: text(values.firstPublished),
    preorder: text(values.preorder),
    metaDescription: text(values.metaDescription),
    edition: values.edition === true,
    secondEdition: values.secondEdition === true,
    memoir: values.memoir === true,
    writersDilemma: values.writersDilemma === true,
    featuredPosition: typeof values.featuredPosition === 'number' ? String(values.featuredPosition) : '',
    availableAsCard: values.availableAsCard === true,
    violence: values.violence === true,
    backgroundColour: text(colours.backgroundColour),
    containerColour: text(colours.containerColour),
    textColour: text(colours.textColour),
  }
}

/** Values of the fields that were changed, as the server takes them. */
export function valuesOf(
  fields: TitleFields,
  changed: readonly (keyof TitleFields)[],
  before: Values,
): Record<string, unknown> {
  const all: Readonly<Record<string, unknown>> = {
    ...fields,
    authors: namesIn(fields.authors),
    narrators: namesIn(fields.narrators),
    tags: namesIn(fields.tags),
    series: changedSeries(fields.series, before.series),
    firstPublished: fields.firstPublished || null,
    preorder: fields.preorder || null,
    featuredPosition: fields.featuredPosition === '' ? null : Number(fields.featuredPosition),
    bookseller: { booksellerWords: fields.booksellerWords, booksellerName: fields.booksellerName },
    colours: {
      backgroundColour: fields.backgroundColour || null,
      containerColour: fields.containerColour || null,
      textColour: fields.textColour || null,
    },
  }
  return Object.fromEntries(changed.map((input) => [fieldOf(input), all[fieldOf(input)]]))
}

const seriesOf = (value: unknown) =>
  (Array.isArray(value) ? value : [])
    .map(record)
    .map(({ title, number }) => ({ title: text(title), number: typeof number === 'string' ? number : null }))

/** A series that was there keeps its address and its order. */
function changedSeries(typed: string, before: unknown): unknown[] {
  const known = (Array.isArray(before) ? before : []).map(record)
  return seriesIn(typed).map(({ title, number }) => {
    const same = known.find((each) => text(each.title).toLowerCase() === title.toLowerCase())
    return { ...same, title, number }
  })
}

/** Paragraphs as plain text; a text with other markup stays as HTML. */
export function editableText(html: string): string {
  if (/<(?!\/?(p|br)\b)[a-z]/i.test(html)) return html
  return html
    .replaceAll(/<\/p>\s*<p>/gi, '\n\n')
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<\/?p>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
}

/** What a value is, for “The folder says …”. */
export function valueWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  if (field === 'series') return seriesText(seriesOf(value)) || 'none'
  if (Array.isArray(value)) return list(value) || 'none'
  if (typeof value === 'string') {
    const plain = editableText(value)
    return plain.length > 120 ? `“${plain.slice(0, 120)} …”` : `“${plain}”`
  }
  return (
    Object.values(record(value))
      .filter((each) => typeof each === 'string' && each !== '')
      .join(', ') || 'nothing'
  )
}
