import { useEffect, useRef, useState } from 'react'

/** Pages in the background are not painted. */
const LONGEST_FRAME_MS = 100

/** Waits until the browser has painted, so that a press shows before the work that it causes begins. */
export const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_FRAME_MS)
  })

/**
 * What a control shows: the value that was pressed, until the one it stands for changes.
 * @param value must keep its identity until a change was made
 */
export function usePressed<T>(value: T): [shown: T, show: (wanted: T) => void] {
  const [pressed, setPressed] = useState<{ from: T; wanted: T }>()
  const show = (wanted: T) => setPressed({ from: value, wanted })
  return [pressed?.from === value ? pressed.wanted : value, show]
}

/**
 * Makes a change after the next paint, because what follows from it, such as a new address, takes a slow phone longer
 * than a frame. Of changes within one frame only the last is made, and none once the component is gone.
 */
export function useAfterPaint<T>(change: (wanted: T) => void): (wanted: T) => void {
  const latest = useRef<(wanted: T) => void>(undefined)
  const presses = useRef(0)
  useEffect(() => {
    latest.current = change
    return () => void (latest.current = undefined)
  })
  return (wanted) => {
    const mine = ++presses.current
    void nextPaint().then(() => mine === presses.current && latest.current?.(wanted))
  }
}

/** Shows a change of a control at once and makes it after the next paint. */
export function useShownFirst<T>(
  value: T,
  change: (wanted: T) => void,
): [shown: T, press: (wanted: T) => void] {
  const [shown, show] = usePressed(value)
  const changeLater = useAfterPaint(change)
  const press = (wanted: T) => {
    show(wanted)
    changeLater(wanted)
  }
  return [shown, press]
}
