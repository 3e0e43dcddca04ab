import type { TokenStore } from '#net/settings.ts'
import { useSession } from '#session/store.ts'
import { tokenOf } from './access-tokens.ts'

const tokens = () => {
  const { status, owner, user } = useSession.getState()
  const uuid = status === 'user' ? (owner ?? user)?.uuid : undefined
  return uuid === undefined ? undefined : { token: tokenOf(uuid), refreshToken: undefined }
}

/** A device that holds the tokens of whoever the session says is here. */
export const tokensOfWhoIsIn: TokenStore = {
  read: async () => tokens(),
  peek: tokens,
  readNewest: async () => tokens(),
  write: async () => undefined,
  lend: async () => undefined,
  clear: async () => undefined,
}
