import { type PointerEvent, type RefObject, useRef, useState } from 'react'

/** Less is a press. */
const DRAGGED_PX = 5

interface Drag {
  readonly id: string
  readonly fromY: number
  /** Where each row stands, in their order. */
  readonly boxes: readonly { readonly top: number; readonly height: number }[]
  readonly from: number
  readonly byPx: number
  readonly to: number
  readonly isMoved: boolean
}

interface Dragging {
  readonly list: RefObject<HTMLOListElement | null>
  /** As it shows, also before the move was stored. */
  readonly order: readonly string[]
  readonly dragged: { readonly id: string; readonly shiftOf: (id: string) => number } | undefined
  readonly gripProps: (id: string) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerCancel: () => void
  }
  /** The press that just ended was a drag: it opens nothing. */
  readonly wasDragged: () => boolean
}

/** Rows that are dragged by their grips, up and down. */
export function useDragging(ids: readonly string[], onMove: (id: string, to: number) => void): Dragging {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const moved = useRef(false)
  // Until the list says the same.
  const [dropped, setDropped] = useState<{ readonly before: string; readonly order: readonly string[] }>()
  const key = ids.join(' ')
  if (dropped && dropped.before !== key) setDropped(undefined)
  const order = dropped?.before === key ? dropped.order : ids

  const gripProps: Dragging['gripProps'] = (id) => ({
    onPointerDown(event) {
      moved.current = false
      if (event.button !== 0 || !list.current) return
      event.currentTarget.setPointerCapture(event.pointerId)
      // The sheet below would take the same pull as a wish to close it.
      event.stopPropagation()
      const boxes = [...list.current.children].map((row) => row.getBoundingClientRect())
      const from = order.indexOf(id)
      setDrag({ id, fromY: event.clientY, boxes, from, byPx: 0, to: from, isMoved: false })
    },
    onPointerMove(event) {
      if (drag?.id !== id) return
      const byPx = event.clientY - drag.fromY
      if (Math.abs(byPx) > DRAGGED_PX) moved.current = true
      if (moved.current) setDrag({ ...drag, byPx, to: placeOf(drag, byPx), isMoved: true })
    },
    onPointerUp() {
      if (drag?.id !== id) return
      setDrag(undefined)
      if (!moved.current || drag.to === drag.from) return
      const others = order.filter((other) => other !== id)
      setDropped({ before: key, order: others.toSpliced(drag.to, 0, id) })
      onMove(id, drag.to)
    },
    onPointerCancel: () => setDrag(undefined),
  })
  return {
    ...{ list, order, gripProps },
    wasDragged: () => moved.current,
    dragged: drag?.isMoved ? { id: drag.id, shiftOf: (id) => shiftOf(drag, order.indexOf(id)) } : undefined,
  }
}

/** The row over which the middle of the dragged one is. */
function placeOf({ boxes, from }: Drag, byPx: number): number {
  const own = boxes[from]!
  const middle = own.top + own.height / 2 + byPx
  const over = boxes.findIndex(({ top, height }) => middle < top + height)
  return over === -1 ? boxes.length - 1 : over
}

function shiftOf({ from, to, byPx, boxes }: Drag, index: number): number {
  if (index === from) return byPx
  const height = boxes[from]!.height
  if (index > from && index <= to) return -height
  return index < from && index >= to ? height : 0
}
