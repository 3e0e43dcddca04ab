import { tabStorage } from '#storage/page-storage.ts'
import { useSession, type SessionState } from './store.ts'

/**
 * Everything in a page that belongs to a user, in the order in which it is opened. It is closed in reverse: the sound
 * stops before the places close, because its last position is written there.
 */
export const USER_SCOPES = [
  'answers',
  'places',
  'downloads',
  'ready',
  'player',
  'bag',
  'card',
  'gift',
  'checkout',
  'notices',
] as const
type UserScopeName = (typeof USER_SCOPES)[number]

/** Keys of a user's data in sessionStorage: removed when the user changes, whether or not their code is loaded. */
export const TAB_KEYS = [
  'giftWish',
  'giftKey',
  'tillDraft',
  'pendingCheckout',
  'booksAfterJoining',
  'codeAgain',
  'planCodeAgain',
  'redemptionTyped',
  'redeemedCard',
  'withdraw',
] as const
export type TabKey = (typeof TAB_KEYS)[number]

export interface UserScope {
  /** A user is known, possibly with an expired session. */
  open?: (ownerUuid: string) => unknown
  /** The same user logged in again after their session had expired. */
  resume?: (ownerUuid: string) => unknown
  /** Before a log-out, while there is still a token. It has three seconds. */
  leave?: () => unknown
  /** The user has changed or logged out. Also called if this page opened nothing. */
  close: () => unknown
}

const TAB_USER = 'person'
const registered = new Map<UserScopeName, UserScope>()
/** The user whose data this tab holds. In sessionStorage, so it survives a reload. */
let tabUser: string | undefined
let opened: string | undefined
let closing: Promise<unknown> = Promise.resolve()

/** Code that is loaded on demand registers when it is loaded, and is opened at once if a user is known. */
export function registerUserScope(name: UserScopeName, scope: UserScope): void {
  registered.set(name, scope)
  if (opened !== undefined) attempt(() => scope.open?.(opened!))
}

/** Opens and closes the registered scopes when the user changes. Call once, before the session is known; returns a stop. */
export function followUserScopes(): () => void {
  tabUser = tabStorage.getItem(TAB_USER) ?? undefined
  const look = (now: SessionState, before: SessionState | undefined) => {
    if (!now.ready) return
    // A bookshop's account opens nothing, but its typed text is removed, too.
    const next = now.owner?.uuid ?? now.user?.uuid
    if (next !== tabUser) switchUser(next)
    const owner = now.owner?.uuid
    if (!owner) return
    if (opened !== owner) open(owner)
    else if (now.status === 'user' && before?.status === 'ended') each((scope) => scope.resume?.(owner))
  }
  const stop = useSession.subscribe(look)
  look(useSession.getState(), undefined)
  return () => {
    stop()
    opened = undefined
  }
}

function open(ownerUuid: string) {
  opened = ownerUuid
  each((scope) => scope.open?.(ownerUuid))
}

function switchUser(next: string | undefined) {
  const left = tabUser
  tabUser = next
  opened = undefined
  if (left !== undefined) {
    for (const key of TAB_KEYS) tabStorage.removeItem(key)
    closing = Promise.allSettled(eachInReverse((scope) => scope.close()))
  }
  if (next === undefined) tabStorage.removeItem(TAB_USER)
  else tabStorage.setItem(TAB_USER, next)
}

/** Lets each scope send its unsaved data before a log-out. */
export const leaveUserScopes = (): Promise<unknown> =>
  Promise.allSettled(eachInReverse((scope) => scope.leave?.()))

export const userScopesClosed = (): Promise<unknown> => closing

const inOrder = () => USER_SCOPES.flatMap((name) => registered.get(name) ?? [])
const each = (work: (scope: UserScope) => unknown) => inOrder().map((one) => attempt(() => work(one)))
const eachInReverse = (work: (scope: UserScope) => unknown) =>
  inOrder()
    .toReversed()
    .map((one) => attempt(() => work(one)))

/** One failure must not stop the other scopes. */
function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (failure) {
    reportError(failure)
    return undefined
  }
}

/** Typed text in sessionStorage: survives a reload, and the way to a payment provider and back. */
export const tabNote = (key: TabKey) => ({
  write: (typed: object): void => tabStorage.setItem(key, JSON.stringify(typed)),
  read(): Readonly<Record<string, unknown>> | undefined {
    try {
      const kept: unknown = JSON.parse(tabStorage.getItem(key) ?? 'null')
      return typeof kept === 'object' && kept !== null ? { ...kept } : undefined
    } catch {
      tabStorage.removeItem(key)
      return undefined
    }
  },
  forget: (): void => tabStorage.removeItem(key),
})
