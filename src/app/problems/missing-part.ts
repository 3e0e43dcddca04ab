import { tabStorage } from '#storage/page-storage.ts'

const NAME = 'MissingPart'

/**
 * A piece of the app that could not be fetched: its release is gone from the server, or there is no network.
 * The browser's words are the same for both (trap 16), and the router reloads the page when it reads them, also
 * in a tunnel and over a playing book. So they are replaced before it does; `MissingPart` decides.
 */
export function nameMissingParts(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = `A part of the app is missing: ${payload.message}`
    payload.name = NAME
  })
}

export const isMissingPart = (error: unknown): error is Error => error instanceof Error && error.name === NAME

const RELOADED_FOR = 'reloadedFor'

/** True once a session for each missing part: a second reload for the same one would be a loop. */
export function mayReloadFor(error: Error): boolean {
  const known = (tabStorage.getItem(RELOADED_FOR) ?? '').split('\n')
  if (known.includes(error.message)) return false
  tabStorage.setItem(RELOADED_FOR, [...known, error.message].join('\n'))
  return true
}
