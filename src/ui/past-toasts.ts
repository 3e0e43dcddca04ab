import { currentToast, dismissToast, newestToast, onToastChange } from './toast.ts'

/** This file is loaded beside the first view, not in it, so notices from before that are not remembered. */
export interface PastToast {
  readonly id: number
  readonly text: string
  readonly atMs: number
}

const MOST = 20
let past: readonly PastToast[] = []
const listeners = new Set<() => void>()

function remember(): void {
  const newest = newestToast()
  if (!newest || newest.id <= (past[0]?.id ?? 0)) return
  past = [{ id: newest.id, text: newest.text, atMs: Date.now() }, ...past].slice(0, MOST)
  listeners.forEach((listener) => listener())
}
remember()
onToastChange(remember)

/** The notices of this tab, newest first, also those that gave way unseen: the same array until another one comes. */
export const pastToasts = () => past

export function onPastToasts(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Nothing that was said to one person is read by the next. */
export function forgetToasts(): void {
  for (let shown = currentToast(); shown; shown = currentToast()) dismissToast(shown.id)
  past = []
  listeners.forEach((listener) => listener())
}
