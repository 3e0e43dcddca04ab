import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ElementType, parseDocument } from 'htmlparser2'
import { type Entry, openPromise } from 'yauzl'
import { mediaPath, typeOf } from '../../integrations/media/paths.ts'
import type { Shop } from '../../shop.ts'
import { mediaEntry, textEntry, type ZipEntry } from '../media/zip.ts'
import { markSentences, type MarkedSentence } from './mark-sentences.ts'

export interface SpokenChapter {
  readonly number: number
  readonly sha256: string
  readonly extension: string
  readonly durationMs: number
  /** In the order of the sound; times in hundredths of a second. */
  readonly sentences: readonly (MarkedSentence & { readonly start: number })[]
}

/** The entries of an EPUB, and what removes the unpacked file when they are sent. */
interface SpokenEpub {
  readonly entries: readonly ZipEntry[]
  readonly close: () => Promise<void>
}

/** A new folder next to the package document, so that no file of the publisher is replaced. */
const FOLDER = 'murmur-spoken'
/** Bytes; what the analysis reads. */
const LARGEST_PART = 16 * 1024 * 1024

/**
 * The e-book with its audiobook: an EPUB 3 with media overlays (EPUB 3.3, 9). Undefined for an EPUB 2, one with media
 * overlays of its own, and one in which no sentence is at its place. @throws MissingMedia
 */
