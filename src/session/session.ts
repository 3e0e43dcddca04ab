import { within } from '#storage/wait.ts'
import type { User } from '#contract/account.ts'
import { localStore } from '#storage/page-storage.ts'
import { pageTokens } from '#storage/tokens.ts'
import { readValue, writeValue, type RememberedUser } from '#storage/values.ts'
import { call } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type SessionEnd, ownerOf, type Exchange } from '#net/settings.ts'
import { followUserScopes } from './user-scope.ts'
import { becomeEnded, becomeUser, becomeVisitor, currentSession } from './store.ts'
import { announce, followSessionOfOtherTabs } from './tabs.ts'

export const tokens = pageTokens(localStore)
const sendPending = async () => {
  if ((await readValue('pendingLogouts'))?.length)
    await (await import('./pending-logouts.ts')).sendPendingLogouts()
}
/** The device's name only labels a list, so log-in does not wait longer for it. */
const DEVICE_MS = 1_000

interface SessionHooks {
  /** The session expired. A screen may go to `/login`; after a background call it only shows a message (SESS-09). */
  onEnded?: (end: SessionEnd) => void
}

/** Connects net, tokens and tabs. Call once, before the page's first request; returns a stop. */
export function startSession({ onEnded }: SessionHooks = {}): () => void {
  configureNet({
    exchange: lazyExchange,
    renew: lazyRenew,
    tokens,
    onAnswer: connectivity.note,
    device: async () =>
      (await within(
        DEVICE_MS,
        deviceHere().catch(() => ({})),
      )) ?? {},
    onSessionEnded: (end) => {
      becomeEnded(currentSession().owner)
      announce('ended')
      onEnded?.(end)
    },
  })
  const unfollow = followUserScopes()
  const stopFollowingTabs = followSessionOfOtherTabs(() => void restore())
  const stopWatchingNetwork = connectivity.subscribe((state) => {
    if (state === 'online') void sendPending().catch(() => undefined)
    if (state === 'online' && currentSession().status === 'user' && !currentSession().user) void loadUser()
  })
  return () => {
    unfollow()
    stopFollowingTabs()
    stopWatchingNetwork()
    newGeneration()
  }
}

/**
 * Restores the session at start-up. A device that remembers its user doesn't wait for the network: downloads start at once,
 * and the server confirms the user later (trap 22). Resolves when the screen can be rendered; safe to call again.
 */
export async function restore(): Promise<void> {
  const owner = (await readValue('rememberedUser').catch(() => undefined)) ?? null
  if (!tokens.present()) return owner ? becomeEnded(owner) : becomeVisitor()
  if (!owner) return void (await loadUser())

  const { user, owner: before } = currentSession()
  // Another tab logged a different user in: ignore answers about the previous user.
  if (before?.uuid !== owner.uuid) newGeneration()
  becomeUser(owner, user?.uuid === owner.uuid ? user : null)
  void loadUser()
}

/** Synchronous, so that a route guard can use it before `restore` is done (ROLE-16). */
export const hasToken = (): boolean => tokens.present()

let loading: Promise<void> | undefined
/** Counts log-ins and log-outs, so that answers to requests from before the last one can be ignored. */
let generation = 0

export function newGeneration() {
  generation++
  loading = undefined
}

function loadUser(): Promise<void> {
  const mine = generation
  loading ??= askForUser(mine).finally(() => {
    if (mine === generation) loading = undefined
  })
  return loading
}

async function askForUser(mine: number): Promise<void> {
  try {
    const user = await call('GET /api/logged-user', { background: currentSession().owner !== null })
    const token = tokens.peek()?.token
    if (mine !== generation || !token) return
    whoseTokenIs(token, user)
    await remember(user)
    becomeUser(asOwner(user), user)
  } catch (problem) {
    if (!(problem instanceof NetProblem)) throw problem
    if (mine !== generation) return
    const { owner } = currentSession()
    // A broken answer of the server ends the session; no answer, or a proxy's, does not (SESS-11).
    if (problem.kind === 'server' && !problem.unreachable) await tokens.clear()
    if (tokens.present()) becomeUser(owner, null)
    else becomeEnded(owner)
  }
}

/**
 * A cached answer for another account must not decide who is logged in.
 *
 * @throws {NetProblem} `offline`, as if the server had not answered.
 */
export function whoseTokenIs(token: string, user: User): User {
  if (ownerOf(token) !== user.uuid) throw new NetProblem('offline', 0)
  return user
}

/** Null for a bookshop's account, which has no library, bag or places (ROLE-14). */
export const asOwner = ({ uuid, firstName, fullName, email, outlet }: User): RememberedUser | null =>
  outlet ? null : { uuid, firstName, fullName, email }
export const remember = (user: User) => writeValue('rememberedUser', asOwner(user)).catch(() => undefined)

/** Loaded on demand: only opening or renewing a session needs the browser's name. */
const deviceHere = async () => {
  const { thisDevice } = await import('./this-device.ts')
  return { device: await thisDevice() }
}

/**
 * Sends one request. Its client is loaded with the first call, since a rendered page may never make one. For
 * pages only: a worker cannot load code later, so it imports `send.ts` itself.
 */
export const lazyExchange = async (request: Exchange): Promise<unknown> => {
  const { exchange } = await import('#net/send.ts').catch(() => {
    throw new NetProblem('offline', 0)
  })
  return exchange(request)
}

/** Loaded on demand as well: most visits never have a token refused. */
export const lazyRenew = async (usedToken: string, background: boolean): Promise<string | undefined> => {
  const { renewToken } = await import('#net/refresh.ts').catch(() => {
    throw new NetProblem('offline', 0)
  })
  return renewToken(usedToken, background)
}

/** The server returned newer data of the current user, such as a saved profile or a confirmed address. */
export async function userChanged(user: User): Promise<void> {
  if (currentSession().owner?.uuid !== user.uuid) return
  await remember(user)
  becomeUser(asOwner(user), user)
}

export const reloadUser = async (): Promise<void> => userChanged(await call('GET /api/logged-user'))

/** After a password change the session continues with a new token. */
export const keepToken = (token: string): Promise<void> =>
  oneAtATime(TOKEN_LOCK, async () => {
    const kept = await tokens.read()
    await tokens.write({ token, refreshToken: kept?.refreshToken })
  })
