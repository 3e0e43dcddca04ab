import type { TokenPair, User } from '#contract/account.ts'
import { call } from '#net/call.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { settings } from '#net/settings.ts'
import { asOwner, remember, tokens, newGeneration, whoseTokenIs } from './session.ts'
import { becomeUser } from './store.ts'
import { announce } from './tabs.ts'

/** @throws {NetProblem} 401 `Invalid credentials.`, 429, or whatever kept the user from being loaded. */
export async function logIn(email: string, password: string): Promise<User> {
  const body = { email, password, ...(await settings.device()) }
  return openSession(await call('POST /api/login', { body, anonymous: true }))
}

/**
 * Takes over a session that the shop has just opened, by a log-in or by registering. Nothing is kept before the
 * server has said who this is: tokens of one user never stand beside another's places.
 *
 * @throws {NetProblem} whatever kept the user from being loaded.
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
