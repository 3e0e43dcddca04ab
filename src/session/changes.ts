import type { User } from '#contract/account.ts'
import { call } from '#net/call.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { asOwner, remember, tokens } from './session.ts'
import { becomeUser, currentSession } from './store.ts'

/** The shop has new facts about whoever is here: a saved profile, a confirmed address. */
export async function userChanged(user: User): Promise<void> {
  if (currentSession().owner?.uuid !== user.uuid) return
  await remember(user)
  becomeUser(asOwner(user), user)
}

/** Asks the shop again who is here. */
export const reloadUser = async (): Promise<void> => userChanged(await call('GET /api/logged-user'))

/** After a change of password the same session goes on under a new token. */
export const keepToken = (token: string): Promise<void> =>
  oneAtATime(TOKEN_LOCK, async () => {
    const kept = await tokens.read()
    await tokens.write({ token, refreshToken: kept?.refreshToken })
  })
