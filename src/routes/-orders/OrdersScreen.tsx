import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PAGE_SIZE } from '#contract/limits.ts'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { OrderEntry } from '#features/orders/OrderLines.tsx'
import { ordersQuery } from '#features/orders/queries.ts'
import { plural } from '#format/plural.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import { CannotLoad, Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './orders.module.css'
import { PageTop } from '#routes/-layout/PageTop.tsx'

/** Newest first, five to a page (ORDER-06). */
export function OrdersScreen({ page = 1 }: { page?: number | undefined }) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const query = useQuery({
    ...ordersQuery(owner, page),
    enabled: owner !== '',
    placeholderData: keepPreviousData,
  })
  const orders = query.data?.['hydra:member']
  const total = query.data?.['hydra:totalItems'] ?? 0
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Orders" hidden />
      <PageTop title="Orders" aside={orders && total > 0 && <p role="status">{plural(total, 'order')}</p>} />
      {!orders && query.isError ? (
        <CannotLoad
          title="We can’t load your orders just now."
          help="Check your connection and try again."
          busy={query.isFetching}
          onRetry={() => query.refetch()}
        />
      ) : !orders ? (
        <div className={styles.orders} aria-busy="true">
          <Skeleton height="220px" />
          <Skeleton height="220px" />
        </div>
      ) : orders.length === 0 ? (
        <Empty
          title="No orders yet."
          help="What you buy is listed here, with its receipt."
          action={
            <LinkButton to="/browse" look="solid">
              Browse the shelves
            </LinkButton>
          }
        />
      ) : (
        <div className={styles.orders} aria-busy={query.isPlaceholderData}>
          {orders.map((order) => (
            <OrderEntry key={order.uuid} order={order} />
          ))}
        </div>
      )}
      {(orders ?? query.isError) && (
        <>
          <div className={styles.below}>
            <LinkButton to="/gifts" search={{}} look="text">
              Gifts you’ve sent
            </LinkButton>
          </div>
          <Pagination
            page={page}
            last={Math.ceil(total / PAGE_SIZE.orders)}
            to="/orders"
            searchFor={(number): Record<string, string> => (number > 1 ? { page: String(number) } : {})}
          />
        </>
      )}
    </Wrap>
  )
}
