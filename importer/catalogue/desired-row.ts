import { createHash } from 'node:crypto'
import { fullName, nameKey, slugOf } from '../names.ts'
import { type Entry, RowRefused } from './entry.ts'

/** Prefix of the stored hash of a catalogue row. It distinguishes books of catalogues from books of folders. */
const MARK = 'catalogue:'

/** Hashes what the catalogue says about a title, without notes and pictures. */
export function hashOf(entry: Entry): string {
  const { notes: _notes, pictures: _pictures, pricedByOwner: _pricedByOwner, ...said } = entry
  return MARK + createHash('sha256').update(JSON.stringify(said)).digest('base64url')
}

export const isOfCatalogue = (importHash: string | null): boolean => importHash?.startsWith(MARK) ?? false

export const identityOf = ({ isbn, sourceId, format, slug, title, authors }: Entry): string =>
  isbn ?? sourceId ?? `${format}/${slug ?? `${title.toLowerCase()}/${authors.map(nameKey).join('/')}`}`

/** Paths that the shop's own lists use (docs/product.md, Names and addresses). */
const RESERVED = new Set(['latest', 'second_editions', 'claim', 'tag_related', 'zip'])

/**
 * Candidate slugs for a title, in the order in which they are tried: the title, then with the author, then with a
 * number. A title without Latin letters uses its ISBN or record number.
 */
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
