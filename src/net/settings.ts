import type { DeviceHere } from '#contract/account.ts'

export interface Tokens {
  token: string
  /** Absent after a log-in that gave none; then a 401 only clears the token (SESS-10). */
  refreshToken: string | undefined
}

/** Where the tokens are kept. Net reads and writes them here and knows no storage by name. */
export interface TokenStore {
  read: () => Promise<Tokens | undefined>
  /** As `read`, but at once: a page that is closing cannot wait. */
  peek: () => Tokens | undefined
  /** As `read`, and also looks where another context (a tab, the worker) may have put newer ones. */
  readNewest: () => Promise<Tokens | undefined>
  write: (tokens: Tokens) => Promise<void>
  /** Sees to it that the worker can read them too: it sends what a closing page could not. */
  lend: () => Promise<void>
  clear: () => Promise<void>
}

/**
 * `refused`: the server refused the refresh. `no-refresh-token`: there was nothing to refresh with (SESS-09, 10).
 * `removed`: the owner logged this device out from another one, so its data must be removed.
 */
export type SessionEnd = { reason: 'refused' | 'no-refresh-token' | 'removed'; background: boolean }

/** One request, as the HTTP client is asked for it. */
export interface Exchange {
  method: string
  path: string
  search?: URLSearchParams | undefined
  json?: unknown
  token?: string | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Lets the request finish after the page has closed. */
  keepalive?: boolean | undefined
}

interface NetSettings {
  tokens: TokenStore
  onSessionEnded: (end: SessionEnd) => void
  /** Told after every call whether our own server answered. */
  onAnswer: (answered: boolean) => void
  /** The HTTP client. A page fetches it with its first call; the worker has it built in. */
  exchange: (request: Exchange) => Promise<unknown>
  /** Gets a new token after this one was refused (`refresh.ts`); fetched when first needed. */
  renew: (usedToken: string, background: boolean) => Promise<string | undefined>
  fetch: typeof fetch
  /** What this browser is called, for calls that open or renew a session. */
  device: () => Promise<{ device?: DeviceHere }>
  /** Needed only where relative addresses mean nothing: on the server and in tests. */
  origin: string
}

const nobody: TokenStore = {
  read: async () => undefined,
  peek: () => undefined,
  readNewest: async () => undefined,
  write: async () => undefined,
  lend: async () => undefined,
  clear: async () => undefined,
}

export const settings: NetSettings = {
  tokens: nobody,
  onSessionEnded: () => undefined,
  onAnswer: () => undefined,
  exchange: () => Promise.reject(new Error('configureNet was not called')),
  renew: async () => undefined,
  // Looked up at each call: tests and development tools replace the global one.
  fetch: (input, init) => fetch(input, init),
  device: async () => ({}),
  origin: '',
}

/** Until this is called every call is a visitor's. */
export function configureNet(change: Partial<NetSettings>) {
  Object.assign(settings, change)
}

/**
 * Whose token this is. The shop names the account in it, so token and owner cannot come apart: not between two
 * writes to local storage, nor in the worker's copy. Undefined for what is no token of the shop.
 */
export function ownerOf(token: string | undefined): string | undefined {
  try {
    // URL-safe Base64 differs from `atob`'s in two characters, which nothing in a token of ours produces.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a token of the shop, or nothing of it is read
    return (JSON.parse(atob(token!.split('.')[1]!)) as { sub?: string }).sub
  } catch {
    return undefined
  }
}
