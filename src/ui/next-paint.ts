import { useCallback, useEffect, useRef, useState } from 'react'

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
 * Makes changes of a value after the next paint, because what follows from them, such as a new address, takes a slow
 * phone longer than a frame. Changes within one frame are made together, and none once the component is gone.
 * @param value must keep its identity until a change was made
 * @returns a function that keeps its identity
 */
export function useAfterPaint<T>(value: T, change: (wanted: T) => void): (step: (value: T) => T) => void {
  const latest = useRef<{ value: T; change: (wanted: T) => void }>(undefined)
  const steps = useRef<((value: T) => T)[]>([])
  // While a change is being made, such as a page that loads, the next one starts from it.
  const made = useRef<{ from: T; wanted: T }>(undefined)
  useEffect(() => {
    latest.current = { value, change }
    return () => void (latest.current = undefined)
  })
  return useCallback((step) => {
    steps.current.push(step)
    if (steps.current.length > 1) return
    void nextPaint().then(() => {
      const all = steps.current.splice(0)
      if (!latest.current) return
      const { value: from, change: make } = latest.current
      const start = made.current?.from === from ? made.current.wanted : from
      const wanted = all.reduce((reached, each) => each(reached), start)
      made.current = { from, wanted }
      make(wanted)
    })
  }, [])
}

/** Shows a change of a control at once and makes it after the next paint. */
export function useShownFirst<T>(
  value: T,
  change: (wanted: T) => void,
): [shown: T, press: (wanted: T) => void] {
  const [shown, show] = usePressed(value)
  const changeLater = useAfterPaint(value, change)
  const press = (wanted: T) => {
    show(wanted)
    changeLater(() => wanted)
  }
  return [shown, press]
}
