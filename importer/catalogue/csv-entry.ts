import { MEMBER_DISCOUNT } from '#contract/plans.ts'
import { type State, STATES } from '#server/db/schema/catalogue.ts'
import type { Format } from '../found.ts'
import { richText } from '#server/features/catalogue/rich-text.ts'
import { givenSeries, seriesNamed } from '#server/features/catalogue/series-names.ts'
import * as read from './cells.ts'
import type { Column } from './columns.ts'
import type { CsvRow } from './csv.ts'
import type { Entry } from './entry.ts'
import { RowRefused } from './notes.ts'
import { isbnOf } from './isbn.ts'
import { cataloguePerson, eachOnce } from './people-names.ts'
import { Notes } from './notes.ts'
import { keptTags, NO_PRICE, type OfAll, refusedCountries, titleOf } from './words.ts'

const FORMATS: Readonly<Record<string, Format>> = {
  audiobook: 'audio_book',
  audio: 'audio_book',
  ebook: 'e_book',
  epub: 'e_book',
}

/** @throws `RowRefused` */
export function entryOfRow(
  { cells, notes: before, tooMany }: CsvRow,
  { format, priceMinor, memberDiscount = MEMBER_DISCOUNT }: OfAll = {},
): Entry {
  if (tooMany) throw new RowRefused('cells that do not fit the header', tooMany)
  const notes = new Notes(before)
  const cell = (column: Column): string => read.lineInCell(cells.get(column) ?? '')
  // Libraries put last names first. Project Gutenberg always does, but writes organisations without a comma.
  const turned = cell('gutenberg_id') !== '' && cell('librivox_id') === ''

  const isbn = isbnOf(cell('isbn'))
  if (isbn?.note) notes.add('ISBN without its leading zeros', isbn.note)
  const first = notes.read(read.dateInCell('first_published', cell('first_published')))
  const flag = cell('published')
  // LibriVox uses this column for the release date.
  const published = read.yesOf(flag)
  const on =
    published === undefined && flag !== '' ? notes.read(read.dateInCell('published', flag)) : undefined
  const ownPrice = read.priceInCell('price', cell('price'))
  const price = ownPrice ?? priceMinor
  if (price === undefined) notes.add(...NO_PRICE)
  const memberPrice = memberPriceOf(cell('member_price'), price, memberDiscount, notes)
  const sale = saleOf(cell, notes)
  const rights = cell('rights')
  if (/copyrighted/i.test(rights)) notes.add('rights to check', `The catalogue says about rights: ${rights}`)

  return {
    format: formatOf(cells, cell('format'), format),
    isbn: isbn?.isbn ?? null,
    sourceId: sourceOf(cells),
    slug: slugOf(cell('slug')),
    title: titleOf(cell('title'), cell('subtitle')),
    authors: eachOnce([
      ...read.listInCell(cell('authors')).map((name) => cataloguePerson(name, turned)),
      authorInParts(cell('author_first'), cell('author_last')),
    ]),
    narrators: eachOnce(read.listInCell(cell('narrators')).map((name) => cataloguePerson(name, false))),
    translator:
      eachOnce(read.listInCell(cell('translator')).map((name) => cataloguePerson(name, false)))[0] ?? null,
    publisher: cell('publisher') || null,
    language: notes.read(read.languageNameOf(cell('language'))) ?? null,
    style: cell('style') || null,
    category: cell('category') || null,
    locations: keptTags(read.listInCell(cell('locations')), notes),
    tags: keptTags(read.listInCell(cell('tags')), notes),
    summary: richText(read.proseOf(cells.get('summary') ?? '')),
    metaKeywords: read.listInCell(cell('keywords')).join(', ').slice(0, 1_000) || null,
    priceMinor: price ?? 0,
    memberPriceMinor: memberPrice ?? null,
    ...(ownPrice === undefined && price !== undefined ? { pricedByOwner: true as const } : {}),
    ...(published === false ? { withheld: true as const } : {}),
    published: price !== undefined && published !== false && (sale.state ?? 'on-sale') === 'on-sale',
    ...sale,
    ...seriesIn(cell),
    blockedCountries: refusedCountries(cell('blocked_countries')),
    lengthMinutes: read.minutesOf(secondsOf(cell)),
    pages: read.countOf('pages', cell('pages'), 100_000) || null,
    firstPublished: first ?? on ?? null,
    pictures: read.listInCell(cell('cover')),
    notes: notes.all,
  }
}

export const nameOfRow = ({ cells }: CsvRow): string =>
  read.lineInCell(cells.get('title') ?? '').slice(0, 120) || cells.get('isbn') || ''

