/** The part of the browser's Storage that is used: the worker's types do not know it. */
export interface KeyValueStorage {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

type StorageName = 'localStorage' | 'sessionStorage'
type Unstored = Partial<Record<StorageName, [key: string, value: string][]>>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker's types know nothing of a page
const page = globalThis as unknown as Record<StorageName, KeyValueStorage> & {
  history?: { state: { unkept?: Unstored } | null; replaceState: (state: unknown, unused: string) => void }
  location: { reload: () => void }
}

const memories: Partial<Record<StorageName, Map<string, string>>> = {}
const carried = takeCarried()
let forgets = Object.keys(carried).length > 0
let notify: (() => void) | undefined

/**
 * Local storage and session storage, asked nowhere else. A browser that blocks them throws at the first word; here
 * whatever it refuses lives as long as the page.
 */
export const localStore = openStorage('localStorage')
export const tabStorage = openStorage('sessionStorage')

/** `listener` is called once, when the first thing could not be kept. */
export function onStorageRefused(listener: () => void): void {
  notify = listener
}

/** Whether this page is all that knows something: another window would know nothing of it. */
export const isForgetful = (): boolean => forgets

/**
 * Loads the page again and takes along what only it knows, in the history entry: that outlives a reload. The page that
 * reads it may be of the next release, so its name there (`unkept`) stays.
 */
export function reloadPage(): void {
  const unkept = Object.entries(memories).map(([name, memory]) => [name, [...memory]])
  if (Object.values(memories).some(({ size }) => size > 0))
    page.history?.replaceState({ ...page.history.state, unkept: Object.fromEntries(unkept) }, '')
  page.location.reload()
}

function openStorage(name: StorageName): KeyValueStorage {
  const memory = (memories[name] = new Map(carried[name]))
  return {
    getItem: (key) => memory.get(key) ?? attempt(() => page[name].getItem(key)) ?? null,
    setItem(key, value) {
      memory.delete(key)
      if (attempt(() => (page[name].setItem(key, value), true))) return
      memory.set(key, value)
      if (forgets) return
      forgets = true
      notify?.()
    },
    removeItem(key) {
      memory.delete(key)
      attempt(() => page[name].removeItem(key))
    },
  }
}

/** Undefined where the browser refuses, and on the server, which has no such thing. */
function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

function takeCarried(): Unstored {
  const state = page.history?.state
  if (!state?.unkept) return {}
  const { unkept, ...rest } = state
  page.history?.replaceState(rest, '')
  return unkept
}
