import { create } from 'zustand'
import type { User } from '#contract/account.ts'
import type { RememberedUser } from '#storage/values.ts'

/**
 * `visitor`: not logged in. `user`: logged in, perhaps not yet confirmed by the server (offline). `ended`:
 * the session expired; the device still remembers the downloads' owner (OP-18).
 */
type SessionStatus = 'visitor' | 'user' | 'ended'

export interface SessionState {
  /** False until `restore` has finished; the server's markup is always a visitor's. */
  ready: boolean
  status: SessionStatus
  /** The server's answer; null until it is loaded, so also offline. */
  user: User | null
  /**
   * The user whose local data may be opened: set for `user` and `ended`, except for a bookshop's account,
   * which has none.
   */
  owner: RememberedUser | null
}

const NOBODY: SessionState = { ready: false, status: 'visitor', user: null, owner: null }

export const useSession = create<SessionState>()(() => NOBODY)

/** True while a membership payment has failed and is open: it must be paid before anything new is started. */
export const useOwesPayment = (): boolean =>
  useSession((state) => state.user?.subscriptions?.some(({ paymentFailed }) => paymentFailed) === true)

/** A premium member, once the session is known (ROLE-10, ROLE-11); the server's markup is a visitor's. */
export const useIsMember = (): boolean =>
  useSession((state) => state.status === 'user' && state.user?.currentSubscription != null)

export const currentSession = (): SessionState => useSession.getState()
export const currentOwner = (): string | undefined => currentSession().owner?.uuid

export const becomeVisitor = () => useSession.setState({ ...NOBODY, ready: true })
export const becomeUser = (owner: RememberedUser | null, user: User | null) =>
  useSession.setState({ ready: true, status: 'user', owner, user })
/** The session has expired, but downloads, places and the outbox stay with their owner. */
export const becomeEnded = (owner: RememberedUser | null) =>
  useSession.setState({ ready: true, status: owner ? 'ended' : 'visitor', owner, user: null })

/** Lets an early click wait until the session is known, so that it is handled for the right user. */
export const sessionKnown = (): Promise<void> =>
  new Promise((resolve) => {
    if (currentSession().ready) return resolve()
    const stop = useSession.subscribe(({ ready }) => {
      if (!ready) return
      stop()
      resolve()
    })
  })
