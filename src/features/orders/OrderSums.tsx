import { roundedUpWords } from '#contract/messages.ts'
import type { Order } from '#contract/orders.ts'
import { amount, toMinor } from '#format/money.ts'
import { vatByRate } from './model.ts'
import styles from './orders.module.css'

type Sums = Pick<
  Order,
  | 'sumBeforeDiscount'
  | 'amount'
  | 'sumNet'
  | 'couponCode'
  | 'percentDiscount'
  | 'discountRounded'
  | 'refundedAmount'
  | 'orderItems'
>

/** An order's totals with VAT by rate, as on a receipt. */
export function OrderSums({ order }: { order: Sums }) {
  const savedMinor = toMinor(order.sumBeforeDiscount) - toMinor(order.amount)
  return (
    <dl className={styles.sums}>
      {savedMinor > 0 && (
        <Row
          words={order.couponCode ? `Discount, code ${order.couponCode}` : 'Discount'}
          note={
            order.discountRounded && order.percentDiscount !== null
              ? roundedUpWords(order.percentDiscount)
              : undefined
          }
          minor={-savedMinor}
        />
      )}
      {/* A free order has neither net nor VAT to speak of. */}
      {order.amount > 0 && (
        <>
          <Row words="Sub total" minor={toMinor(order.sumNet)} />
          {vatByRate(order.orderItems).map(([percent, minor]) => (
            <Row key={percent} words={`VAT ${percent}%`} minor={minor} />
          ))}
        </>
      )}
      <Row words="Total" minor={toMinor(order.amount)} strong />
      {order.refundedAmount > 0 && <Row words="Refunded" minor={-toMinor(order.refundedAmount)} />}
    </dl>
  )
}

interface RowProps {
  words: string
  /** In small print below the words. */
  note?: string | undefined
  minor: number
  strong?: boolean
}

function Row({ words, note, minor, strong }: RowProps) {
  return (
    <div className={strong ? styles.strong : undefined}>
      <dt>
        {words}
        {note && <span className={styles.note}>{note}</span>}
      </dt>
      <dd>{amount(minor)}</dd>
    </div>
  )
}
