import type { TokenStore } from '#net/settings.ts'
import { useSession } from '#session/store.ts'
import { tokenOf } from './access-tokens.ts'

const tokens = () => {
  const { status, owner, user } = useSession.getState()
  const uuid = status === 'user' ? (owner ?? user)?.uuid : undefined
  return uuid === undefined ? undefined : { token: tokenOf(uuid), refreshToken: undefined }
}

/** A device that stores the tokens of the session's user. */
export const tokensOfWhoIsIn: TokenStore = {
  read: async () => tokens(),
  peek: tokens,
  readNewest: async () => tokens(),
  write: async () => undefined,
  lend: async () => undefined,
  clear: async () => undefined,
}
