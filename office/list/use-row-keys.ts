import { type RefObject, useEffect } from 'react'
import { isFree } from '../shell/use-shell-keys.ts'
import { useMe } from '../net/me.ts'

interface RowKeys {
  readonly count: number
  /** The row that has the keyboard; -1 for none. In a ref, because a focused row looks the same without a render. */
  readonly focused: RefObject<number>
  readonly onMove: (row: number) => void
  readonly onSelect: ((row: number) => void) | undefined
  readonly onClear: () => boolean
}

/** J and K move, X selects, Esc clears the selection. Enter needs no code, because the row's link has the focus. */
export function useRowKeys({ count, focused, onMove, onSelect, onClear }: RowKeys): void {
  const { singleKeys } = useMe()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !isFree(event)) return
      if (event.key === 'Escape') {
        if (onClear()) event.preventDefault()
        return
      }
      if (!singleKeys) return
      const row = focused.current
      if (event.key === 'j') onMove(Math.min(row + 1, count - 1))
      else if (event.key === 'k') onMove(Math.max(row - 1, 0))
      else if (event.key === 'x' && row >= 0) onSelect?.(row)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [count, focused, onMove, onSelect, onClear, singleKeys])
}
