import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS } from '#features/query-options.ts'
import type { Subscription } from '#contract/membership.ts'
import type { PlanId } from '#contract/plans.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

/**
 * The owner's texts for the membership page; the first member of the list is used. Null if there are none or
 * if they couldn't be loaded, which is only logged (ERR-25); loaded again on the next visit.
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

export const planPricesQuery = () =>
  queryOptions({
    queryKey: ['membership', 'prices'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/plan_prices', { signal, anonymous: true, background: true })).plans,
    staleTime: TEN_MINUTES_MS,
  })

type How = { signal: AbortSignal; as: string }
type WithCharges = Awaited<ReturnType<typeof withCharges>>
type OwnMembership = Partial<WithCharges> & { readonly last?: WithCharges | null }

export const ownMembershipQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'membership'),
    queryFn: async ({ signal }): Promise<OwnMembership> => {
      const how = { signal, as: ownerUuid }
      const current = await call('GET /api/get-current-subscription', how)
      return current ? withCharges(current.id, how) : restingOrLast(how)
    },
    staleTime: 0,
  })

async function withCharges(id: string, how: How) {
  const [details, { invoices }] = await Promise.all([
    call('GET /api/subscriptions/{id}/details', { ...how, params: { id } }),
    call('GET /api/subscriptions/{id}/invoice', { ...how, params: { id } }),
  ])
  return { details, invoices }
}

/**
 * States of a membership that hasn't ended. One without benefits in these states is on hold during a dispute.
 */
const RUNS: readonly Subscription['status'][] = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

/** The membership on hold during a dispute; else the last that ended, so that its payments stay visible. */
async function restingOrLast(how: How): Promise<OwnMembership> {
  const { 'hydra:member': all } = await call('GET /api/subscriptions', {
    ...how,
    query: { itemsPerPage: 20 },
  })
  // The list includes memberships given to others.
  const own = all.filter(({ giftEmail }) => giftEmail === null)
  const running = own.find(({ status }) => RUNS.includes(status))
  const resting = running && (await withCharges(running.id, how))
  if (resting?.details.disputedSince) return resting
  const last = own.find(({ status, gift }) => status === 'canceled' && !gift)
  return { last: last ? await withCharges(last.id, how) : null }
}

/** The cost of a change. Stripe calculates it for this minute, so never cache it. */
export const changePreviewQuery = (ownerUuid: string, id: string, plan: PlanId) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'membership', 'change', id, plan),
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
