import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { announce } from '#ui/announce.ts'

interface ReorderOptions {
  readonly count: number
  readonly nameOf: (index: number) => string
  readonly onMove: (from: number, to: number) => void
}

/**
 * Rows that are put into order: dragged by their grip, or moved with Alt and an arrow key. Each move is announced. The
 * list's children are the rows, in order.
 */
export function useReorder<List extends HTMLElement>({ count, nameOf, onMove }: ReorderOptions) {
  const list = useRef<List>(null)
  const [moving, setMoving] = useState<number>()
  const dragged = useRef<number>(undefined)

  const move = (from: number, to: number) => {
    if (to < 0 || to >= count) return false
    onMove(from, to)
    announce(`${nameOf(from)}, ${to + 1} of ${count}`)
    return true
  }
  const onKeyDown = (index: number) => (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!step || !event.altKey) return
    event.preventDefault()
    if (!move(index, index + step)) return
    // The browser takes the focus from an element that moves in the page.
    requestAnimationFrame(() =>
      list.current?.children[index + step]?.querySelector<HTMLElement>('.grip')?.focus(),
    )
  }
  const onPointerDown = (index: number) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    dragged.current = index
    setMoving(index)
  }
  const onPointerMove = ({ clientY }: PointerEvent<HTMLElement>) => {
    const from = dragged.current
    const rows = list.current?.children
    if (from === undefined || !rows) return
    const above = rows[from - 1]?.getBoundingClientRect()
    const below = rows[from + 1]?.getBoundingClientRect()
    const to =
      above && clientY < above.top + above.height / 2
        ? from - 1
        : below && clientY > below.top + below.height / 2
          ? from + 1
          : from
    if (to === from || !move(from, to)) return
    dragged.current = to
    setMoving(to)
  }
  const end = () => {
    dragged.current = undefined
    setMoving(undefined)
  }
  return {
    list,
    moving,
    /** For the button of a row. */
    grip: (index: number) => ({
      type: 'button' as const,
      className: 'icon-button grip',
      'aria-label': `Move ${nameOf(index)}`,
      'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown',
      title: 'Drag, or press Alt and an arrow key',
      onKeyDown: onKeyDown(index),
      onPointerDown: onPointerDown(index),
      onPointerMove,
      onPointerUp: end,
      onPointerCancel: end,
    }),
  }
}

export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from)
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)]
}

export const replaced = <Item>(items: readonly Item[], index: number, change: Partial<Item>): Item[] =>
  items.map((item, at) => (at === index ? { ...item, ...change } : item))
