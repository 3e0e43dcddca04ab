import { create } from 'zustand'
import type { User } from '#contract/account.ts'
import type { RememberedUser } from '#storage/values.ts'

/**
 * `visitor`: nobody. `user`: logged in, perhaps not confirmed by the server yet (offline). `ended`: the session
 * ended by itself; the device still knows whose downloads it holds (OP-18).
 */
type SessionStatus = 'visitor' | 'user' | 'ended'

export interface SessionState {
  /** False until `restore` knows who is here; the server's markup is always a visitor's. */
  ready: boolean
  status: SessionStatus
  /** The server's answer; null while it has not been loaded, also offline. */
  user: User | null
  /** Whose device data may be opened: set for `user` and `ended`, but for a bookshop's account, which has none. */
  owner: RememberedUser | null
}

const NOBODY: SessionState = { ready: false, status: 'visitor', user: null, owner: null }

export const useSession = create<SessionState>()(() => NOBODY)

/** Whether a payment of a membership failed and is open: it is paid before anything is begun or tried. */
export const useOwesPayment = (): boolean =>
  useSession((state) => state.user?.subscriptions?.some(({ paymentFailed }) => paymentFailed) === true)

/** A premium member, once the session is known (ROLE-10, ROLE-11); the server's markup is a visitor's. */
export const useIsMember = (): boolean =>
  useSession((state) => state.status === 'user' && state.user?.currentSubscription != null)

/** Outside React: loaders, engines, the recorder. */
export const currentSession = (): SessionState => useSession.getState()
/** The listener whose databases are open, or undefined for a visitor. */
export const currentOwner = (): string | undefined => currentSession().owner?.uuid

export const becomeVisitor = () => useSession.setState({ ...NOBODY, ready: true })
export const becomeUser = (owner: RememberedUser | null, user: User | null) =>
  useSession.setState({ ready: true, status: 'user', owner, user })
/** The server no longer knows who this is, but downloads, places and the outbox stay with their owner. */
export const becomeEnded = (owner: RememberedUser | null) =>
  useSession.setState({ ready: true, status: owner ? 'ended' : 'visitor', owner, user: null })

/** A press that comes before the session is known waits for it, so that it is made as the right person. */
export const sessionKnown = (): Promise<void> =>
  new Promise((resolve) => {
    if (currentSession().ready) return resolve()
    const stop = useSession.subscribe(({ ready }) => {
      if (!ready) return
      stop()
      resolve()
    })
  })
