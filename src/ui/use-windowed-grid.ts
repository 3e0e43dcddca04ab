import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Shorter lists are rendered in full. */
const WORTH_IT = 24
const AHEAD = 2
/** The row height until one is measured. */
const GUESSED_ROW_PX = 320
/** Delay after the visible rows were rendered. */
const AT_EASE_MS = 30

interface Range {
  readonly columns: number
  /** Rows; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** The height of the omitted rows above and below, in pixels. */
  readonly before: number
  readonly after: number
  readonly isTight: boolean
}

interface WindowedGrid {
  readonly grid: RefObject<HTMLUListElement | null>
  readonly range: Range & { readonly first: number; readonly end: number }
}

/**
 * Renders only the rows of a long grid that are near the viewport; the grid scrolls with the page. Spacers
 * before and after it preserve the page's height: separate elements, since padding on the grid would disable
 * the browser's scroll anchoring.
 */
export function useWindowedGrid(count: number): WindowedGrid {
  const grid = useRef<HTMLUListElement>(null)
  const heights = useRef(new Map<number, number>())
  const isWindowed = count > WORTH_IT
  const [range, setRange] = useState<Range>({
    ...{ columns: 2, from: 0, to: AHEAD * 2, before: 0, after: 0, isTight: true },
  })

  const become = (next: Range) => setRange((before) => (isSame(before, next) ? before : next))
  const look = useEffectEvent(() => {
    const list = grid.current
    if (!list || !isWindowed) return
    const seen = rangeOf(list, count, heights.current)
    const isNear = seen.from < range.to && seen.to > range.from && seen.columns === range.columns
    // After a jump, render the visible rows first, and the rows around them in a separate task.
    const next = isNear && !range.isTight ? widened(seen, count) : seen
    become({ ...next, ...spacersOf(next, count, heights.current) })
  })
  const widen = useEffectEvent(() => {
    const next = widened(range, count)
    become({ ...next, ...spacersOf(next, count, heights.current) })
  })

  useLayoutEffect(() => look(), [count])
  useLayoutEffect(() => {
    if (!grid.current || !isWindowed) return
    measure(grid.current, range, heights.current)
    setRange((now) => {
      const measured = { ...now, ...spacersOf(now, count, heights.current) }
      return isSame(now, measured) ? now : measured
    })
  }, [range, count, isWindowed])
  useEffect(() => {
    if (!range.isTight || !isWindowed) return undefined
    const timer = setTimeout(() => widen(), AT_EASE_MS)
    return () => clearTimeout(timer)
  }, [range, isWindowed])
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
    const scrolled = () => look()
    addEventListener('scroll', scrolled, { passive: true })
    addEventListener('resize', scrolled)
    return () => {
      resized.disconnect()
      removeEventListener('scroll', scrolled)
      removeEventListener('resize', scrolled)
    }
  }, [isWindowed])
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
  const heightOf = heightsBy(heights)
  // The top of the first row if it were rendered.
  let top = (list.previousElementSibling ?? list).getBoundingClientRect().top
  let from = 0
  while (from < rows - 1 && top + heightOf(from) < 0) top += heightOf(from++)
  let to = from
  while (to < rows && (to === from || top < innerHeight)) top += heightOf(to++)
  return { columns, from, to, before: 0, after: 0, isTight: true }
}

const widened = (range: Range, count: number): Range => ({
  ...range,
  isTight: false,
  from: Math.max(0, range.from - AHEAD),
  to: Math.min(Math.ceil(count / range.columns), range.to + AHEAD),
})

function spacersOf({ columns, from, to }: Range, count: number, heights: ReadonlyMap<number, number>) {
  const rows = Math.ceil(count / columns)
  const heightOf = heightsBy(heights)
  let before = 0
  let after = 0
  for (let row = 0; row < from; row += 1) before += heightOf(row)
  for (let row = to; row < rows; row += 1) after += heightOf(row)
  return { before, after }
}

function heightsBy(heights: ReadonlyMap<number, number>): (row: number) => number {
  let total = 0
  for (const height of heights.values()) total += height
  const guess = heights.size === 0 ? GUESSED_ROW_PX : total / heights.size
  return (row) => heights.get(row) ?? guess
}

/** Every card is as high as its row. */
function measure(list: HTMLUListElement, { columns, from, to }: Range, heights: Map<number, number>) {
  for (let row = from; row < to; row += 1) {
    const card = list.children[(row - from) * columns]
    const height = card instanceof HTMLElement ? card.offsetHeight : 0
    if (height > 0) heights.set(row, height)
  }
}

const isSame = (one: Range, other: Range) =>
  one.columns === other.columns &&
  one.from === other.from &&
  one.to === other.to &&
  one.isTight === other.isTight &&
  Math.abs(one.before - other.before) < 1 &&
  Math.abs(one.after - other.after) < 1
