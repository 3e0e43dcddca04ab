import { within } from '#storage/wait.ts'
import type { User } from '#contract/account.ts'
import { localStore } from '#storage/page-storage.ts'
import { pageTokens } from '#storage/tokens.ts'
import { readValue, writeValue, type RememberedUser } from '#storage/values.ts'
import { call } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { lazyExchange, lazyRenew } from '#net/exchange.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type SessionEnd } from '#net/settings.ts'
import { ownerOf } from '#net/token-owner.ts'
import { followPerson } from './person.ts'
import { becomeEnded, becomeUser, becomeVisitor, currentSession } from './store.ts'
import { announce, followSessionOfOtherTabs } from './tabs.ts'

export const tokens = pageTokens(localStore)
/** Sends log-outs that could not reach the server. */
const sendPending = async () => {
  if ((await readValue('farewells'))?.length)
    await (await import('./pending-logouts.ts')).sendPendingLogouts()
}
/** The device's name only labels a list, so log-in does not wait longer for it. */
const DEVICE_MS = 1_000

export interface SessionHooks {
  /** The session ended by itself. A screen may go to `/login`; after a background call it only says so (SESS-09). */
  onEnded?: (end: SessionEnd) => void
}

/**
 * Connects net, tokens and tabs. Once, before the first call of the page; returns a stop.
 */
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
  const unfollow = followPerson()
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
 * Finds out who is here. A device that knows its user does not wait for the network: downloads start at once,
 * and the server confirms behind (trap 22). Resolves when the screen may be drawn; call again at any time.
 */
export async function restore(): Promise<void> {
  const owner = (await readValue('rememberedUser').catch(() => undefined)) ?? null
  if (!tokens.present()) return owner ? becomeEnded(owner) : becomeVisitor()
  if (!owner) return void (await loadUser())

  const { user, owner: before } = currentSession()
  // Logged in in another tab: what was asked about whoever was here before says nothing any more.
  if (before?.uuid !== owner.uuid) newGeneration()
  becomeUser(owner, user?.uuid === owner.uuid ? user : null)
  void loadUser()
}

/** True if there is a token: a guard may ask before `restore` is done (ROLE-16). */
export const hasToken = (): boolean => tokens.present()

let loading: Promise<void> | undefined
/** Counts log-ins and log-outs, so that an answer to an earlier question can be told from a current one. */
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
    // Covers a log-out in another tab as well.
    if (mine !== generation || !token) return
    whoseTokenIs(token, user)
    await remember(user)
    becomeUser(asOwner(user), user)
  } catch (problem) {
    if (!(problem instanceof NetProblem)) throw problem
    if (mine !== generation) return
    const { owner } = currentSession()
    // A broken answer ends the session, silence and a proxy's answer do not (SESS-11).
    if (problem.kind === 'server' && !problem.unreachable) await tokens.clear()
    if (tokens.present()) becomeUser(owner, null)
    else becomeEnded(owner)
  }
}

/**
 * A cached answer for another account must not decide who is logged in.
 *
 * @throws {NetProblem} as if nobody had answered.
 */
export function whoseTokenIs(token: string, user: User): User {
  if (ownerOf(token) !== user.uuid) throw new NetProblem('offline', 0)
  return user
}

/** A bookshop's account has no library, bag or places that a device could hold (ROLE-14). */
export const asOwner = ({ uuid, firstName, fullName, email, outlet }: User): RememberedUser | null =>
  outlet ? null : { uuid, firstName, fullName, email }
export const remember = (user: User) => writeValue('rememberedUser', asOwner(user)).catch(() => undefined)

/** Loaded late: only opening or renewing a session needs the browser's name. */
const deviceHere = async () => {
  const { thisDevice } = await import('./this-device.ts')
  return { device: await thisDevice() }
}
