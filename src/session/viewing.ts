import { localStore, tabStorage } from '#storage/page-storage.ts'

/** A tab in which a member of staff sees the shop as somebody else (contract/office/people.ts). */
interface View {
  readonly token: string
  readonly name: string
  readonly endsAt: string
}

const KEY = 'viewing'
const FRAGMENT = '#view='

/**
 * Null in every other tab, and on the server. Import it before anything that reads storage: the tab has a storage of
 * its own in memory, so that the log-in and the data of whoever uses this browser stay as they are, and nothing of the
 * other person is stored.
 */
export const viewing: View | null = typeof document === 'undefined' ? null : takeView()

function takeView(): View | null {
  if (location.hash.startsWith(FRAGMENT)) {
    tabStorage.setItem(KEY, readable(location.hash.slice(FRAGMENT.length)))
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  const kept = tabStorage.getItem(KEY)
  if (!kept) return null
  const view = parsed(kept)
  if (!view) return null
  keepInMemory()
  localStore.setItem('token', view.token)
  return view
}

function readable(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
    return new TextDecoder().decode(bytes)
  } catch {
    return ''
  }
}

function parsed(text: string): View | null {
  try {
    const { token, name, endsAt }: Partial<Record<keyof View, unknown>> = JSON.parse(text)
    return typeof token === 'string' && typeof name === 'string' && typeof endsAt === 'string'
      ? { token, name, endsAt }
      : null
  } catch {
    return null
  }
}

/** As in a browser that blocks storage, which the app can do without. */
function keepInMemory(): void {
  const denied = () => {
    throw new DOMException('This tab stores nothing.', 'SecurityError')
  }
  for (const name of ['localStorage', 'indexedDB', 'caches'])
    Object.defineProperty(globalThis, name, { get: denied, configurable: true })
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: undefined, configurable: true })
}

/** Back to the shop as whoever uses this browser. */
export function leaveView(): void {
  tabStorage.removeItem(KEY)
  location.replace('/')
}
