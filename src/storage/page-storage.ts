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
 * The only access to local storage and session storage. A browser that blocks them throws on any access;
 * refused values live in memory as long as the page.
 */
export const localStore = openStorage('localStorage')
export const tabStorage = openStorage('sessionStorage')

/** `listener` is called once, when the first value could not be stored. */
export function onStorageRefused(listener: () => void): void {
  notify = listener
}

/** True if some values exist only in this page's memory, so that another window would lack them. */
export const isForgetful = (): boolean => forgets

/**
 * Reloads the page and carries over the values that are only in memory, in the history entry, which survives
 * a reload. The page that reads it may be of the next release, so its name there (`unkept`) must not change.
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

/** Undefined if the browser refuses, and on the server, which has no storage. */
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
