import type { View } from 'foliate-js/view.js'
import type { Scheme } from './model.ts'

interface SpokenSentence {
  readonly cfi: string
  /** If false, a dotted bar beside the paragraph replaces the mark. */
  readonly isCertain: boolean
}

export interface SpokenMark {
  /** Marks a sentence, and removes the previous mark. */
  show: (sentence: SpokenSentence | undefined) => void
  /** Whether the beginning of the sentence is on the page. */
  isInView: (cfi: string) => boolean
  /** Turns to the sentence. The reader hasn't moved, so this position isn't stored. */
  bring: (cfi: string) => Promise<void>
  isBringing: () => boolean
  colour: (scheme: Scheme) => void
}

/** Prefixed as foliate's search hits, because it takes a tap on any other drawing for one on a highlight. */
const KEY = 'foliate-search:spoken'

/** Behind the words and in the margin, so that it isn't colour alone. Words keep a contrast of at least 7:1. */
export const COLOURS: Readonly<
  Record<Scheme, { readonly mark: string; readonly bar: string; readonly blend: string }>
> = {
  light: { mark: '#e9e6f5', bar: '#4a3a91', blend: 'multiply' },
  dark: { mark: '#2a2548', bar: '#b8abf2', blend: 'screen' },
  sepia: { mark: '#f2e3be', bar: '#7a3e12', blend: 'multiply' },
}
const BAR_PX = 3
const FROM_TEXT_PX = 10

export function spokenMark(view: View, given: Scheme): SpokenMark {
  let scheme = given
  let shown: SpokenSentence | undefined
  let bringing = 0

  const find = (cfi: string) => {
    const resolved = view.resolveNavigation(cfi)
    const content = view.renderer.getContents().find(({ index }) => index === resolved?.index)
    const range = resolved && content && rangeIn(resolved.anchor, content.doc)
    return range && { range, overlayer: content.overlayer }
  }
  const draw = () => {
    for (const { overlayer } of view.renderer.getContents()) overlayer?.remove(KEY)
    const found = shown && find(shown.cfi)
    if (!shown || !found) return
    const { isCertain } = shown
    found.overlayer?.add(KEY, found.range, (lines) => drawn(lines, found.range, isCertain, COLOURS[scheme]))
  }
  // The section's overlay is attached after this event.
  view.addEventListener('create-overlay', () => queueMicrotask(draw))

  return {
    show(sentence) {
      shown = sentence
      draw()
    },
    isInView(cfi) {
      const page = view.lastLocation?.range
      const range = find(cfi)?.range
      return (
        page !== undefined &&
        range !== undefined &&
        page.startContainer.ownerDocument === range.startContainer.ownerDocument &&
        page.isPointInRange(range.startContainer, range.startOffset)
      )
    },
    async bring(cfi) {
      const resolved = view.resolveNavigation(cfi)
      if (!resolved) return
      bringing++
      try {
        // Not the view's own `goTo`, which remembers each page for going back.
        await view.renderer.goTo(resolved)
      } finally {
        bringing--
      }
    },
    isBringing: () => bringing > 0,
    colour(next) {
      scheme = next
      draw()
    },
  }
}

/** Undefined if the text has no such place. */
function rangeIn(anchor: (doc: Document) => unknown, doc: Document): Range | undefined {
  try {
    const range = anchor(doc)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the book's own window, whose Range is another
    return range && typeof range === 'object' && 'startContainer' in range ? (range as Range) : undefined
  } catch {
    return undefined
  }
}

type Rect = Pick<DOMRect, 'left' | 'top' | 'width' | 'height' | 'right' | 'bottom'>

function drawn(
  lines: readonly Rect[],
  range: Range,
  isCertain: boolean,
  colours: (typeof COLOURS)[Scheme],
): SVGElement {
  const group = document.createElementNS(SVG, 'g')
  group.style.mixBlendMode = colours.blend
  const around = range.startContainer.parentElement?.closest('p, li, blockquote, h1, h2, h3, h4, h5, h6, div')
  // A paragraph has a box in each column.
  const boxes = [...(around?.getClientRects() ?? [])]
  const bars = new Map<Rect, { top: number; bottom: number }>()
  for (const line of lines) {
    const box = boxes.find(({ left, right }) => line.left >= left - 1 && line.left < right) ?? line
    const bar = bars.get(box) ?? { top: line.top, bottom: line.bottom }
    bars.set(box, { top: Math.min(bar.top, line.top), bottom: Math.max(bar.bottom, line.bottom) })
    if (isCertain) group.append(rect(line.left - 2, line.top, line.width + 4, line.height, colours.mark))
  }
  for (const [box, bar] of bars) {
    const { top, bottom } = isCertain ? bar : box
    const side = rect(box.left - FROM_TEXT_PX, top, BAR_PX, bottom - top, isCertain ? colours.bar : 'none')
    if (!isCertain) {
      side.setAttribute('stroke', colours.bar)
      side.setAttribute('stroke-dasharray', '2 5')
    }
    group.append(side)
  }
  return group
}

const SVG = 'http://www.w3.org/2000/svg'

function rect(x: number, y: number, width: number, height: number, fill: string): SVGElement {
  const drawing = document.createElementNS(SVG, 'rect')
  for (const [name, value] of Object.entries({ x, y, width, height, fill, rx: 3 }))
    drawing.setAttribute(name, String(value))
  return drawing
}

/** The CFI of the character at a tap, or undefined if the tap missed the text. */
export function locatorAt(
  view: View,
  doc: Document,
  index: number,
  x: number,
  y: number,
): string | undefined {
  const caret = caretAt(doc, x, y)
  if (!caret || caret.node.nodeType !== Node.TEXT_NODE) return undefined
  const length = caret.node.textContent?.length ?? 0
  const range = doc.createRange()
  range.setStart(caret.node, Math.max(0, caret.offset - 1))
  range.setEnd(caret.node, Math.min(length, caret.offset + 1))
  const isOnText = [...range.getClientRects()].some(
    ({ left, right, top, bottom }) =>
      x >= left - NEAR_PX && x <= right + NEAR_PX && y >= top - NEAR_PX && y <= bottom + NEAR_PX,
  )
  if (!isOnText) return undefined
  range.setStart(caret.node, Math.min(caret.offset, Math.max(0, length - 1)))
  range.collapse(true)
  return view.getCFI(index, range)
}

/** Between two lines of a paragraph. */
const NEAR_PX = 12

function caretAt(doc: Document, x: number, y: number): { node: Node; offset: number } | undefined {
  const position = doc.caretPositionFromPoint?.(x, y)
  if (position) return { node: position.offsetNode, offset: position.offset }
  // Safari has only this one.
  const range = doc.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}
