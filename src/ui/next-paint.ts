import { useEffect, useRef, useState } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'

/** Pages in the background are not painted. */
const LONGEST_FRAME_MS = 100

/** Waits until the browser has painted, so that a press shows before the work that it causes begins. */
export const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_FRAME_MS)
  })

/** The presses on a control. Keeps its identity. */
export interface Presses<T> {
  /** The last pressed value, and the value that it replaces. */
  readonly store: StoreApi<{ pressed?: { from: T; wanted: T } }>
  /** @param step returns the pressed value for the one shown before */
  readonly press: (step: (value: T) => T) => void
}

/**
 * Changes of a value that show at once (`useShown`) and are made after the next paint, because what follows from them,
 * such as a new address, takes a slow phone longer than a frame. A press while the page of an earlier one still loads
 * starts from what that one wanted. Nothing is changed once the component is gone.
 * @param value must keep its identity until a change was made
 */
export function usePresses<T>(value: T, change: (wanted: T) => void): Presses<T> {
  const latest = useRef<{ value: T; change: (wanted: T) => void }>(undefined)
  useEffect(() => {
    latest.current = { value, change }
    return () => void (latest.current = undefined)
  })
  const [presses] = useState(() => {
    const store = createStore<{ pressed?: { from: T; wanted: T } }>(() => ({}))
    let waits = false
    const press = (step: (value: T) => T) => {
      if (!latest.current) return
      const from = latest.current.value
      store.setState({ pressed: { from, wanted: step(shownOf(from, store.getState().pressed)) } })
      if (waits) return
      waits = true
      void nextPaint().then(() => {
        waits = false
        latest.current?.change(store.getState().pressed!.wanted)
      })
    }
    return { store, press }
  })
  return presses
}

/** Returns the last pressed value until `value` changes, then `value`. */
export const useShown = <T>(value: T, { store }: Presses<T>): T =>
  shownOf(
    value,
    useStore(store, ({ pressed }) => pressed),
  )

const shownOf = <T>(value: T, pressed: { from: T; wanted: T } | undefined): T =>
  pressed && pressed.from === value ? pressed.wanted : value
