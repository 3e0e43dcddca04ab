import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Cart } from '#contract/bag.ts'
import { couponCode } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { currentBag, receivedBag } from '#features/bag/queries.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { wait } from '#storage/wait.ts'
import { Refused } from '#writes/use-write.ts'
import type { PlanDiscount } from '#contract/discounts.ts'
import type { PlanId } from '#contract/plans.ts'

/** The mutation key of every write that checks or changes a code, for `useIsMutating`. */
export const CODE_KEY = ['discount-code'] as const

/** DISC-05, DISC-13: how many times to wait for a bag's id, for a new code and when calculating again. */
export const ATTEMPTS = { apply: 5, refresh: 3 } as const
export const APART_MS = 1_000

/** The server's message, or that the code could not be checked (ERR-05). */
export const codeProblemMessage = (problem: unknown): string => {
  if (problem instanceof Refused) return problem.message
  return (problem instanceof NetProblem && problem.description) || MESSAGES.discountFailed
}

/**
 * Applies a code to the bag. What it takes off is `cart.discount`.
 *
 * @throws {Refused} if it can't be used, or the bag has no id (ERR-07)
 */
export async function applyCode(
  queryClient: QueryClient,
  typed: string,
): Promise<NonNullable<Cart['discount']>> {
  const { discount, discountMessage } = await changeCode(queryClient, couponCode(typed), ATTEMPTS.apply)
  if (!discount) throw new Refused(discountMessage ?? MESSAGES.discountNotValid)
  return discount
}

export async function removeCode(queryClient: QueryClient): Promise<void> {
  if (currentBag(queryClient)?.uuid) await changeCode(queryClient, null, 1)
}

/**
 * Applies the code again after the bag changed. If that fails, the old price stays, without a message
 * (ERR-31).
 */
export async function refreshCode(queryClient: QueryClient): Promise<void> {
  const discount = currentBag(queryClient)?.discount
  if (!discount || !changesWithBag(discount)) return
  await changeCode(queryClient, discount.discount_code, ATTEMPTS.refresh).catch(() => undefined)
}

/**
 * The server recalculates percentages when the bag changes, but not 100% and fixed amounts (BAG-18, DISC-08).
 */
const changesWithBag = ({ relative_discount, discount_amount }: NonNullable<Cart['discount']>): boolean =>
  relative_discount === 100 || discount_amount !== null

async function changeCode(queryClient: QueryClient, code: string | null, attempts: number): Promise<Cart> {
  const id = await bagId(queryClient, attempts)
  const cart = await call('PATCH /api/carts/{id}/apply-coupon', {
    params: { id },
    body: { couponCode: code },
  })
  await receivedBag(queryClient, cart)
  return cart
}

async function bagId(queryClient: QueryClient, attempts: number): Promise<string> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const id = currentBag(queryClient)?.uuid
    if (id) return id
    if (attempt < attempts) await wait(APART_MS)
  }
  throw new Refused(MESSAGES.discountNoCart)
}

export const planPriceQuery = (code: string, plan: PlanId) =>
  queryOptions({
    queryKey: ['discounts', code, plan],
    queryFn: ({ signal }) =>
      call('GET /api/discounts/{code}/sub-apply-coupon', { params: { code }, query: { plan }, signal }),
    staleTime: 0,
    retry: false,
  })

export async function lookAtPlanCode(
  queryClient: QueryClient,
  code: string,
  plan: PlanId,
): Promise<PlanDiscount | { readonly problem: string; readonly isUnchecked?: true }> {
  try {
    const discount = await queryClient.fetchQuery(planPriceQuery(code, plan))
    return discount.valid ? discount : { problem: discount.message || MESSAGES.discountNotValid }
  } catch (problem) {
    if (!(problem instanceof NetProblem) || problem.kind !== 'refused')
      return { problem: MESSAGES.discountFailed, isUnchecked: true }
    return { problem: (problem.status !== 404 && problem.description) || MESSAGES.discountNotValid }
  }
}
