import { queryOptions } from '@tanstack/react-query'
import type { SubscriptionDetails } from '#contract/membership.ts'
import type { PlanId } from '#contract/plans.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

const TEN_MINUTES_MS = 600_000

/**
 * The owner's words for the membership page; the first member is used. Null where there is none and where it could
 * not be loaded, which is only logged (ERR-25); asked again with the next visit.
 */
export const membershipPageQuery = () =>
  queryOptions({
    queryKey: ['membership', 'page'],
    queryFn: async ({ signal }) => {
      try {
        const pages = await call('GET /api/membership_pages', { signal, anonymous: true })
        return pages['hydra:member'][0] ?? null
      } catch (problem) {
        if (!(problem instanceof NetProblem)) throw problem
        console.warn('The membership page could not be loaded.', problem)
        return null
      }
    },
    staleTime: ({ state }) => (state.data ? TEN_MINUTES_MS : 0),
  })

/** The prices of the plans and the VAT in them, as the server reckons them. */
export const planPricesQuery = () =>
  queryOptions({
    queryKey: ['membership', 'prices'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/plan_prices', { signal, anonymous: true, background: true })).plans,
    staleTime: TEN_MINUTES_MS,
  })

/** The membership that holds or waits for its payment, with its next payment and its charges. */
export const ownMembershipQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'membership'],
    queryFn: async ({ signal }) => {
      const how = { signal, as: ownerUuid }
      const current = await call('GET /api/get-current-subscription', how)
      if (!current) return { ended: await howItEnded(how) }
      const params = { id: current.id }
      const [details, { invoices }] = await Promise.all([
        call('GET /api/subscriptions/{id}/details', { ...how, params }),
        call('GET /api/subscriptions/{id}/invoice', { ...how, params }),
      ])
      return { details, invoices }
    },
    staleTime: 0,
  })

/** Of the last membership, where it ended because a payment failed; else null. */
async function howItEnded(how: {
  signal: AbortSignal
  as: string
}): Promise<SubscriptionDetails['endedUnpaid']> {
  const { 'hydra:member': all } = await call('GET /api/subscriptions', { ...how, query: { itemsPerPage: 1 } })
  const last = all.find(({ status, gift }) => status === 'canceled' && !gift)
  if (!last) return null
  return (await call('GET /api/subscriptions/{id}/details', { ...how, params: { id: last.id } })).endedUnpaid
}

/** The cost of a change: the provider's word of this minute, so it is never kept. */
export const changePreviewQuery = (ownerUuid: string, id: string, plan: PlanId) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'membership', 'change', id, plan],
    queryFn: ({ signal }) =>
      call('POST /api/subscriptions/{id}/preview', {
        params: { id },
        body: { plan },
        signal,
        as: ownerUuid,
        background: true,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