export async function spokenEpub(
  { media, config }: Pick<Shop, 'media' | 'config'>,
  textId: string,
  chapters: readonly SpokenChapter[],
): Promise<SpokenEpub | undefined> {
  await mkdir(config.dataDir, { recursive: true })
  const folder = await mkdtemp(join(config.dataDir, 'spoken-'))
  const path = join(folder, 'text.epub')
  await pipeline(
    await media.stream(mediaPath({ sha256: textId, extension: 'epub' })),
    createWriteStream(path),
  )
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const close = async () => {
    zip.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const files = new Map<string, Entry>()
    for await (const entry of zip.eachEntry())
      if (!entry.fileName.endsWith('/')) files.set(entry.fileName, entry)
    const read = async (name: string) => {
      const entry = files.get(name)
      if (!entry || entry.uncompressedSize > LARGEST_PART) return undefined
      return (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8')
    }
    const changed = await withOverlays(read, chapters)
    if (!changed) {
      await close()
      return undefined
    }
    const sounds = await Promise.all(
      chapters
        .filter(({ number }) => changed.spoken.has(number))
        .map((chapter) =>
          mediaEntry(media, posix.join(changed.folder, soundName(chapter)), mediaPath(chapter)),
        ),
    )
    const entries = [
      // First in the file and not compressed: by this an EPUB is recognised.
      textEntry('mimetype', 'application/epub+zip'),
      ...[...files]
        .filter(([name]) => name !== 'mimetype' && !changed.texts.has(name))
        .map(([name, entry]) => ({
          name,
          bytes: entry.uncompressedSize,
          open: () => zip.openReadStreamPromise(entry),
        })),
      ...[...changed.texts].map(([name, text]) => textEntry(name, text)),
      ...sounds,
    ]
    return { entries, close }
  } catch (error) {
    await close()
    throw error
  }
}

const soundName = ({ number, extension }: SpokenChapter): string =>
  `${String(number).padStart(4, '0')}.${extension}`

interface WithOverlays {
  /** New and changed files. */
  readonly texts: ReadonlyMap<string, string>
  readonly folder: string
  /** Chapters with sentences. */
  readonly spoken: ReadonlySet<number>
}

interface Section {
  readonly index: number
  readonly id: string
  readonly href: string
  /** Where `media-overlay` goes in the package document. */
  readonly attributesAt: number
}

async function withOverlays(
  read: (name: string) => Promise<string | undefined>,
  chapters: readonly SpokenChapter[],
): Promise<WithOverlays | undefined> {
  const opf = /full-path\s*=\s*["']([^"']+)/.exec((await read('META-INF/container.xml')) ?? '')?.[1]
  const source = opf && (await read(opf))
  const book = source && packageIn(source)
  if (!opf || !source || !book) return undefined
  const base = posix.dirname(opf)
  const folder = posix.join(base, FOLDER)
  const texts = new Map<string, string>()
  const places: Place[] = chapters.flatMap((chapter) =>
    chapter.sentences.map((sentence) => ({ chapter, ...sentence, section: sectionOf(sentence.cfi) })),
  )
  const clips: Clip[] = []
  for (const section of book.sections) {
    const own = places.filter((place) => place.section === section.index)
    const name = posix.join(base, section.href)
    const xhtml = own.length > 0 ? await read(name) : undefined
    if (xhtml === undefined) continue
    const marked = markSentences(xhtml, own)
    if (marked.ids.size === 0) continue
    texts.set(name, withStyle(marked.xhtml, posix.relative(posix.dirname(name), posix.join(folder, STYLE))))
    for (const [index, ids] of marked.ids) clips.push({ ...own[index]!, ids })
  }
  if (clips.length === 0) return undefined
  const timed = withEnds(clips)
  const overlays = book.sections.flatMap((section) => {
    const own = timed.filter(({ clip }) => clip.section === section.index)
    return own.length > 0 ? [{ section, name: `section-${section.index + 1}.smil`, own }] : []
  })
  for (const { section, name, own } of overlays)
    texts.set(posix.join(folder, name), smilOf(posix.relative(FOLDER, section.href), own))
  texts.set(posix.join(folder, STYLE), `.${ACTIVE} {\n  background-color: rgb(255 200 60 / 45%);\n}\n`)
  const spoken = new Set(clips.map(({ chapter }) => chapter.number))
  const items = [
    `<item id="murmur-style" href="${FOLDER}/${STYLE}" media-type="text/css"/>`,
    ...chapters
      .filter(({ number }) => spoken.has(number))
      .map((chapter) => {
        const name = soundName(chapter)
        return `<item id="murmur-sound-${chapter.number}" href="${FOLDER}/${name}" media-type="${typeOf(name)}"/>`
      }),
    ...overlays.map(
      ({ section, name }) =>
        `<item id="murmur-smil-${section.index + 1}" href="${FOLDER}/${name}" media-type="application/smil+xml"/>`,
    ),
  ]
  const durations = overlays.map(({ own }) => own.reduce((sum, { start, end }) => sum + end - start, 0))
  const metas = [
    `<meta property="media:active-class">${ACTIVE}</meta>`,
    `<meta property="media:duration">${clock(durations.reduce((sum, each) => sum + each, 0))}</meta>`,
    ...overlays.map(
      ({ section }, index) =>
        `<meta property="media:duration" refines="#murmur-smil-${section.index + 1}">${clock(durations[index]!)}</meta>`,
    ),
  ]
  texts.set(
    opf,
    inserted(source, [
      { at: book.metadataEnd, markup: metas.join('\n') },
      { at: book.manifestEnd, markup: items.join('\n') },
      ...overlays.map(({ section }) => ({
        at: section.attributesAt,
        markup: ` media-overlay="murmur-smil-${section.index + 1}"`,
      })),
    ]),
  )
  return { texts, folder, spoken }
}

const STYLE = 'spoken.css'
const ACTIVE = 'murmur-spoken'

/** Undefined for an EPUB 2, and for one with media overlays. */
function packageIn(source: string) {
  const { children } = parseDocument(source, { xmlMode: true, withStartIndices: true, withEndIndices: true })
  const elementsOf = (node: { readonly children: typeof children } | undefined) =>
    (node?.children ?? []).flatMap((child) => (child.type === ElementType.Tag ? [child] : []))
  // Added markup has no prefix, so neither may the package have one.
  const book = elementsOf({ children }).find(({ name }) => name === 'package')
  const [metadata, manifest, spine] = ['metadata', 'manifest', 'spine'].map((name) =>
    elementsOf(book).find((element) => element.name === name),
  )
  const isEpub3 = book?.attribs.version?.startsWith('3') === true
  if (!isEpub3 || !metadata?.endIndex || !manifest?.endIndex || !spine) return undefined
  const items = elementsOf(manifest)
  if (items.some(({ attribs }) => attribs['media-overlay'])) return undefined
  const sections = elementsOf(spine).flatMap(({ attribs: { idref } }, index): Section[] => {
    const item = items.find(({ attribs }) => attribs.id === idref)
    const href = item?.attribs.href
    if (!item || !href || item.startIndex === null) return []
    return [
      {
        index,
        id: idref!,
        href: posix.normalize(decodeURIComponent(href)),
        attributesAt: item.startIndex + 1 + item.name.length,
      },
    ]
  })
  const endTag = (element: { readonly endIndex: number | null }) =>
    source.lastIndexOf('</', element.endIndex!)
  return { sections, metadataEnd: endTag(metadata), manifestEnd: endTag(manifest) }
}

/** `epubcfi(/6/4!…)` is in the second file of the spine. */
const sectionOf = (cfi: string): number => Number(/^epubcfi\(\/\d+\/(\d+)!/.exec(cfi)?.[1] ?? 0) / 2 - 1

interface Place extends MarkedSentence {
  readonly chapter: SpokenChapter
  readonly start: number
  readonly section: number
}

interface Clip extends Place {
  readonly ids: readonly string[]
}

interface TimedClip {
  readonly clip: Clip
  readonly start: number
  readonly end: number
}

/** Players leave out sound between clips, so each one reaches to the next, the first from the start, the last to the end. */
function withEnds(clips: readonly Clip[]): TimedClip[] {
  const byChapter = Map.groupBy(clips, ({ chapter }) => chapter.number)
  return [...byChapter.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.start - b.start)
    const length = Math.floor(sorted[0]!.chapter.durationMs / 10)
    const starts = sorted.map(({ start }, index) => (index === 0 ? 0 : Math.min(start, length)))
    return sorted.flatMap((clip, index) => {
      const timed = { clip, start: starts[index]!, end: starts[index + 1] ?? length }
      return timed.end > timed.start ? [timed] : []
    })
  })
}

function smilOf(text: string, clips: readonly TimedClip[]): string {
  const href = encodeURI(text)
  const pars = clips.flatMap(({ clip: { ids, chapter }, start, end }) =>
    ids.map((id, part) => {
      // The parts of a sentence that is in several elements share its time.
      const at = (share: number) => clock(start + ((end - start) * share) / ids.length)
      return `<par id="par-${id}"><text src="${href}#${id}"/><audio src="${soundName(chapter)}" clipBegin="${at(part)}" clipEnd="${at(part + 1)}"/></par>`
    }),
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" version="3.0"><body><seq id="section" epub:textref="${href}">
${pars.join('\n')}
</seq></body></smil>
`
}

const clock = (hundredths: number): string => `${(Math.round(hundredths) / 100).toFixed(2)}s`

const withStyle = (xhtml: string, href: string): string =>
  xhtml.replace(/<\/head\s*>/i, (end) => `<link rel="stylesheet" type="text/css" href="${href}"/>${end}`)

function inserted(
  source: string,
  insertions: readonly { readonly at: number; readonly markup: string }[],
): string {
  let text = source
  for (const { at, markup } of insertions.toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + markup + text.slice(at)
  return text
}
