import { EqualsIcon } from '@phosphor-icons/react/dist/csr/Equals'
import { useLayoutEffect, useRef, useState, type ReactNode, type PointerEvent, type RefObject } from 'react'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { announce } from '#ui/announce.ts'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import styles from './queue.module.css'
import { Cover } from '#ui/Cover.tsx'

interface ArrangedRow {
  readonly id: string
  readonly entry: ShelfEntry
  readonly words: string
}

interface ArrangedRowsProps {
  rows: readonly ArrangedRow[]
  /** "your queue", for the message when a title is removed. */
  where: string
  onMove: (id: string, to: number) => void
  onTakeOut: (row: ArrangedRow) => void
}

/** Each row has a handle to drag; pressing it opens a menu with the same moves. */
export function ArrangedRows({ rows, where, onMove, onTakeOut }: ArrangedRowsProps) {
  const grip = useRef<HTMLElement>(null)
  const focusAgain = useRef<string>(undefined)
  const [menu, setMenu] = useState<{ id: string; open: boolean; fromKeyboard: boolean }>()
  const ids = rows.map(({ id }) => id)
  const move = (id: string, to: number) => {
    const index = Math.max(0, Math.min(to, rows.length - 1))
    onMove(id, index)
    announce(`${rows.find((row) => row.id === id)?.entry.title ?? ''}, ${index + 1} of ${rows.length}`)
    focusAgain.current = id
  }
  const { list, order, dragged, gripProps, wasDragged } = useDragging(ids, move)
  const key = order.join(' ')
  useLayoutEffect(() => {
    // Moving a row in the DOM removes the focus inside it.
    const id = focusAgain.current
    focusAgain.current = undefined
    if (id) list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] button`)?.focus()
  }, [key, list])

  const byId = new Map(rows.map((row) => [row.id, row]))
  const at = menu ? order.indexOf(menu.id) : -1
  const opened = menu && byId.get(menu.id)
  const entries = opened
    ? [
        { key: 'next', label: 'Next', disabled: at === 0, onSelect: () => move(opened.id, 0) },
        { key: 'up', label: 'Up', disabled: at === 0, onSelect: () => move(opened.id, at - 1) },
        {
          key: 'down',
          label: 'Down',
          disabled: at === rows.length - 1,
          onSelect: () => move(opened.id, at + 1),
        },
        {
          key: 'out',
          label: 'Remove',
          ruled: true,
          onSelect: () => {
            onTakeOut(opened)
            announce(`${opened.entry.title} is removed from ${where}`)
          },
        },
      ]
    : []
  return (
    <>
      <ol role="list" ref={list}>
        {order.map((id) => {
          const row = byId.get(id)
          if (!row) return null
          const shift = dragged?.shiftOf(id)
          return (
            <li
              key={id}
              data-row={id}
              className={cx(
                dragged?.id === id && styles.lifted,
                dragged && dragged.id !== id && styles.giving,
              )}
              style={shift ? { transform: `translateY(${shift}px)` } : undefined}
            >
              <Row entry={row.entry} words={row.words}>
                <IconButton
                  className={styles.grip}
                  label={`Move or remove ${row.entry.title}`}
                  icon={<Icon of={EqualsIcon} />}
                  aria-haspopup="menu"
                  aria-expanded={menu?.id === id && menu.open}
                  data-base-ui-swipe-ignore
                  {...gripProps(id)}
                  onClick={(event) => {
                    if (wasDragged()) return
                    grip.current = event.currentTarget
                    setMenu({ id, open: true, fromKeyboard: event.detail === 0 })
                  }}
                />
              </Row>
            </li>
          )
        })}
      </ol>
      {menu && (
        <Menu
          label={`Move or remove ${opened?.entry.title ?? ''}`}
          entries={entries}
          anchor={grip}
          open={menu.open && opened !== undefined}
          fromKeyboard={menu.fromKeyboard}
          onOpenChange={(open) => setMenu({ ...menu, open })}
        />
      )}
    </>
  )
}

interface RowProps {
  entry: ShelfEntry
  words: string
  first?: boolean
  children: ReactNode
}

export const Row = ({ entry, words, first = false, children }: RowProps) => (
  <div className={first ? styles.next : styles.row}>
    <Cover picture={entry.picture} alt="" sizes="48px" thumb className={styles.cover} />
    <div>
      <b className={styles.title}>{entry.title}</b>
      <small className={styles.words}>{words}</small>
    </div>
    {children}
  </div>
)

/** A shorter movement is a press. */
const DRAGGED_PX = 5

interface Drag {
  readonly id: string
  readonly fromY: number
  readonly boxes: readonly { readonly top: number; readonly height: number }[]
  readonly from: number
  readonly byPx: number
  readonly to: number
  readonly isMoved: boolean
}

interface Dragging {
  readonly list: RefObject<HTMLOListElement | null>
  /** The displayed order, including a move not stored yet. */
  readonly order: readonly string[]
  readonly dragged: { readonly id: string; readonly shiftOf: (id: string) => number } | undefined
  readonly gripProps: (id: string) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerCancel: () => void
  }
  /** The press that just ended was a drag, so it opens no menu. */
  readonly wasDragged: () => boolean
}

function useDragging(ids: readonly string[], onMove: (id: string, to: number) => void): Dragging {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const moved = useRef(false)
  // The dropped order, until the list has been updated.
  const [dropped, setDropped] = useState<{ readonly before: string; readonly order: readonly string[] }>()
  const key = ids.join(' ')
  if (dropped && dropped.before !== key) setDropped(undefined)
  const order = dropped?.before === key ? dropped.order : ids

  const gripProps: Dragging['gripProps'] = (id) => ({
    onPointerDown(event) {
      moved.current = false
      if (event.button !== 0 || !list.current) return
      event.currentTarget.setPointerCapture(event.pointerId)
      // The sheet would treat the same drag as a gesture to close it.
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

/** The index of the row below the middle of the dragged row. */
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
