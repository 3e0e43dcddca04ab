import { queryOptions } from '@tanstack/react-query'
import { call } from '#net/call.ts'

/** The files of a statement are signed for a short while: a desk stays open all day. */
const FRESH_MS = 60_000

export const accountQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'outlet', 'account'],
    queryFn: ({ signal }) => call('GET /api/outlet/account', { signal, background: true, as: ownerUuid }),
  })

export const statementsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'outlet', 'statements'],
    queryFn: ({ signal }) => call('GET /api/outlet/statements', { signal, background: true, as: ownerUuid }),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  })

/** `month` as `2026-10`; without one the shop's own. */
export const additionsQuery = (ownerUuid: string, month?: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'outlet', 'additions', month ?? ''],
    queryFn: ({ signal }) =>
      call('GET /api/outlet/additions', {
        query: month === undefined ? {} : { month },
        signal,
        background: true,
        as: ownerUuid,
      }),
  })
