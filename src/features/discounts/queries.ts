import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { PlanDiscount } from '#contract/discounts.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { PlanId } from '#contract/plans.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

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
