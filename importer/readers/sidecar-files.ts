import { isbnIn } from '../catalogue/isbn.ts'
import type { Described, FoundChapter } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { seriesNamed, type FoundSeries } from '../series-names.ts'
import { namesIn } from '../names.ts'
import { XMLParser } from 'fast-xml-parser'
import sharp from 'sharp'

type Json = Readonly<Record<string, unknown>>

/** @throws `ImportRefused` if the text is not JSON */
export function describeMetadata(json: string): { described: Described; chapters: readonly FoundChapter[] } {
  const whole = objectOf(parsed(json)) ?? {}
  // Older releases nest everything except chapters in `metadata`.
  const given = objectOf(whole.metadata) ?? whole
  return {
    described: {
      title: textField(given.title),
      subtitle: textField(given.subtitle),
      authors: nameFields(given.authors),
      narrators: nameFields(given.narrators),
      publisher: textField(given.publisher),
      published: textField(given.publishedDate) ?? textField(given.publishedYear),
      language: textField(given.language),
      description: textField(given.description),
      series: arrayOf(given.series).flatMap((series) => {
        const name = nameField(series)
        const number = textField(objectOf(series)?.sequence)
        return name ? [{ ...seriesNamed(name), ...(number ? { number } : {}) }] : []
      }),
      tags: [...nameFields(given.genres), ...nameFields(whole.tags ?? given.tags)],
      isbn: isbnIn(textField(given.isbn)),
    },
    chapters: arrayOf(whole.chapters)
      .map((chapter) => objectOf(chapter) ?? {})
      .flatMap(({ start, title }) =>
        typeof start === 'number' && start >= 0 ? [{ startSeconds: start, title: textField(title) }] : [],
      )
      .sort((one, two) => one.startSeconds - two.startSeconds),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new ImportRefused('metadata.json cannot be read: it is not valid JSON.')
  }
}

const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textField = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).replaceAll('\0', '').trim() || undefined
    : undefined

const nameField = (value: unknown): string | undefined => textField(objectOf(value)?.name ?? value)
const nameFields = (value: unknown): string[] => arrayOf(value).flatMap((each) => nameField(each) ?? [])

/** From an EPUB, or from the `metadata.opf` that Calibre writes. */
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

const LISTED = /\s*[,;/]\s*/

/** Lines such as `Narrator: Wren Castellan`, and the description below a heading. Ignores ASCII art. */
export function describeNfo(nfo: string): Described {
  const said = new Map<string, string>()
  const description: string[] = []
  let isDescription = false
  for (const line of nfo.split(/\r?\n/)) {
    const bare = line.replace(/^[\s*|]+|[\s*|]+$/g, '')
    if (/^(?:book |publisher'?s )?(?:description|summary)\s*:?$/i.test(bare)) isDescription = true
    else if (isDescription) {
      if (/\p{L}/u.test(line) || bare === '') description.push(bare)
    } else {
      const [, key = '', value = ''] = /^([\p{L} .]+?)[\s.]*:\s*(.+)$/u.exec(bare) ?? []
      if (key && !said.has(key.toLowerCase())) said.set(key.toLowerCase(), value)
    }
  }
  const first = (...keys: readonly string[]) => keys.map((key) => said.get(key)).find((value) => value)
  const series = first('series name', 'series')
  const number = first('position in series', 'series position', 'book number')
  const [title, subtitle] = (first('title', 'book title') ?? '').split(/:\s+/, 2)
  return {
    title: title || undefined,
    subtitle: first('subtitle') ?? subtitle,
    authors: namesIn(first('author', 'authors', 'written by') ?? ''),
    narrators: namesIn(first('narrator', 'narrators', 'read by', 'narrated by') ?? ''),
    publisher: first('publisher'),
    published: /\b\d{4}\b/.exec(
      first('book copyright', 'copyright', 'release date', 'date', 'year', 'recording copyright') ?? '',
    )?.[0],
    language: first('language'),
    series: series ? [{ name: series, number }] : [],
    tags: (first('genre', 'genres') ?? '').split(LISTED).filter(Boolean),
    description: description.join('\n').trim() || undefined,
  }
}

const FRAMES_A_SECOND = 75

export function chaptersOfCue(cue: string): ReadonlyMap<string, readonly FoundChapter[]> {
  const files = new Map<string, { title: string | undefined; startSeconds: number }[]>()
  let tracks: { title: string | undefined; startSeconds: number }[] = []
  let title: string | undefined
  let isTrack = false
  for (const line of cue.split(/\r?\n/)) {
    const [, command = '', rest = ''] = /^\s*(\w+)\s+(.*?)\s*$/.exec(line) ?? []
    const quoted = /^"(.*)"/.exec(rest)?.[1] ?? rest
    switch (command.toUpperCase()) {
      case 'FILE': {
        const name = /^"(.*)"/.exec(rest)?.[1] ?? rest.replace(/\s+\S+$/, '')
        tracks = []
        files.set(name.replace(/^.*[\\/]/, ''), tracks)
        break
      }
      case 'TRACK':
        isTrack = true
        title = undefined
        break
      case 'TITLE':
        if (isTrack) title = quoted.trim() || undefined
        break
      case 'INDEX': {
        const [, number, minutes, seconds, frames] = /^(\d+)\s+(\d+):(\d+):(\d+)/.exec(rest) ?? []
        if (isTrack && Number(number) === 1)
          tracks.push({
            title,
            startSeconds: Number(minutes) * 60 + Number(seconds) + Number(frames) / FRAMES_A_SECOND,
          })
        break
      }
    }
  }
  return files
}

export type Xml = string | undefined | { readonly [key: string]: Xml | readonly Xml[] }

const REPEATED = new Set([
  'rootfile',
  'title',
  'creator',
  'contributor',
  'language',
  'publisher',
  'description',
  'subject',
  'date',
  'meta',
  'item',
  'itemref',
  'identifier',
  'EncryptedData',
])

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  isArray: (tag) => REPEATED.has(tag),
})

/** @throws if the text is not XML */
export const parseXml = (bytes: Buffer | string): Xml => parser.parse(bytes)

// `Array.isArray` does not narrow readonly arrays.
const isList = (inner: Xml | readonly Xml[]): inner is readonly Xml[] => Array.isArray(inner)

export function all(node: Xml, ...path: readonly string[]): Xml[] {
  let nodes: Xml[] = [node]
  for (const step of path)
    nodes = nodes.flatMap((each) => {
      const inner = typeof each === 'object' ? each[step] : undefined
      return inner === undefined ? [] : isList(inner) ? [...inner] : [inner]
    })
  return nodes
}

export function text(node: Xml, key: string): string | undefined {
  const value = typeof node === 'object' ? node[key] : undefined
  return typeof value === 'string' ? value : undefined
}

export const plain = (node: Xml): string | undefined =>
  (typeof node === 'string' ? node : text(node, '#text'))?.replaceAll('\0', '').trim() || undefined

const MEGAPIXEL = 1_000_000
/** sharp's own limit; a larger picture could exhaust the memory. */
const MOST_PIXELS = 0x3fff * 0x3fff

export async function pictureFault(picture: Uint8Array): Promise<string | undefined> {
  try {
    const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata()
    if (width * height > MOST_PIXELS)
      return `has ${Math.round((width * height) / MEGAPIXEL)} megapixels, and ${Math.floor(MOST_PIXELS / MEGAPIXEL)} is the most`
    await sharp(picture, { failOn: 'error' }).resize(8, 8).raw().toBuffer()
    return undefined
  } catch {
    return 'cannot be read'
  }
}
