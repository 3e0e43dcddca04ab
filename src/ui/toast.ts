import { create } from 'zustand'

interface ToastAction {
  label: string
  onPress: () => void
}

export interface Toast {
  id: number
  text: string
  action?: ToastAction | undefined
  /** Only for a bookmark, which offers Undo and Add note. */
  otherAction?: ToastAction | undefined
  /** How long it is shown without hover and focus. 5 s; 10 s for the newsletter's confirmation. */
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
  readonly past: readonly PastToast[]
}

const MOST_PAST = 20
const NONE: Toasts = { shown: undefined, waiting: undefined, past: [] }
let lastId = 0

export const useToasts = create<Toasts>()(() => NONE)
export const currentToast = () => useToasts.getState().shown

/**
 * One line at the bottom with one action (two for a bookmark). Never for a field's error. Returns a function
 * that dismisses it.
 */
export function toast(
  text: string,
  options: Partial<Pick<Toast, 'action' | 'otherAction' | 'forMilliseconds'>> = {},
) {
  const id = ++lastId
  const next: Toast = { id, text, forMilliseconds: 5_000, ...options }
  useToasts.setState(({ shown, past }) => ({
    // One at a time. A toast with an action keeps its full time, and a plain message waits.
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

export const forgetToasts = () => useToasts.setState(NONE)
