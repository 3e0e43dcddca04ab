import type { Cart } from '#contract/bag.ts'
import { roundedUpWords } from '#contract/messages.ts'
import type { Order } from '#contract/orders.ts'
import { type Plan, planInWords } from '#contract/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { cx } from '#ui/cx.ts'
import { WasPrice } from '#ui/Price.tsx'
import { vatByRate } from './model.ts'
import styles from './orders.module.css'

export function BagSums({ cart }: { cart: Cart }) {
  const { subTotalMinor, vat, vatMinor, totalMinor, beforeMinor } = summaryOf(cart)
  const savedMinor = beforeMinor - totalMinor
  const count = cart.items.filter(({ available }) => available).length
  return (
    <dl className={cx(styles.sums, styles.ofBag)}>
      {savedMinor > 0 && (
        <>
          <Row label={plural(count, 'book')} minor={beforeMinor} />
          <Row
            label="Discount"
            note={cart.discount?.rounded ? roundedUp(cart.discount.relative_discount) : undefined}
            minor={-savedMinor}
          />
        </>
      )}
      <Row label="Sub total" minor={subTotalMinor} className={savedMinor > 0 ? styles.ruled : undefined} />
      {totalMinor === 0 && savedMinor > 0 ? null : vat.length === 0 ? (
        <Row label="VAT" minor={vatMinor} />
      ) : (
        vat.map(({ label, minor }) => <Row key={label} label={label} minor={minor} />)
      )}
      <div className={styles.total}>
        <dt>Total to pay</dt>
        <dd>
          <WasPrice before={beforeMinor} now={totalMinor} />
          <b>{amount(totalMinor)}</b>
        </dd>
      </div>
    </dl>
  )
}

interface SumsWithMembershipProps {
  cart: Cart
  plan: Plan
}

/** The bag with a membership, its books at member prices. */
export function SumsWithMembership({ cart, plan }: SumsWithMembershipProps) {
  const booksMinor = toMinor(cart.sumForMembers ?? cart.sumCheckedForPayment)
  const count = cart.items.filter(({ available }) => available).length
  return (
    <dl className={cx(styles.sums, styles.ofBag)}>
      <Row label={planInWords(plan)} minor={plan.priceMinor} />
      <Row label={plural(count, 'book')} note="At member prices" minor={booksMinor} />
      <div className={styles.total}>
        <dt>Total to pay today</dt>
        <dd>
          <b>{amount(plan.priceMinor + booksMinor)}</b>
        </dd>
      </div>
    </dl>
  )
}

const SUMS = ['sumCheckedForPayment', 'sumVat', 'sumNet', 'sumBeforeDiscount'] as const

/** BAG-02: the server's sums in pence. Adds up only the lines of each VAT rate; highest rate first. */
export function summaryOf(cart: Pick<Cart, (typeof SUMS)[number] | 'items'>) {
  const totalMinor = toMinor(cart.sumCheckedForPayment)
  const rates = new Map<number, { minor: number; formats: Set<string> }>()
  for (const item of cart.items.filter(({ available }) => available)) {
    const rate = rates.get(item.vatPercent) ?? { minor: 0, formats: new Set<string>() }
    rate.minor += toMinor(item.vat)
    rate.formats.add(item.audioBook ? 'audiobooks' : 'e-books')
    rates.set(item.vatPercent, rate)
  }
  return {
    subTotalMinor: toMinor(cart.sumNet),
    vat: [...rates]
      .sort(([one], [other]) => other - one)
      .map(([percent, { minor, formats }]) => ({
        label: `VAT ${percent}%, ${[...formats].join(' and ')}`,
        minor,
      })),
    vatMinor: toMinor(cart.sumVat),
    totalMinor,
    beforeMinor: Math.max(totalMinor, toMinor(cart.sumBeforeDiscount)),
  }
}

type OrderSum = Pick<
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

export function OrderSums({ order }: { order: OrderSum }) {
  const savedMinor = toMinor(order.sumBeforeDiscount) - toMinor(order.amount)
  return (
    <dl className={styles.sums}>
      {savedMinor > 0 && (
        <Row
          label={order.couponCode ? `Discount, code ${order.couponCode}` : 'Discount'}
          note={order.discountRounded ? roundedUp(order.percentDiscount) : undefined}
          minor={-savedMinor}
        />
      )}
      {/* A free order has neither net nor VAT. */}
      {order.amount > 0 && (
        <>
          <Row label="Sub total" minor={toMinor(order.sumNet)} />
          {vatByRate(order.orderItems).map(([percent, minor]) => (
            <Row key={percent} label={`VAT ${percent}%`} minor={minor} />
          ))}
        </>
      )}
      <Row label="Total" minor={toMinor(order.amount)} className={styles.strong} />
      {order.refundedAmount > 0 && <Row label="Refunded" minor={-toMinor(order.refundedAmount)} />}
    </dl>
  )
}

const roundedUp = (percent: number | null): string | undefined =>
  percent === null ? undefined : roundedUpWords(percent)

interface RowProps {
  label: string
  note?: string | undefined
  minor: number
  className?: string | undefined
}

const Row = ({ label, note, minor, className }: RowProps) => (
  <div className={className}>
    <dt>
      {label}
      {note && <span className={styles.note}>{note}</span>}
    </dt>
    <dd>{amount(minor)}</dd>
  </div>
)
