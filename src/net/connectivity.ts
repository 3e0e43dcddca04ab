import { settings } from './settings.ts'

export type Connectivity = 'online' | 'offline' | 'checking'

export interface ConnectivitySources {
  /** Whether our own server can be reached right now. */
  probe: () => Promise<boolean>
  /** What the browser believes; false is always right, true is a guess. */
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- on the server there is no navigator, and nobody is offline
  browserOnline: () => boolean
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
}

const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
const PROBE_TIMEOUT_MS = 3_000

/**
 * Knows whether the shop can be reached: not what the browser says of its cable, but whether our own server
 * answers. `snapshot` and `subscribe` fit `useSyncExternalStore`.
 */
export function createConnectivity({ probe, browserOnline, setTimer, clearTimer }: ConnectivitySources) {
  let state: Connectivity = 'online'
  let failures = 0
  let timer: unknown
  let running: Promise<Connectivity> | undefined
  const listeners = new Set<(state: Connectivity) => void>()

  const become = (next: Connectivity) => {
    if (next === state) return
    state = next
    for (const listener of listeners) listener(next)
  }

  const retryLater = () => {
    clearTimer(timer)
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS)
    timer = setTimer(() => void check(), wait)
  }

  const settle = (answered: boolean) => {
    clearTimer(timer)
    failures = answered ? 0 : failures + 1
    become(answered ? 'online' : 'offline')
    if (!answered) retryLater()
    return state
  }

  const ask = async (): Promise<Connectivity> => {
    // Stays "offline" while a probe is under way, or the badge would flicker every few seconds.
    if (state === 'online') become('checking')
    return settle(browserOnline() && (await probe().catch(() => false)))
  }

  /** Asks now. Several askers share one probe. */
  const check = (): Promise<Connectivity> => {
    // Without a network the probe fails synchronously; it must not be kept, or nobody would ever probe again.
    running ??= ask().finally(() => (running = undefined))
    return running
  }

  return {
    snapshot: () => state,
    subscribe: (listener: (state: Connectivity) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    check,
    /** An ordinary call was answered, or met silence. Silence is checked before it is believed. */
    note: (answered: boolean) => {
      // Already offline: the next probe is scheduled, and failing screens must not keep postponing it.
      if (answered) {
        if (state !== 'online') settle(true)
      } else if (state !== 'offline') void check()
    },
    /** The browser lost its network: no need to ask. */
    lost: () => void settle(false),
    stop: () => clearTimer(timer),
  }
}

/** HEAD to our own origin, with a query no cache has seen (PLAY-17). */
export async function probeOwnOrigin(): Promise<boolean> {
  const address = `${settings.origin}/api/health?probe=${crypto.randomUUID()}`
  const response = await settings.fetch(address, {
    method: 'HEAD',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  })
  // A captive portal answers everything with its own page; a proxy without its server answers 502.
  return response.status < 500 && /\bjson\b/.test(response.headers.get('content-type') ?? '')
}

export const connectivity = createConnectivity({
  probe: probeOwnOrigin,
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- on the server there is no navigator, and nobody is offline
  browserOnline: () => globalThis.navigator?.onLine !== false,
  setTimer: (run, ms) => setTimeout(run, ms),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own timer comes back
  clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
})

/** Follows the browser's own hints; returns a stop. For the page's start-up. */
export function followBrowser(target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>) {
  const back = () => void connectivity.check()
  target.addEventListener('online', back)
  target.addEventListener('offline', connectivity.lost)
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- as above
  if (globalThis.navigator?.onLine === false) connectivity.lost()
  return () => {
    target.removeEventListener('online', back)
    target.removeEventListener('offline', connectivity.lost)
    connectivity.stop()
  }
}
