import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Entry, openPromise } from 'yauzl'
import { REMOVED_ELEMENTS, UNWRAPPED_ELEMENTS } from '#contract/calculations/removed-elements.ts'
import { elements, firstNamed, type Markup, readMarkup, textIn } from './markup.ts'
import { sentencesOf, type Span } from './sentences.ts'

export interface TextSentence {
  readonly words: string
  /** A range in the EPUB, as the reader stores places and highlights: `epubcfi(/6/4!/4/2/6,/1:0,/1:57)`. */
  readonly cfi: string
  readonly isHeading: boolean
  /** Ids of the elements around its parts, innermost first: what a media overlay points to. */
  readonly ids: readonly string[]
}

/** A file of the spine. */
export interface TextSection {
  readonly href: string
  readonly sentences: readonly TextSentence[]
  /** Its media overlay, if the EPUB has one. */
  readonly overlay: string | undefined
}

export interface EpubText {
  /** Such as `en-GB`; empty if the EPUB does not say. */
  readonly language: string
  readonly sections: readonly TextSection[]
  /** An EPUB 3 without media overlays: the shop can add some. */
  readonly takesOverlays: boolean
  /** Files of the EPUB that media overlays need. */
  readonly read: (href: string) => Promise<string | undefined>
}

export class UnreadableText extends Error {}

/** Bytes; what the importer allows. */
const LARGEST_PART = 16 * 1024 * 1024

/** The sentences of an EPUB in reading order. @throws UnreadableText */
export async function readEpubText(path: string): Promise<EpubText> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new UnreadableText('the EPUB cannot be unpacked')
  })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const texts = new Map<string, string>()
    for (const [name, entry] of entries)
      if (/\.(?:x?html?|xml|opf|smil)$/i.test(name) && entry.uncompressedSize <= LARGEST_PART)
        texts.set(name, (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8'))
    return textOf(texts)
  } catch (error) {
    throw error instanceof UnreadableText ? error : new UnreadableText('the EPUB is damaged')
  } finally {
    zip.close()
  }
}

