import { create } from 'zustand'
import { localStore } from '#storage/page-storage.ts'
import { currentSession, useSession } from '#session/store.ts'

export const CART_KEY = 'cartId'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface BagState {
  /** The visitor's bag on this device; an account's bag is found by its account. */
  readonly cartId: string | null
  /** The last try to join it to the account failed; it waits for another. */
  readonly joinFailed: boolean
}

export const useBagStore = create<BagState>()(() => ({ cartId: readCartId(), joinFailed: false }))

export const guestCart = (): string | null => useBagStore.getState().cartId

export function storeCartId(cartId: string): void {
  localStore.setItem(CART_KEY, cartId)
  useBagStore.setState({ cartId })
}

/** Only if it is still this one: another tab may have begun a new bag meanwhile. */
export function dropCart(cartId: string): void {
  if (localStore.getItem(CART_KEY) === cartId) localStore.removeItem(CART_KEY)
  if (guestCart() === cartId) useBagStore.setState({ cartId: readCartId() })
}

/** Another tab has begun a bag, or given one up. */
export const readCartAgain = (): void => useBagStore.setState({ cartId: readCartId() })

/** Whose bag this page shows: the account's, a guest's, or nobody's (no bag was begun, or it is not known yet). */
export type BagHolder =
  | { readonly kind: 'user'; readonly uuid: string }
  | { readonly kind: 'guest'; readonly cartId: string }
  | { readonly kind: 'nobody' }

export function useBagHolder(): BagHolder {
  const user = useSession((state) => (state.status === 'user' ? (state.owner?.uuid ?? null) : null))
  const ready = useSession((state) => state.ready)
  const cartId = useBagStore((state) => state.cartId)
  return holderOf(ready, user, cartId)
}

/** Between a log-in and the joined bag: what the account had before is not all that is in it. */
export function useIsJoining(): boolean {
  const user = useSession((state) => state.status === 'user')
  return useBagStore(({ cartId, joinFailed }) => user && cartId !== null && !joinFailed)
}

/** The same outside React. */
export function bagHolder(): BagHolder {
  const { ready, status, owner } = currentSession()
  return holderOf(ready, status === 'user' ? (owner?.uuid ?? null) : null, guestCart())
}

function holderOf(ready: boolean, user: string | null, cartId: string | null): BagHolder {
  if (!ready) return NOBODY
  if (user) return { kind: 'user', uuid: user }
  return cartId ? { kind: 'guest', cartId } : NOBODY
}
const NOBODY: BagHolder = { kind: 'nobody' }

function readCartId(): string | null {
  const cartId = localStore.getItem(CART_KEY)
  return cartId && UUID.test(cartId) ? cartId : null
}