function formatOf(cells: CsvRow['cells'], given: string, otherwise: Format | undefined): Format {
  if (given !== '') {
    const format = FORMATS[given.toLowerCase().replace(/[^a-z]/g, '')]
    if (!format)
      throw new RowRefused(
        'neither an audiobook nor an e-book',
        `format “${given}” is neither “audiobook” nor “e-book”.`,
      )
    return format
  }
  if (otherwise) return otherwise
  if (cells.get('librivox_id') || cells.get('narrators') || cells.get('total_seconds')) return 'audio_book'
  if (cells.has('librivox_id')) return 'audio_book'
  if (cells.has('gutenberg_id') || cells.get('pages')) return 'e_book'
  throw new RowRefused(
    'format unknown',
    'Nothing says whether this is an audiobook or an e-book: add a “format” column to the file, or --format to the command.',
  )
}

function sourceOf(cells: CsvRow['cells']): string | null {
  for (const column of ['librivox_id', 'gutenberg_id'] as const) {
    const id = cells.get(column)
    if (!id) continue
    if (!/^\d{1,9}$/.test(id))
      throw new RowRefused('not a record number', `${column} “${id}” is not a number.`)
    return `${column.slice(0, -3)}:${Number(id)}`
  }
  return null
}

/** Only the fields that the row has: an added field would change the stored hash of existing rows. */
function saleOf(
  cell: (column: Column) => string,
  notes: Notes,
): Pick<Entry, 'state' | 'preorder' | 'withoutFile'> {
  const state = stateIn(cell('state'))
  const preorder = notes.read(read.dateInCell('preorder', cell('preorder')))
  return {
    ...(state ? { state } : {}),
    ...(preorder ? { preorder } : {}),
    ...(read.yesOf(cell('without_file')) ? { withoutFile: true } : {}),
  }
}

/** Semicolons separate several series. Returns nothing if the row names none, to keep stored hashes. */
function seriesIn(cell: (column: Column) => string): Pick<Entry, 'series'> {
  const parts = (column: Column) => cell(column).split(/[;|]/)
  const [numbers, published, story] = (['series_number', 'series_published', 'series_story'] as const).map(
    parts,
  )
  const series = givenSeries(
    parts('series').map((name, index) => ({
      ...(numbers![index]?.trim() ? { name, number: numbers![index] } : seriesNamed(name)),
      published: placeIn('series_published', published![index]),
      story: placeIn('series_story', story![index]),
    })),
  )
  return series.length > 0 ? { series } : {}
}

function placeIn(column: Column, given = ''): number | undefined {
  const place = Number(given.replace(',', '.'))
  if (!(place >= 0 && place <= 100_000))
    throw new RowRefused('not a number', `${column} “${given}” is not a number from 0 to 100000.`)
  return given.trim() === '' ? undefined : place
}

function stateIn(given: string): State | undefined {
  const state = STATES.find((each) => each === given.toLowerCase().replace(/[ _]/g, '-'))
  if (given !== '' && !state)
    throw new RowRefused('not a state', `state “${given}” is none of ${STATES.join(', ')}.`)
  return state
}

function slugOf(given: string): string | undefined {
  if (given === '') return undefined
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(given) || given.length > 120)
    throw new RowRefused(
      'not a slug',
      `slug “${given}” must be lower-case letters, digits and single hyphens, like the-salt-ledger.`,
    )
  return given
}

function authorInParts(first: string, last: string) {
  if (!first) return cataloguePerson(last, true)
  // Read as one name, to drop anything in brackets after it.
  return last ? cataloguePerson(`${last}, ${first}`, true) : cataloguePerson(first, true)
}

function secondsOf(cell: (column: Column) => string): number | undefined {
  return (
    read.countOf('total_seconds', cell('total_seconds'), 10_000_000) ||
    read.secondsOf('total_time', cell('total_time')) ||
    read.secondsOf('length', cell('length'))
  )
}

function memberPriceOf(
  cell: string,
  price: number | undefined,
  memberDiscount: number,
  notes: Notes,
): number | undefined {
  const memberPrice = read.priceInCell('member_price', cell)
  if (memberPrice === undefined) return undefined
  if (memberPrice > (price ?? 0))
    throw new RowRefused(
      'member price above the price',
      `member_price ${cell} is above price ${price === undefined ? 'none' : (price / 100).toFixed(2)}.`,
    )
  if (memberPrice * 100 < (price ?? 0) * (100 - memberDiscount))
    notes.add(
      `member price more than ${memberDiscount}% below the price`,
      `member_price ${cell} is more than ${memberDiscount}% below the price: members pay ${100 - memberDiscount}% of it.`,
    )
  return memberPrice
}
