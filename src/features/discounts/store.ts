import { create } from 'zustand'
import type { Cart } from '#contract/bag.ts'
import { couponCode } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { call } from '#net/call.ts'
import { belongsToPerson } from '#session/person.ts'
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

/** A bag as the discounts see it: its id once it has one, and where its new sums go. */
export interface DiscountedBag {
  readonly cartId: () => string | null
  readonly heard: (cart: Cart) => Promise<void>
  readonly wait?: (ms: number) => Promise<unknown>
}

export const useDiscount = create<DiscountState>()(() => NO_DISCOUNT)

const patch = (cartId: string, code: string | null) =>
  call('PATCH /api/carts/{id}/apply-coupon', { params: { id: cartId }, body: { couponCode: code } })

/**
 * From typed to valid or said why not (DISC-03); the price is the server's.
 *
 * @returns what it takes off, in pounds: 0 where it cannot be used, or another one is being looked at
 */
export async function applyCode(typed: string, bag: DiscountedBag): Promise<number> {
  const code = couponCode(typed)
  if (code === '' || useDiscount.getState().isLoading) return 0
  useDiscount.setState({ isLoading: true, error: '' })
  try {
    const cart = await applyWithRetry({ ...bag, attempts: ATTEMPTS.apply, apply: (id) => patch(id, code) })
    await bag.heard(cart)
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
export async function removeCode(bag: DiscountedBag): Promise<boolean> {
  const id = bag.cartId()
  if (!id) {
    forgetCode()
    return true
  }
  useDiscount.setState({ isLoading: true, error: '' })
  try {
    await bag.heard(await patch(id, null))
    forgetCode()
    return true
  } catch (problem) {
    useDiscount.setState({ isLoading: false, error: couponProblem(problem) })
    return false
  }
}

/** Looks at the code again after the bag changed; a failure says nothing, and the old price stands (ERR-31). */
export async function refreshCode(bag: DiscountedBag): Promise<void> {
  const standing = useDiscount.getState()
  if (!needsRefresh(standing) || standing.isLoading) return
  const code = standing.discountCode!
  useDiscount.setState({ isLoading: true })
  try {
    const cart = await applyWithRetry({ ...bag, attempts: ATTEMPTS.refresh, apply: (id) => patch(id, code) })
    await bag.heard(cart)
    useDiscount.setState(cart.discount ? appliedState(cart.discount) : NO_DISCOUNT)
  } catch {
    useDiscount.setState({ isLoading: false })
  }
}

/** The bag is paid, or another one: the code went with it (ORDER-10, ORDER-12). */
export const forgetCode = (): void => useDiscount.setState(NO_DISCOUNT)

belongsToPerson('discount', { close: forgetCode })

/**
 * Applies a code that stood on an order again, after that order was not paid.
 *
 * @returns why it cannot be used any more; undefined where it stands
 */
export async function applyCodeAgain(
  code: string,
  standing: Cart['discount'],
  bag: DiscountedBag,
): Promise<string | undefined> {
  if (standing?.discount_code === code) {
    useDiscount.setState(appliedState(standing))
    return undefined
  }
  await applyCode(code, bag)
  return useDiscount.getState().error || undefined
}
