import { queryOptions } from '@tanstack/react-query'
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
