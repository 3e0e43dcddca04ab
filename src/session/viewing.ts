import { localStore, tabStorage } from '#storage/page-storage.ts'

const FRAGMENT = '#view='
/** The name of the window, which outlives its pages. */
const VIEW = 'view'
/** In session storage: `TOKEN,END,NAME`. */
export const VIEWING = 'viewing'

/**
 * A tab in which a member of staff sees the shop as somebody else. `main.tsx` calls it before anything reads storage:
 * such a tab has a storage of its own in memory, as in a browser that blocks it, so that the log-in and the data of
 * whoever uses this browser stay as they are, and nothing of the other person is stored.
 */
export function startView(): void {
  window.name = VIEW
  if (location.hash.startsWith(FRAGMENT)) {
    tabStorage.setItem(VIEWING, location.hash.slice(FRAGMENT.length))
    history.replaceState(history.state, '', location.pathname)
  }
  const denied = () => {
    throw new Error('This tab stores nothing.')
  }
  for (const name of ['localStorage', 'indexedDB', 'caches', 'BroadcastChannel'])
    Object.defineProperty(
      globalThis,
      name,
      name === 'BroadcastChannel' ? { value: undefined } : { get: denied },
    )
  localStore.setItem('token', tabStorage.getItem(VIEWING)?.split(',')[0] ?? '')
}
