import { EqualsIcon } from '@phosphor-icons/react/dist/csr/Equals'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { announce } from '#ui/announce.ts'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import styles from './queue.module.css'
import { Row } from './Row.tsx'
import { useDragging } from './use-dragging.ts'

export interface ArrangedRow {
  readonly id: string
  readonly entry: ShelfEntry
  readonly words: string
}

interface ArrangedRowsProps {
  rows: readonly ArrangedRow[]
  /** "your queue": said when something leaves it. */
  where: string
  onMove: (id: string, to: number) => void
  onTakeOut: (row: ArrangedRow) => void
}

/** Each with a grip that drags, and that opens the same moves as words when it is pressed. */
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
    // A row that is moved in the page loses the focus that was in it.
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
          label: 'Take out',
          ruled: true,
          onSelect: () => {
            onTakeOut(opened)
            announce(`${opened.entry.title} is out of ${where}`)
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
                  label={`Move or take out ${row.entry.title}`}
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
          label={`Move or take out ${opened?.entry.title ?? ''}`}
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
