import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '#features/cards/queries.ts'
import { orderQuery } from '#features/orders/queries.ts'
import { Receipt } from '#features/orders/Receipt.tsx'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { NotFound } from '#app/problems/NotFound.tsx'
import styles from './OrdersScreen.module.css'
import { PageTop } from '#routes/-layout/PageTop.tsx'

export function ReceiptScreen({ id }: { id: string }) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const {
    data: order,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    ...orderQuery(owner, id),
    enabled: owner !== '',
  })
  const settings = useQuery(settingsQuery())
  if (order === null) return <NotFound />
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Receipt" hidden />
      <PageTop title="Receipt" />
      <div className={styles.receipt}>
        {order && !settings.isLoading ? (
          <>
            <Receipt order={order} seller={settings.data} />
            <div className={styles.ways}>
              <Button look="solid" onClick={() => window.print()}>
                Print or save as PDF
              </Button>
              <LinkButton to="/orders" look="text">
                All orders
              </LinkButton>
              <LinkButton to="/withdraw" search={{ order: order.orderNumber }} look="text">
                Withdraw from contract here
              </LinkButton>
            </div>
          </>
        ) : isError ? (
          <Empty
            title="We can’t load this receipt just now."
            action={
              <Button look="solid" busy={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            }
          />
        ) : (
          <Skeleton height="320px" />
        )}
      </div>
    </Wrap>
  )
}
