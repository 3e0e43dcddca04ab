import { useQuery } from '@tanstack/react-query'
import { NoPasswordYet } from '#features/account/no-password-yet.tsx'
import { settingsQuery } from '#features/cards/queries.ts'
import { orderQuery } from '#features/orders/queries.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { CannotLoad } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { NotFound } from '#app/problems/NotFound.tsx'
import styles from './orders.module.css'
import { PageTop } from '#routes/-layout/PageTop.tsx'
import type { Order } from '#contract/orders.ts'
import type { Setting } from '#contract/pages.ts'
import { shop } from '#features/shop-details/shop.ts'
import { longDate } from '#format/date.ts'
import { Display } from '#ui/Display.tsx'
import { paidWords, statusWords } from '#features/orders/model.ts'
import { OrderLines } from '#features/orders/OrderLines.tsx'
import { OrderSums } from '#features/orders/Sums.tsx'

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
      <div className={styles.receiptPage}>
        {order && !settings.isLoading ? (
          <>
            <Receipt order={order} seller={settings.data} />
            <NoPasswordYet />
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
          <CannotLoad
            title="We can’t load this receipt just now."
            busy={isFetching}
            onRetry={() => refetch()}
          />
        ) : (
          <Skeleton height="320px" />
        )}
      </div>
    </Wrap>
  )
}

function waiverWords(items: Order['orderItems'], day: string): string {
  const sentences = [
    items.some(({ gift }) => !gift) && `Delivered at once; the right to cancel was waived on ${day}.`,
    items.some(({ gift }) => gift) &&
      `Sent as a gift; agreed on ${day}: it can be taken back within 14 days${items.some(({ giftDeliveryDate }) => giftDeliveryDate) ? ' of its day' : ''}, until it’s opened.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

interface ReceiptProps {
  order: Order
  /** The shop's details; undefined if they could not be loaded. */
  seller: Pick<Setting, 'address' | 'vatNumber'> | undefined
}

export function Receipt({ order, seller }: ReceiptProps) {
  const facts: [string, string][] = [
    ['Receipt number', order.orderNumber],
    ['Date', longDate(order.createdAt)],
    ['Sold by', [shop().seller, ...(seller?.address ?? [])].join('\n')],
    ['VAT number', seller?.vatNumber ?? ''],
    ['Sold to', [order.buyerName, order.buyerEmail].filter(Boolean).join(', ')],
    ['Paid with', paidWords(order)],
    ['Status', statusWords(order)],
  ]
  return (
    <article className={styles.receipt}>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Display as="h2" size="sm">
        What was sold
      </Display>
      <OrderLines items={order.orderItems} />
      <OrderSums order={order} />
      {order.waiverAt && (
        <p className={styles.small}>
          {waiverWords(order.orderItems, longDate(order.waiverAt))} Prices include VAT.
        </p>
      )}
    </article>
  )
}
