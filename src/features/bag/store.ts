import { create } from 'zustand'
import { localStore } from '#storage/page-storage.ts'
import { currentSession, useSession } from '#session/store.ts'

export const CART_KEY = 'cartId'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface BagState {
  /** The id of the visitor's bag on this device; an account's bag needs none. */
  readonly cartId: string | null
  readonly joinFailed: boolean
}

export const useBagStore = create<BagState>()(() => ({ cartId: readCartId(), joinFailed: false }))

export const guestCart = (): string | null => useBagStore.getState().cartId

export function storeCartId(cartId: string): void {
  localStore.setItem(CART_KEY, cartId)
  useBagStore.setState({ cartId })
}

/** Only if it is still the same bag: another tab may have created a new one. */
export function dropCart(cartId: string): void {
  if (localStore.getItem(CART_KEY) === cartId) localStore.removeItem(CART_KEY)
  if (guestCart() === cartId) useBagStore.setState({ cartId: readCartId() })
}

export const readCartAgain = (): void => useBagStore.setState({ cartId: readCartId() })

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

/** True between log-in and the merge, while the account's bag is still incomplete. */
export function useIsJoining(): boolean {
  const user = useSession((state) => state.status === 'user')
  return useBagStore(({ cartId, joinFailed }) => user && cartId !== null && !joinFailed)
}

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
