import { isbnIn } from '../catalogue/isbn.ts'
import type { Described, FoundChapter } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { seriesNamed, type FoundSeries } from '#server/features/catalogue/series-names.ts'
import { namesIn } from '#server/features/catalogue/names.ts'
import type { XmlNode } from '../xml.ts'
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
export function describePackage(document: XmlNode): Described {
  const metadata = (name: string) => document.all('package', 'metadata', name)
  const textOf = (name: string) => metadata(name)[0]?.own || undefined
  const metas = metadata('meta')
  const named = (people: readonly XmlNode[], ...roles: readonly string[]) =>
    textsOf(people.filter((person) => roles.includes(roleOf(person, metas))))
  const people = [...metadata('creator'), ...metadata('contributor')]
  return {
    title: textOf('title'),
    authors: named(metadata('creator'), 'aut', ''),
    narrators: named(people, 'nrt'),
    translator: named(people, 'trl')[0],
    publisher: textOf('publisher'),
    language: textOf('language'),
    description: textOf('description'),
    published: dayOf(metadata('date').find((date) => date.attribute('event') !== 'modification')?.own),
    series: seriesIn(metas),
    tags: textsOf(metadata('subject')),
    isbn: metadata('identifier').map(isbnOfIdentifier).find(Boolean),
  }
}

const textsOf = (nodes: readonly XmlNode[]): string[] => nodes.map(({ own }) => own).filter(Boolean)

/** EPUB 2 and Calibre give the scheme in an attribute, EPUB 3 within the identifier. */
const isbnOfIdentifier = (identifier: XmlNode): string | undefined =>
  /^(?:isbn)?$/i.test(identifier.attribute('scheme')) ? isbnIn(identifier.own) : undefined

/** EPUB 2 and Calibre give the role in an attribute, EPUB 3 in a `meta` that refines the name. */
const roleOf = (person: XmlNode, metas: readonly XmlNode[]): string =>
  person.attribute('role') || refining(metas, person.attribute('id'), 'role')

const refining = (metas: readonly XmlNode[], id: string, property: string): string =>
  metas.find(
    (meta) => id && meta.attribute('refines') === `#${id}` && meta.attribute('property') === property,
  )?.own ?? ''

/** Calibre writes the year 101 for an unknown date. */
const dayOf = (date: string | undefined): string | undefined =>
  date?.startsWith('01') ? undefined : date || undefined

/** EPUB 3 refines a collection with its type and the book's position; Calibre uses two EPUB 2 fields for one series. */
function seriesIn(metas: readonly XmlNode[]): FoundSeries[] {
  const collections = metas
    .filter((meta) => meta.attribute('property') === 'belongs-to-collection')
    .flatMap((meta) => {
      const id = meta.attribute('id')
      const type = refining(metas, id, 'collection-type') || 'series'
      return meta.own && type === 'series'
        ? [{ name: meta.own, number: refining(metas, id, 'group-position') || undefined }]
        : []
    })
  if (collections.length > 0) return collections
  const calibre = (name: string) =>
    metas.find((meta) => meta.attribute('name') === `calibre:${name}`)?.attribute('content') || undefined
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
