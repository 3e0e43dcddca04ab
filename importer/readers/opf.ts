import { isbnIn } from '../catalogue/isbn.ts'
import type { Described } from '../described.ts'
import type { FoundSeries } from '../series-names.ts'
import { all, plain, text, type Xml } from './xml.ts'

/** Reads OPF metadata: the package document of an EPUB, or the `metadata.opf` that Calibre writes. */
export function describePackage(document: Xml): Described {
  const metadata = (name: string) => all(document, 'package', 'metadata', name)
  const metas = metadata('meta')
  const people = [...metadata('creator'), ...metadata('contributor')]
  const inRole = (role: string) =>
    people.filter((person) => roleOf(person, metas) === role).flatMap((person) => plain(person) ?? [])
  const authors = metadata('creator')
    .filter((creator) => ['aut', undefined].includes(roleOf(creator, metas)))
    .flatMap((creator) => plain(creator) ?? [])
  return {
    title: plain(metadata('title')[0]),
    authors,
    narrators: inRole('nrt'),
    translator: inRole('trl')[0],
    publisher: plain(metadata('publisher')[0]),
    language: plain(metadata('language')[0]),
    description: plain(metadata('description')[0]),
    published: dayOf(plain(metadata('date').find((date) => text(date, '@event') !== 'modification'))),
    series: seriesIn(metas),
    tags: metadata('subject').flatMap((subject) => plain(subject) ?? []),
    isbn: metadata('identifier').map(isbnOfIdentifier).find(Boolean),
  }
}

/** EPUB 2 and Calibre give the scheme in an attribute, EPUB 3 within the identifier. */
const isbnOfIdentifier = (identifier: Xml): string | undefined =>
  /^isbn$/i.test(text(identifier, '@scheme') ?? 'isbn') ? isbnIn(plain(identifier)) : undefined

/** EPUB 2 and Calibre give the role in an attribute, EPUB 3 in a `meta` that refines the name. */
const roleOf = (person: Xml, metas: readonly Xml[]): string | undefined =>
  text(person, '@role') ?? refining(metas, text(person, '@id'), 'role')

const refining = (metas: readonly Xml[], id: string | undefined, property: string) =>
  plain(
    metas.find((meta) => id && text(meta, '@refines') === `#${id}` && text(meta, '@property') === property),
  )

/** Calibre writes the year 101 for an unknown date. */
const dayOf = (date: string | undefined): string | undefined => (date?.startsWith('01') ? undefined : date)

/** EPUB 3 refines a collection with its type and the book's position; Calibre uses two EPUB 2 fields for one series. */
function seriesIn(metas: readonly Xml[]): FoundSeries[] {
  const collections = metas
    .filter((meta) => text(meta, '@property') === 'belongs-to-collection')
    .flatMap((meta) => {
      const id = text(meta, '@id')
      const name = plain(meta)
      return name && (refining(metas, id, 'collection-type') ?? 'series') === 'series'
        ? [{ name, number: refining(metas, id, 'group-position') }]
        : []
    })
  if (collections.length > 0) return collections
  const calibre = (name: string) =>
    text(
      metas.find((meta) => text(meta, '@name') === `calibre:${name}`),
      '@content',
    )
  const name = calibre('series')
  return name ? [{ name, number: calibre('series_index') }] : []
}
