import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Fewer than these are drawn as they are. */
const WORTH_IT = 24
/** Rows that stand ready above and below what is seen. */
const AHEAD = 2
/** Until a row was measured. */
const GUESSED_ROW_PX = 320

interface Range {
  readonly columns: number
  /** Rows; the last one is not among them. */
  readonly from: number
  readonly to: number
  /** Pixels that the rows above and below would take. */
  readonly before: number
  readonly after: number
}

interface WindowedGrid {
  readonly grid: RefObject<HTMLUListElement | null>
  readonly range: Range & { readonly first: number; readonly end: number }
}

/**
 * Of a long grid that scrolls with the page, the rows that are near the view. Spacers before and after it keep the page as
 * long as it would be: elements of their own, since a padding of the grid would keep the browser from holding the view where it is.
 */
export function useWindowedGrid(count: number): WindowedGrid {
  const grid = useRef<HTMLUListElement>(null)
  const heights = useRef(new Map<number, number>())
  const isWindowed = count > WORTH_IT
  const [range, setRange] = useState<Range>({ columns: 2, from: 0, to: AHEAD * 4, before: 0, after: 0 })

  const look = () => {
    const list = grid.current
    if (!list || !isWindowed) return
    const next = rangeOf(list, count, heights.current)
    setRange((before) => (isSame(before, next) ? before : next))
  }

  useLayoutEffect(() => {
    if (!grid.current || !isWindowed) return
    measure(grid.current, range, heights.current)
    look()
  })
  useEffect(() => {
    if (!grid.current || !isWindowed) return undefined
    let width = grid.current.clientWidth
    const resized = new ResizeObserver(([entry]) => {
      if (!entry || entry.contentRect.width === width) return
      width = entry.contentRect.width
      heights.current.clear()
      look()
    })
    resized.observe(grid.current)
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      resized.disconnect()
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  })
  return {
    grid,
    range: isWindowed
      ? { ...range, first: range.from * range.columns, end: Math.min(count, range.to * range.columns) }
      : { ...range, before: 0, after: 0, first: 0, end: count },
  }
}

function rangeOf(list: HTMLUListElement, count: number, heights: ReadonlyMap<number, number>): Range {
  const columns = Math.max(1, getComputedStyle(list).gridTemplateColumns.split(' ').length)
  const rows = Math.ceil(count / columns)
  const measured = [...heights.values()]
  const guess = measured.length === 0 ? GUESSED_ROW_PX : sum(measured) / measured.length
  const heightOf = (row: number) => heights.get(row) ?? guess
  // Where the first row would stand, were it drawn.
  const spacer = list.previousElementSibling
  const top = (spacer ?? list).getBoundingClientRect().top
  let from = 0
  let before = 0
  while (from < rows - 1 && top + before + heightOf(from) < 0) before += heightOf(from++)
  let to = from
  let bottom = top + before
  while (to < rows && bottom < innerHeight) bottom += heightOf(to++)
  for (let step = 0; step < AHEAD && from > 0; step += 1) before -= heightOf(--from)
  to = Math.min(rows, Math.max(to, from + 1) + AHEAD)
  let after = 0
  for (let row = to; row < rows; row += 1) after += heightOf(row)
  return { columns, from, to, before: Math.max(0, before), after }
}

/** Every card of a row is as high as the row. */
function measure(list: HTMLUListElement, { columns, from, to }: Range, heights: Map<number, number>) {
  for (let row = from; row < to; row += 1) {
    const card = list.children[(row - from) * columns]
    const height = card instanceof HTMLElement ? card.offsetHeight : 0
    if (height > 0) heights.set(row, height)
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const isSame = (one: Range, other: Range) =>
  one.columns === other.columns &&
  one.from === other.from &&
  one.to === other.to &&
  Math.abs(one.before - other.before) < 1 &&
  Math.abs(one.after - other.after) < 1
