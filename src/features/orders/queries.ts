import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

export const ordersQuery = (ownerUuid: string, page: number) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'orders', page),
    queryFn: ({ signal }) =>
      call('GET /api/order_carts', {
        query: { page, itemsPerPage: PAGE_SIZE.orders },
        signal,
        as: ownerUuid,
      }),
    staleTime: 0,
  })

/** Null if the order belongs to another account, or does not exist. */
export const orderQuery = (ownerUuid: string, id: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'order', id),
    queryFn: ({ signal }): Promise<Order | null> =>
      call('GET /api/order_carts/{id}', { params: { id }, signal, as: ownerUuid }).catch(
        (problem: unknown) => {
          // 422: the id in the URL is malformed.
          if (problem instanceof NetProblem && (problem.status === 404 || problem.status === 422)) return null
          throw problem
        },
      ),
    staleTime: 0,
  })

export const owedRefundsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'refunds'),
    queryFn: ({ signal }) => call('GET /api/refunds', { signal, as: ownerUuid, background: true }),
    staleTime: 0,
  })

/** Used while a payment is being confirmed: never cached, and a failure must not leave the page. */
export const askOrder = (id: string): Promise<Order> =>
  call('GET /api/order_carts/{id}', { params: { id }, background: true })
export const askNewestOrders = () =>
  call('GET /api/order_carts', { query: { page: 1, itemsPerPage: PAGE_SIZE.orders }, background: true })
