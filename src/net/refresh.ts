import { oneAtATime, TOKEN_LOCK } from './one-at-a-time.ts'
import { isTryLater, NetProblem } from './problem.ts'
import { settings, type Tokens, ownerOf } from './settings.ts'

/**
 * Long, for slow networks: a refresh token is used up once it has been sent, so giving up early would cost
 * the session.
 */
const REFRESH_TIMEOUT_MS = 20_000

/**
 * A token that was refused to a background call; a screen's call with the same token may still be running.
 */
let refusedUnseen: string | undefined

/**
 * A token to replay with after `usedToken` was answered 401, or undefined if the session is over. Never
 * another account's token: one user's call must not be repeated as another. One context refreshes and the
 * others use its result: refresh tokens can be used once (trap 20).
 *
 * @throws {NetProblem} if the server didn't decide whether the session is valid; the tokens stay (SESS-09).
 */
export function renewToken(usedToken: string, background: boolean): Promise<string | undefined> {
  return oneAtATime(TOKEN_LOCK, async () => {
    const kept = await settings.tokens.readNewest()
    if (!kept) {
      if (!background && usedToken === refusedUnseen) reportRefused(usedToken, background)
      return undefined
    }
    const isSameOwner = ({ token }: Tokens) => ownerOf(token) === ownerOf(usedToken)
    if (!isSameOwner(kept)) return undefined
    if (kept.token !== usedToken) return kept.token

    if (!kept.refreshToken) {
      await settings.tokens.clear()
      settings.onSessionEnded({ reason: 'no-refresh-token', background })
      return undefined
    }
    const renewed = await refresh(kept.refreshToken)
    if (renewed === 'removed') {
      // Keep the tokens until the removal deletes them: if it is interrupted, the next call triggers it again.
      settings.onSessionEnded({ reason: 'removed', background })
      return undefined
    }
    if (!renewed) {
      await settings.tokens.clear()
      reportRefused(usedToken, background)
      return undefined
    }
    if ((await settings.tokens.read())?.token !== usedToken || !isSameOwner(renewed)) return undefined
    await settings.tokens.write(renewed)
    return renewed.token
  })
}

/** If a background call was refused first, the screen's own call must still be reported (SESS-09). */
function reportRefused(token: string, background: boolean) {
  refusedUnseen = background ? token : undefined
  settings.onSessionEnded({ reason: 'refused', background })
}

async function refresh(refreshToken: string): Promise<Tokens | 'removed' | undefined> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are held to the contract
    const pair = (await settings.exchange({
      method: 'POST',
      path: '/api/token/refresh',
      json: { refresh_token: refreshToken, ...(await settings.device()) },
      timeoutMs: REFRESH_TIMEOUT_MS,
      anonymous: true,
    })) as { token: string; refresh_token: string }
    return { token: pair.token, refreshToken: pair.refresh_token }
  } catch (problem) {
    if (!(problem instanceof NetProblem)) throw problem
    if (problem.status === 410) return 'removed'
    if (problem.kind === 'refused' && !isTryLater(problem.status)) return undefined
    /**
     * The refresh failed, not the call. Passed on unchanged, it would look like the call's own answer
     * (SESS-09, SESS-11).
     */
    throw problem.kind === 'server' ? new NetProblem('server', 503, {}, problem.retryAfterSeconds) : problem
  }
}
