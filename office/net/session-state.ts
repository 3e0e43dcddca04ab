import { create } from 'zustand'

interface SessionState {
  /** The server doesn't know the session any more. What was typed stays: one signs in over the page. */
  readonly isSignedOut: boolean
  /** A call waits for the passkey. */
  readonly asking: { readonly answer: (confirmed: boolean) => void } | undefined
}

export const useSessionState = create<SessionState>()(() => ({ isSignedOut: false, asking: undefined }))

export const noteSignedOut = (): void => useSessionState.setState({ isSignedOut: true })
export const noteSignedIn = (): void => useSessionState.setState({ isSignedOut: false })

let waiting: Promise<boolean> | undefined

/** Resolves to true once the passkey was used. Calls that ask at the same time share one question. */
export function askForPasskey(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    useSessionState.setState({ asking: { answer: resolve } })
  }).finally(() => {
    waiting = undefined
    useSessionState.setState({ asking: undefined })
  })
  return waiting
}
