import { ElementType, parseDocument } from 'htmlparser2'
import { REMOVED_ELEMENTS, UNWRAPPED_ELEMENTS } from '#contract/calculations/removed-elements.ts'

export interface MarkedSentence {
  /** A range in the EPUB: `epubcfi(/6/4!/4/2/6,/1:0,/1:57)`. */
  readonly cfi: string
  readonly words: string
}

type Node = ReturnType<typeof parseDocument>['children'][number]
type Text = Extract<Node, { readonly data: string }>

/** A run of text of the section, where a CFI counts it. */
interface Piece {
  readonly node: Text
  /** `/4/2/6/1` */
  readonly chunk: string
  /** UTF-16 units of its chunk before it, and of its own, as a reader counts them. */
  readonly offset: number
  readonly length: number
}

/** Where an element starts or ends in the source. */
interface Insertion {
  readonly at: number
  readonly isEnd: boolean
  readonly markup: string
}

/**
 * Puts a `span` with an id around each sentence of a section. A sentence that starts in one element and ends in another
 * gets several. Returns the ids by the sentence's index; a sentence that is not at its place is left out.
 */
export function markSentences(
  xhtml: string,
  sentences: readonly MarkedSentence[],
): { readonly xhtml: string; readonly ids: ReadonlyMap<number, readonly string[]> } {
  const { children } = parseDocument(xhtml, {
    xmlMode: true,
    withStartIndices: true,
    withEndIndices: true,
    decodeEntities: false,
  })
  const root = children.find((node) => nameOf(node) === 'html')
  const pieces = root ? piecesIn(root, '') : []
  const ids = new Map<number, string[]>()
  const insertions: Insertion[] = []
  for (const [index, { cfi, words }] of sentences.entries()) {
    const range = rangeIn(pieces, cfi)
    if (!range || !isSame(range, words)) continue
    const own = spansOf(range, xhtml).map(({ from, to }, part) => {
      const id = `spoken-${index + 1}${part === 0 ? '' : `-${part + 1}`}`
      insertions.push(
        { at: from, isEnd: false, markup: `<span id="${id}">` },
        { at: to, isEnd: true, markup: '</span>' },
      )
      return id
    })
    if (own.length > 0) ids.set(index, own)
  }
  return { xhtml: withInsertions(xhtml, insertions), ids }
}

const nameOf = (node: Node): string =>
  'name' in node ? node.name.slice(node.name.indexOf(':') + 1).toLowerCase() : ''

const keptChildren = (node: Node): Node[] =>
  ('children' in node ? node.children : []).flatMap((child) => {
    const name = nameOf(child)
    return REMOVED_ELEMENTS.has(name) ? [] : UNWRAPPED_ELEMENTS.has(name) ? keptChildren(child) : [child]
  })

function piecesIn(element: Node, path: string): Piece[] {
  const pieces: Piece[] = []
  let elementsBefore = 0
  let offset = 0
  for (const child of keptChildren(element))
    if (child.type === ElementType.Text) {
      const length = unitsOf(child.data).length
      pieces.push({ node: child, chunk: `${path}/${elementsBefore * 2 + 1}`, offset, length })
      offset += length
    } else if ('children' in child && child.type === ElementType.Tag) {
      elementsBefore++
      offset = 0
      pieces.push(...piecesIn(child, `${path}/${elementsBefore * 2}`))
    }
  return pieces
}

/** The source of each UTF-16 unit that a reader sees: an entity is one character, and so is a Windows line break. */
function unitsOf(source: string): { readonly text: string; readonly length: number }[] {
  return [...source.matchAll(/&#(x[\da-f]+|\d+);|&\w+;|\r\n|[^]/gi)].flatMap(([given, code]) => {
    if (code === undefined)
      return [{ text: given === '\r\n' || given.startsWith('&') ? ' ' : given, length: given.length }]
    const number = Number(code.startsWith('x') ? `0${code}` : code)
    const text = number <= 0x10ffff ? String.fromCodePoint(number) : ' '
    return [...Array.from({ length: text.length }).keys()].map((unit) => ({
      text: text[unit]!,
      length: unit === 0 ? given.length : 0,
    }))
  })
}

interface Range {
  readonly pieces: readonly { readonly piece: Piece; readonly from: number; readonly to: number }[]
}

function rangeIn(pieces: readonly Piece[], cfi: string): Range | undefined {
  const [, parent = '', start = '', end = ''] = /^epubcfi\([^!]*!([^,]*),([^,]*),([^,)]*)\)$/.exec(cfi) ?? []
  const pointOf = (point: string) => {
    const [, chunk, offset] = /^(.*):(\d+)$/.exec(parent + point) ?? []
    return chunk === undefined ? undefined : { chunk, offset: Number(offset) }
  }
  const [from, to] = [pointOf(start), pointOf(end)]
  if (!from || !to) return undefined
  const first = pieces.findIndex(
    ({ chunk, offset, length }) =>
      chunk === from.chunk && from.offset >= offset && from.offset < offset + length,
  )
  const last = pieces.findIndex(
    ({ chunk, offset, length }) => chunk === to.chunk && to.offset > offset && to.offset <= offset + length,
  )
  if (first < 0 || last < first) return undefined
  return {
    pieces: pieces.slice(first, last + 1).map((piece, index) => ({
      piece,
      from: index === 0 ? from.offset - piece.offset : 0,
      to: first + index === last ? to.offset - piece.offset : piece.length,
    })),
  }
}

/** Another version of the text, or markup that is read otherwise, would put the mark elsewhere. */
function isSame({ pieces }: Range, words: string): boolean {
  const found = pieces
    .map(({ piece, from, to }) =>
      unitsOf(piece.node.data)
        .slice(from, to)
        .map(({ text }) => text)
        .join(''),
    )
    .join('')
  return LETTERS.some((others) => {
    const [there, wanted] = [found, words].map((text) => text.toLowerCase().replaceAll(others, ''))
    return (
      wanted !== '' &&
      there!.startsWith(wanted!.slice(0, OPENING)) &&
      there!.endsWith(wanted!.slice(-OPENING))
    )
  })
}

/** Footnote marks and the like within a sentence are not among its words, so only its ends are compared. */
const OPENING = 8
/** The second for text with entities such as `&eacute;`, which count as spaces here. */
const LETTERS = [/[^\p{L}\p{N}]/gu, /[^a-z0-9]/g]

function spansOf({ pieces }: Range, xhtml: string): { readonly from: number; readonly to: number }[] {
  const at = ({ node }: Piece, units: number) =>
    node.startIndex! +
    unitsOf(node.data)
      .slice(0, units)
      .reduce((sum, { length }) => sum + length, 0)
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  const whole = { from: at(first.piece, first.from), to: at(last.piece, last.to) }
  if (first.piece.node.parent === last.piece.node.parent) return [whole]
  return pieces
    .map(({ piece, from, to }) => ({ from: at(piece, from), to: at(piece, to) }))
    .filter(({ from, to }) => xhtml.slice(from, to).trim() !== '')
}

function withInsertions(source: string, insertions: readonly Insertion[]): string {
  // At one place, an element ends before the next one starts.
  const sorted = insertions.toSorted((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd))
  let at = 0
  const parts: string[] = []
  for (const insertion of sorted) {
    parts.push(source.slice(at, insertion.at), insertion.markup)
    at = insertion.at
  }
  return parts.join('') + source.slice(at)
}
