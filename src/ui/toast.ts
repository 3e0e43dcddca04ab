export interface ToastAction {
  label: string
  onPress: () => void
}

export interface Toast {
  id: number
  text: string
  action?: ToastAction | undefined
  /** Only for a bookmark, which offers Undo beside Add note. */
  otherAction?: ToastAction | undefined
  /** How long it stays while nobody points at it. 5 s; the newsletter's answer 10 s. */
  forMilliseconds: number
}

/** One line at the bottom, one action (a bookmark has two). Never for a field's error. Returns a way to take it away. */
export function toast(
  text: string,
  options: Partial<Pick<Toast, 'action' | 'otherAction' | 'forMilliseconds'>> = {},
) {
  lastId += 1
  const next: Toast = { id: lastId, text, forMilliseconds: 5_000, ...options }
  // One at a time: nobody reads a pile of notices. One that offers something has its time, though, and news waits.
  if (showing?.action && !next.action) waiting = next
  else {
    showing = next
    waiting = undefined
  }
  notifyAll()
  return () => dismissToast(next.id)
}

export function dismissToast(id: number) {
  if (waiting?.id === id) waiting = undefined
  if (showing?.id !== id) return
  showing = waiting
  waiting = undefined
  notifyAll()
}

export const currentToast = () => showing

/** What was said last, which may still wait for its turn. */
export const newestToast = () => waiting ?? showing

export function onToastChange(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

let lastId = 0
let showing: Toast | undefined
let waiting: Toast | undefined
const listeners = new Set<() => void>()
const notifyAll = () => listeners.forEach((listener) => listener())
