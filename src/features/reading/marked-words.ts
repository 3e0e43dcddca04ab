import { Overlayer } from 'foliate-js/overlayer.js'
import type { View } from 'foliate-js/view.js'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'

export interface ChosenWords {
  readonly locator: string
  readonly quote: string
}

export interface MarkedWords {
  show: (locators: readonly string[]) => void
  /** Marks a search hit, and removes the previous mark. */
  point: (locator: string | undefined) => void
  letGo: () => void
  /** True if the last tap was on a highlight, so it must not turn the page. */
  tookTap: () => boolean
}

interface MarkEvents {
  /** Undefined once the selection is empty. */
  onChoose: (words: ChosenWords | undefined) => void
  onHighlight: (locator: string) => void
}

/** Works behind dark and light text: the drawing is translucent. */
const INK = '#e0a800'
const FOUND_INK = '#8f7ee6'

export function markWords(view: View, { onChoose, onHighlight }: MarkEvents): MarkedWords {
  let shown: readonly string[] = []
  let found: string | undefined
  let tookTap = false
  /** A CFI of another edition can't be resolved. */
  const draw = (value: string) => void view.addAnnotation({ value }).catch(() => undefined)

  view.addEventListener('draw-annotation', ({ detail: { draw: drawAs, annotation } }) =>
    drawAs(Overlayer.highlight, { color: annotation.value === found ? FOUND_INK : INK }),
  )
  view.addEventListener('create-overlay', () => {
    shown.forEach(draw)
    if (found) draw(found)
  })
  view.addEventListener('show-annotation', ({ detail: { value } }) => {
    tookTap = true
    onHighlight(value)
  })
  view.addEventListener('load', ({ detail: { doc, index } }) => {
    doc.addEventListener('selectionchange', () => {
      const selection = doc.getSelection()
      const quote = selection?.toString().replaceAll(/\s+/g, ' ').trim() ?? ''
      const words = selection && !selection.isCollapsed ? withinText(selection.getRangeAt(0)) : undefined
      if (!words || quote === '' || quote.length > BOOKMARK_NOTE_LENGTH) return onChoose(undefined)
      onChoose({ locator: view.getCFI(index, words), quote })
    })
  })

  return {
    show(locators) {
      const before = shown
      shown = locators
      for (const value of before)
        if (!locators.includes(value)) void view.deleteAnnotation({ value }).catch(() => undefined)
      for (const value of locators) if (!before.includes(value)) draw(value)
    },
    point(locator) {
      if (found && !shown.includes(found)) void view.deleteAnnotation({ value: found }).catch(() => undefined)
      found = locator
      if (locator) draw(locator)
    },
    letGo: () => view.deselect(),
    tookTap() {
      const took = tookTap
      tookTap = false
      return took
    },
  }
}

/**
 * The same text from its first to its last letter: a CFI between elements, as from a triple click on a
 * paragraph, would have no length.
 */
export function withinText(range: Range): Range | undefined {
  const { commonAncestorContainer: root, startContainer, startOffset, endContainer, endOffset } = range
  const doc = startContainer.ownerDocument
  if (!doc) return undefined
  const walker = doc.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const inside = [root, ...nodesOf(walker)].filter(
    (node): node is Text =>
      node.nodeType === Node.TEXT_NODE &&
      range.intersectsNode(node) &&
      (node === startContainer || node === endContainer || (node.textContent ?? '').trim() !== ''),
  )
  const first = inside.find((node) => node !== startContainer || startOffset < node.length)
  const last = inside.findLast((node) => node !== endContainer || endOffset > 0)
  if (!first || !last) return undefined
  const words = doc.createRange()
  words.setStart(first, first === startContainer ? startOffset : 0)
  words.setEnd(last, last === endContainer ? endOffset : last.length)
  return words
}

function* nodesOf(walker: TreeWalker): Generator<Node> {
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node
}
