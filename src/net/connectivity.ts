import { isFromShop } from './from-shop.ts'
import { settings } from './settings.ts'

export type Connectivity = 'online' | 'offline' | 'checking'

/** Who answered the probe: a `stranger` is a captive portal, or a host's error page. */
type Answerer = 'shop' | 'stranger' | 'nobody'

interface ConnectivitySources {
  probe: () => Promise<Answerer>
  /** The browser's own state: false is always right, true is a guess. */
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- the server has no navigator, and is never offline
  browserOnline: () => boolean
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
const PROBE_TIMEOUT_MS = 3_000

/**
 * Tracks whether the server can be reached: not the browser's network state, but whether our own server
 * answers. `snapshot` and `subscribe` fit `useSyncExternalStore`.
 */
export function createConnectivity({ probe, browserOnline, setTimer, clearTimer }: ConnectivitySources) {
  let state: Connectivity = 'online'
  let signIn = false
  let failures = 0
  let timer: unknown
  let running: Promise<Connectivity> | undefined
  const listeners = new Set<(state: Connectivity) => void>()

  const become = (next: Connectivity, wantsSignIn = signIn) => {
    if (next === state && wantsSignIn === signIn) return
    state = next
    signIn = wantsSignIn
    for (const listener of listeners) listener(next)
  }

  const retryLater = () => {
    clearTimer(timer)
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS)
    timer = setTimer(() => void check(), wait)
  }

  const settle = (answerer: Answerer) => {
    const answered = answerer === 'shop'
    clearTimer(timer)
    failures = answered ? 0 : failures + 1
    become(answered ? 'online' : 'offline', answerer === 'stranger')
    if (!answered) retryLater()
    return state
  }

  const ask = async (): Promise<Connectivity> => {
    // Stays "offline" during a probe, or the badge would flicker every few seconds.
    if (state === 'online') become('checking')
    return settle(browserOnline() ? await probe().catch(() => 'nobody' as const) : 'nobody')
  }

  /** Probes now. Simultaneous calls share one probe. */
  const check = (): Promise<Connectivity> => {
    /**
     * Without a network the probe fails synchronously; it must not be stored, or no later call would probe
     * again.
     */
    running ??= ask().finally(() => (running = undefined))
    return running
  }

  return {
    snapshot: () => state,
    /** Offline because the network requires a sign-in first. */
    wantsSignIn: () => signIn,
    subscribe: (listener: (state: Connectivity) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    check,
    /** Records whether an ordinary call was answered. A missing answer is checked by a probe. */
    note: (answered: boolean) => {
      // Already offline: the next probe is scheduled, and failing calls must not keep postponing it.
      if (answered) {
        if (state !== 'online') settle('shop')
      } else if (state !== 'offline') void check()
    },
    lost: () => void settle('nobody'),
    stop: () => clearTimer(timer),
  }
}

/** HEAD to our own origin, with a query that no cache contains (PLAY-17). */
export async function probeOwnOrigin(): Promise<Answerer> {
  const address = `${settings.origin}/api/health?probe=${crypto.randomUUID()}`
  const response = await settings.fetch(address, {
    method: 'HEAD',
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  })
  if (isFromShop(response)) return response.status < 500 ? 'shop' : 'nobody'
  return isSignIn(response) ? 'stranger' : 'nobody'
}

/** A captive portal sends its page or a redirect to it (trap 22, RFC 6585); a host's own error is 5xx. */
const isSignIn = ({ status, type }: Response) => type === 'opaqueredirect' || status < 500 || status === 511

export const connectivity = createConnectivity({
  probe: probeOwnOrigin,
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- the server has no navigator, and is never offline
  browserOnline: () => globalThis.navigator?.onLine !== false,
  setTimer: (run, ms) => setTimeout(run, ms),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own timer comes back
  clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
})

/** Follows the browser's online and offline events; returns a stop. Call at the page's start-up. */
export function followBrowser(target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>) {
  const back = () => void connectivity.check()
  target.addEventListener('online', back)
  target.addEventListener('offline', connectivity.lost)
  // The user may have signed in to the network in another tab.
  const looked = () => connectivity.wantsSignIn() && void connectivity.check()
  target.addEventListener('focus', looked)
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- as above
  if (globalThis.navigator?.onLine === false) connectivity.lost()
  return () => {
    target.removeEventListener('online', back)
    target.removeEventListener('offline', connectivity.lost)
    target.removeEventListener('focus', looked)
    connectivity.stop()
  }
}

/**
 * The server's clock minus this device's, in milliseconds, accurate to about a second; null without an
 * answer. Uses the `Date` header of a HEAD, which needs no query and no log-in.
 */
export async function serverClockOffset(wallNow: () => number): Promise<number | null> {
  try {
    const response = await settings.fetch(`${settings.origin}/api/health?clock=${crypto.randomUUID()}`, {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(3_000),
    })
    const told = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(told) ? null : told - wallNow()
  } catch {
    return null
  }
}

export interface CheckedCatalogue {
  readonly at: number
  /** The server has more titles than this device. */
  readonly isPartial: boolean
}

let checked: CheckedCatalogue | undefined
const catalogueListeners = new Set<() => void>()

/** @param header from an answer: milliseconds, followed by `partial` if the server has more titles */
export function noteCatalogue(header: string | null): void {
  const [at, partial] = header?.split(' ') ?? []
  const isPartial = partial !== undefined
  if (!at || (checked?.at === Number(at) && checked.isPartial === isPartial)) return
  checked = { at: Number(at), isPartial }
  for (const listener of catalogueListeners) listener()
}

export const checkedCatalogue = (): CheckedCatalogue | undefined => checked
export const onCatalogue = (listener: () => void): (() => void) => {
  catalogueListeners.add(listener)
  return () => void catalogueListeners.delete(listener)
}