function textOf(texts: ReadonlyMap<string, string>): EpubText {
  const opf = /full-path\s*=\s*["']([^"']+)/.exec(texts.get('META-INF/container.xml') ?? '')?.[1]
  const source = opf && texts.get(opf)
  const document = source && firstNamed(readMarkup(source), 'package')
  if (!opf || !document) throw new UnreadableText('the EPUB has no package')
  const parts = elements(document)
  const spineAt = parts.findIndex(({ name }) => name === 'spine')
  const items = new Map(
    elements(firstNamed(parts, 'manifest') ?? { children: [] }).map(({ attributes }) => [
      attributes.id,
      attributes,
    ]),
  )
  const language = textIn(
    firstNamed(elements(firstNamed(parts, 'metadata') ?? { children: [] }), 'language') ?? nothing,
  ).trim()
  const inside = (href: string) => posix.normalize(posix.join(posix.dirname(opf), decodeURIComponent(href)))
  const sections = elements(parts[spineAt] ?? { children: [] }).flatMap(({ attributes }, index) => {
    const item = items.get(attributes.idref)
    const href = item?.href && inside(item.href)
    const xhtml = href && texts.get(href)
    if (!href || !xhtml || attributes.linear === 'no' || /\bnav\b/.test(item?.properties ?? '')) return []
    const base = `/${(spineAt + 1) * 2}/${(index + 1) * 2}!`
    const overlay = items.get(item?.['media-overlay'])?.href
    return [
      {
        href,
        sentences: sentencesIn(xhtml, base, language || 'en'),
        overlay: overlay && inside(overlay),
      },
    ]
  })
  const takesOverlays =
    document.attributes.version?.startsWith('3') === true &&
    ![...items.values()].some((item) => item['media-overlay'])
  return { language, sections, takesOverlays, read: async (href) => texts.get(href) }
}

const nothing: Markup = { name: '', text: '', attributes: {}, children: [] }

const INLINE = new Set(
  'a abbr b bdi bdo cite code dfn em font i ins kbd mark q ruby s samp small span strong sub sup time u var wbr tt big'.split(
    ' ',
  ),
)
/** Shown, and not read aloud. */
const SILENT = new Set(['rt', 'rp', 'style', 'svg', 'math', 'img', 'audio', 'video', 'table'])
const isSilent = ({ name, attributes }: Markup): boolean =>
  SILENT.has(name) ||
  attributes.hidden !== undefined ||
  /\b(?:pagebreak|noteref|doc-pagebreak|doc-noteref)\b/.test(
    `${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`,
  )

/** A run of text with its place: the path of its chunk, and how far into the chunk it starts. */
interface Piece {
  readonly text: string
  readonly path: readonly number[]
  readonly offset: number
  readonly ids: readonly string[]
}

interface Block {
  readonly pieces: Piece[]
  readonly isHeading: boolean
}

function sentencesIn(xhtml: string, base: string, language: string): TextSentence[] {
  let html: Markup | undefined
  try {
    html = firstNamed(readMarkup(xhtml), 'html')
  } catch {
    return []
  }
  const kept = html ? elements({ children: keptChildren(html) }) : []
  const bodyAt = kept.findIndex(({ name }) => name === 'body')
  const body = kept[bodyAt]
  if (!body) return []
  const blocks: Block[] = []
  collect(body, [(bodyAt + 1) * 2], { isHeading: false, ids: [] }, blocks)
  return blocks.flatMap(({ pieces, isHeading }) => {
    const text = pieces.map((piece) => piece.text).join('')
    return sentencesOf(text, language).map((span) => ({
      words: text.slice(span.start, span.end).replaceAll(/\s+/g, ' '),
      cfi: `epubcfi(${base}${rangeOf(pieces, span)})`,
      isHeading,
      ids: idsIn(pieces, span),
    }))
  })
}

const keptChildren = ({ children }: Pick<Markup, 'children'>): Markup[] =>
  children.flatMap((child) =>
    REMOVED_ELEMENTS.has(child.name)
      ? []
      : UNWRAPPED_ELEMENTS.has(child.name)
        ? keptChildren(child)
        : [child],
  )

function collect(
  element: Markup,
  path: readonly number[],
  around: Pick<Block, 'isHeading'> & Pick<Piece, 'ids'>,
  blocks: Block[],
): void {
  const isBlock = !INLINE.has(element.name)
  const id = element.attributes.id
  const here = {
    isHeading: around.isHeading || /^h[1-6]$/.test(element.name),
    ids: id ? [id, ...around.ids] : around.ids,
  }
  const begin = () => void blocks.push({ pieces: [], isHeading: here.isHeading })
  if (isBlock || blocks.length === 0) begin()
  let elementsBefore = 0
  let offset = 0
  for (const child of keptChildren(element)) {
    if (child.name === '') {
      const chunk = [...path, elementsBefore * 2 + 1]
      blocks.at(-1)!.pieces.push({ text: child.text, path: chunk, offset, ids: here.ids })
      offset += child.text.length
      continue
    }
    elementsBefore++
    offset = 0
    const childPath = [...path, elementsBefore * 2]
    if (child.name === 'br') blocks.at(-1)!.pieces.push({ text: ' ', path: childPath, offset: 0, ids: [] })
    else if (!isSilent(child)) {
      collect(child, childPath, here, blocks)
      if (!INLINE.has(child.name)) begin()
    }
  }
}

function idsIn(pieces: readonly Piece[], { start, end }: Span): string[] {
  const found = new Set<string>()
  let at = 0
  for (const { text, ids } of pieces) {
    if (at < end && at + text.length > start) for (const id of ids) found.add(id)
    at += text.length
  }
  return [...found]
}

/** The range of a part of the joined text of `pieces`, relative to its section. */
function rangeOf(pieces: readonly Piece[], { start, end }: Span): string {
  const from = pointAt(pieces, start)
  const to = pointAt(pieces, end - 1)
  let common = 0
  while (common < Math.min(from.path.length, to.path.length) - 1 && from.path[common] === to.path[common])
    common++
  const steps = (path: readonly number[]) => path.map((step) => `/${step}`).join('')
  const parent = steps(from.path.slice(0, common))
  const first = `${steps(from.path.slice(common))}:${from.offset}`
  const last = `${steps(to.path.slice(common))}:${to.offset + 1}`
  return `${parent},${first},${last}`
}

function pointAt(pieces: readonly Piece[], at: number): { path: readonly number[]; offset: number } {
  let before = 0
  for (const { text, path, offset } of pieces) {
    if (at < before + text.length) return { path, offset: offset + at - before }
    before += text.length
  }
  throw new RangeError('beyond the text')
}
