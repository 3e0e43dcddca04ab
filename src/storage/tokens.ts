import type { TokenStore, Tokens } from '#net/settings.ts'
import type { KeyValueStorage } from './page-storage.ts'
import { readValue, removeValue, writeValue } from './values.ts'

/** These key names are required (ENT-34). */
const TOKEN = 'token'
const REFRESH_TOKEN = 'refresh_token'
const REFRESHED_AT = 'tokenRefreshedDate'

/**
 * The page's tokens: in local storage, where a screen can read them synchronously, and in a copy in
 * IndexedDB, which the worker can read and every tab sees as soon as it is written. Local storage reaches
 * other tabs a moment later, and in that moment a second tab would spend a used refresh token (trap 20).
 */
export function pageTokens(storage: KeyValueStorage): TokenStore & { present: () => boolean } {
  const read = (): (Tokens & { at: number }) | undefined => {
    const token = storage.getItem(TOKEN)
    if (!token) return undefined
    const refreshToken = storage.getItem(REFRESH_TOKEN) ?? undefined
    return { token, refreshToken, at: Date.parse(storage.getItem(REFRESHED_AT) ?? '') || 0 }
  }

  const put = ({ token, refreshToken }: Tokens, at: number) => {
    storage.setItem(TOKEN, token)
    if (refreshToken) storage.setItem(REFRESH_TOKEN, refreshToken)
    else storage.removeItem(REFRESH_TOKEN)
    storage.setItem(REFRESHED_AT, new Date(at).toISOString())
  }

  return {
    present: () => storage.getItem(TOKEN) !== null,
    read: async () => read(),
    peek: read,
    async readNewest() {
      const here = read()
      // Local storage decides whether a user is logged in; the copy only provides newer tokens.
      if (!here) return undefined
      const copy = await readValue('tokens').catch(() => undefined)
      if (!copy || copy.at <= here.at) return here
      put(copy, copy.at)
      return copy
    },
    async write(tokens) {
      const at = Date.now()
      put(tokens, at)
      await writeValue('tokens', { ...tokens, at }).catch(() => undefined)
    },
    async lend() {
      const here = read()
      if (here && !(await readValue('tokens'))) await writeValue('tokens', here)
    },
    async clear() {
      for (const key of [TOKEN, REFRESH_TOKEN, REFRESHED_AT]) storage.removeItem(key)
      await removeValue('tokens').catch(() => undefined)
    },
  }
}

/**
 * The worker's tokens: it uses them and never changes them. Without a refresh token a 401 ends its work; only
 * pages refresh tokens, so none is spent without their knowledge.
 */
export const workerTokens: TokenStore = {
  read: withoutRefresh,
  // The worker can only read them asynchronously.
  peek: () => undefined,
  readNewest: withoutRefresh,
  write: async () => undefined,
  lend: async () => undefined,
  clear: async () => undefined,
}

async function withoutRefresh(): Promise<Tokens | undefined> {
  const copy = await readValue('tokens')
  return copy && { token: copy.token, refreshToken: undefined }
}
