import type { DeviceHere } from '#contract/account.ts'

export interface Tokens {
  token: string
  /** Absent after a log-in that returned none; then a 401 only clears the token (SESS-10). */
  refreshToken: string | undefined
}

/** Stores the tokens. Net doesn't know which storage is used. */
export interface TokenStore {
  read: () => Promise<Tokens | undefined>
  /** Synchronous `read`, for a page that is closing. */
  peek: () => Tokens | undefined
  /** Like `read`, but also finds newer tokens of another context (a tab, the worker). */
  readNewest: () => Promise<Tokens | undefined>
  write: (tokens: Tokens) => Promise<void>
  /** Gives the worker a copy: it sends what a closing page could not. */
  lend: () => Promise<void>
  clear: () => Promise<void>
}

/**
 * `refused`: the server refused the refresh. `no-refresh-token`: there was nothing to refresh with (SESS-09, 10).
 * `removed`: the owner logged this device out from another one, so its data must be removed.
 */
export type SessionEnd = { reason: 'refused' | 'no-refresh-token' | 'removed'; background: boolean }

/** Whose token a request carries: without any of these, the logged-in user's, if there is one. */
export interface Session {
  /** Sends no token even if a user is logged in, so that the answer can be shared and cached. */
  anonymous?: boolean
  /**
   * The account the call is made for. If that user isn't logged in, the call fails with its own 401: the server
   * would answer as for a visitor, often with a 200, such as a book without its sound.
   */
  as?: string
  /** A token of this one request; it is not renewed. */
  token?: string
  /** No screen waits for it: an expired session never redirects the listener. */
  background?: boolean
}

export interface Exchange extends Session {
  method: string
  path: string
  search?: URLSearchParams | undefined
  json?: unknown
  timeoutMs: number
  signal?: AbortSignal | undefined
  keepalive?: boolean | undefined
}

interface NetSettings {
  tokens: TokenStore
  onSessionEnded: (end: SessionEnd) => void
  /** Called after every call with whether our own server answered. */
  onAnswer: (answered: boolean) => void
  /** The HTTP client. A page loads it with its first call; the worker includes it. */
  exchange: (request: Exchange) => Promise<unknown>
  /** Gets a new token after this one was refused (`refresh.ts`); loaded on demand. */
  renew: (usedToken: string, background: boolean) => Promise<string | undefined>
  /** Asks who is there to prove it, after a refusal `proof_needed`. False if they don't. */
  prove: () => Promise<boolean>
  fetch: typeof fetch
  device: () => Promise<{ device?: DeviceHere }>
  /** Needed only without relative URLs: on the server and in tests. */
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
  prove: async () => false,
  // Looked up at each call: tests and development tools replace the global one.
  fetch: (input, init) => fetch(input, init),
  device: async () => ({}),
  origin: '',
}

/** Until this is called, every call is a visitor's. */
export function configureNet(change: Partial<NetSettings>) {
  Object.assign(settings, change)
}

/**
 * The user id in a token. It is part of the token, so token and owner are always consistent: between two
 * writes to local storage as well as in the worker's copy. Undefined if it is not one of the server's tokens.
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
