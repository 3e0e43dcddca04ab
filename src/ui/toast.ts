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
  // One at a time: nobody reads a pile of notices.
  showing = { id: lastId, text, forMilliseconds: 5_000, ...options }
  tellAll()
  const { id } = showing
  return () => dismissToast(id)
}

export function dismissToast(id: number) {
  if (showing?.id !== id) return
  showing = undefined
  tellAll()
}

export const currentToast = () => showing

export function onToastChange(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

let lastId = 0
let showing: Toast | undefined
const listeners = new Set<() => void>()
const tellAll = () => listeners.forEach((listener) => listener())
