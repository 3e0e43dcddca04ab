import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import type { Cart } from '#contract/bag.ts'
import { couponCode } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { receivedBag, currentBag } from '#features/bag/queries.ts'
import { call } from '#net/call.ts'
import { registerUserScope } from '#session/user-scope.ts'
import {
  afterFailure,
  appliedState,
  applyWithRetry,
  ATTEMPTS,
  couponProblem,
  needsRefresh,
  NO_DISCOUNT,
  type DiscountState,
} from './model.ts'

export const useDiscount = create<DiscountState>()(() => NO_DISCOUNT)

const bagId = (queryClient: QueryClient): string | null => currentBag(queryClient)?.uuid ?? null

const patch = (cartId: string, code: string | null) =>
  call('PATCH /api/carts/{id}/apply-coupon', { params: { id: cartId }, body: { couponCode: code } })

/**
 * From typed to valid or said why not (DISC-03); the price is the server's.
 *
 * @returns what it takes off, in pounds: 0 where it cannot be used, or another one is being looked at
 */
export async function applyCode(typed: string, queryClient: QueryClient): Promise<number> {
  const code = couponCode(typed)
  if (code === '' || useDiscount.getState().isLoading) return 0
  useDiscount.setState({ isLoading: true, error: '' })
  try {
    const cart = await applyWithRetry({
      cartId: () => bagId(queryClient),
      attempts: ATTEMPTS.apply,
      apply: (id) => patch(id, code),
    })
    await receivedBag(queryClient, cart)
    useDiscount.setState(
      cart.discount
        ? appliedState(cart.discount)
        : afterFailure(code, cart.discountMessage ?? MESSAGES.discountNotValid),
    )
    return cart.discount?.saved ?? 0
  } catch (problem) {
    useDiscount.setState(afterFailure(code, couponProblem(problem)))
    return 0
  }
}

/**
 * Takes the code away, here and from the bag. If nobody answers, the code still stands with the bag, and is shown.
 *
 * @returns whether it is gone
 */
export async function removeCode(queryClient: QueryClient): Promise<boolean> {
  const id = bagId(queryClient)
  if (!id) {
    forgetCode()
    return true
  }
  useDiscount.setState({ isLoading: true, error: '' })
  try {
    await receivedBag(queryClient, await patch(id, null))
    forgetCode()
    return true
  } catch (problem) {
    useDiscount.setState({ isLoading: false, error: couponProblem(problem) })
    return false
  }
}

/** Looks at the code again after the bag changed; a failure says nothing, and the old price stands (ERR-31). */
export async function refreshCode(queryClient: QueryClient): Promise<void> {
  const standing = useDiscount.getState()
  if (!needsRefresh(standing) || standing.isLoading) return
  const code = standing.discountCode!
  useDiscount.setState({ isLoading: true })
  try {
    const cart = await applyWithRetry({
      cartId: () => bagId(queryClient),
      attempts: ATTEMPTS.refresh,
      apply: (id) => patch(id, code),
    })
    await receivedBag(queryClient, cart)
    useDiscount.setState(cart.discount ? appliedState(cart.discount) : NO_DISCOUNT)
  } catch {
    useDiscount.setState({ isLoading: false })
  }
}

/** The bag is paid, or another one: the code went with it (ORDER-10, ORDER-12). */
export const forgetCode = (): void => useDiscount.setState(NO_DISCOUNT)

registerUserScope('discount', { close: forgetCode })

/** Shows the code stored with the bag, after a reload, in another tab or in a new session. */
export const showStandingCode = (standing: NonNullable<Cart['discount']>): void =>
  useDiscount.setState(appliedState(standing))

/**
 * Applies a code that stood on an order again, after that order was not paid.
 *
 * @returns why it cannot be used any more; undefined where it stands
 */
export async function applyCodeAgain(
  code: string,
  standing: Cart['discount'],
  queryClient: QueryClient,
): Promise<string | undefined> {
  if (standing?.discount_code === code) {
    showStandingCode(standing)
    return undefined
  }
  await applyCode(code, queryClient)
  return useDiscount.getState().error || undefined
}
