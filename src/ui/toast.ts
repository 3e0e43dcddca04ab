import { create } from 'zustand'

interface ToastAction {
  label: string
  onPress: () => void
}

export interface Toast {
  id: number
  text: string
  action?: ToastAction | undefined
  /** Only for a bookmark, which offers Undo beside Add note. */
  otherAction?: ToastAction | undefined
  /** How long it stays while the pointer and the focus are elsewhere. 5 s; the newsletter's answer 10 s. */
  forMilliseconds: number
}

interface PastToast {
  readonly id: number
  readonly text: string
  readonly atMs: number
}

interface Toasts {
  readonly shown: Toast | undefined
  readonly waiting: Toast | undefined
  /** Newest first, including those that another one replaced unseen. */
  readonly past: readonly PastToast[]
}

const MOST_PAST = 20
const NONE: Toasts = { shown: undefined, waiting: undefined, past: [] }
let lastId = 0

export const useToasts = create<Toasts>()(() => NONE)
export const currentToast = () => useToasts.getState().shown

/** One line at the bottom, one action (a bookmark has two). Never for a field's error. Returns a way to take it away. */
export function toast(
  text: string,
  options: Partial<Pick<Toast, 'action' | 'otherAction' | 'forMilliseconds'>> = {},
) {
  const id = ++lastId
  const next: Toast = { id, text, forMilliseconds: 5_000, ...options }
  useToasts.setState(({ shown, past }) => ({
    // One at a time. One that offers an action keeps its time, and a mere message waits.
    ...(shown?.action && !next.action ? { waiting: next } : { shown: next, waiting: undefined }),
    past: [{ id, text, atMs: Date.now() }, ...past].slice(0, MOST_PAST),
  }))
  return () => dismissToast(id)
}

export function dismissToast(id: number) {
  const { shown, waiting } = useToasts.getState()
  const next = waiting?.id === id ? undefined : waiting
  useToasts.setState(shown?.id === id ? { shown: next, waiting: undefined } : { waiting: next })
}

/** Removes what was shown to one user before the next user's page. */
export const forgetToasts = () => useToasts.setState(NONE)
