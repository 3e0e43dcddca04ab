import { queryOptions } from '@tanstack/react-query'
import type { PlanId } from '#contract/plans.ts'
import { call } from '#net/call.ts'

/** What a plan costs with a code, as the server works it out; 404 for an unknown code. */
export const planPriceQuery = (code: string, plan: PlanId) =>
  queryOptions({
    queryKey: ['discounts', code, plan],
    queryFn: ({ signal }) =>
      call('GET /api/discounts/{code}/sub-apply-coupon', { params: { code }, query: { plan }, signal }),
    staleTime: 0,
    retry: false,
  })
