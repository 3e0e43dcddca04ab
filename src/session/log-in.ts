import type { TokenPair, User } from '#contract/account.ts'
import { call } from '#net/call.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { settings } from '#net/settings.ts'
import { asOwner, remember, tokens, newGeneration, whoseTokenIs } from './session.ts'
import { becomeUser } from './store.ts'
import { announce } from './tabs.ts'

/** @throws {NetProblem} 401 `Invalid credentials.`, 429, or the failure to load the user. */
export async function logIn(email: string, password: string): Promise<User> {
  const body = { email, password, ...(await settings.device()) }
  return openSession(await call('POST /api/login', { body, anonymous: true }))
}

/**
 * Adopts a session that the server has just opened, by a log-in or a registration. Stores nothing before the
 * server has confirmed the user: one user's tokens must never be stored with another's places.
 *
 * @throws {NetProblem} the failure to load the user.
 */
export async function openSession(pair: TokenPair): Promise<User> {
  const user = whoseTokenIs(pair.token, await call('GET /api/logged-user', { token: pair.token }))
  await oneAtATime(TOKEN_LOCK, async () => {
    await remember(user)
    await tokens.write({ token: pair.token, refreshToken: pair.refresh_token })
  })
  newGeneration()
  becomeUser(asOwner(user), user)
  announce('in')
  return user
}
