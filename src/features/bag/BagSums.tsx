import type { Cart } from '#contract/bag.ts'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import styles from './BagSums.module.css'
import { summaryOf } from './model.ts'

/** Items, discount, sub total, VAT by rate, total to pay: the same in the bag and at the till. */
export function BagSums({ cart }: { cart: Cart }) {
  const { subTotalMinor, vat, vatMinor, totalMinor, wasMinor, savedMinor } = summaryOf(cart)
  const count = cart.items.filter(({ available }) => available).length
  return (
    <dl className={styles.sums}>
      {savedMinor > 0 && (
        <>
          <Row words={plural(count, 'book')} minor={totalMinor + savedMinor} />
          <Row words="Discount" minor={-savedMinor} />
        </>
      )}
      <Row words="Sub total" minor={subTotalMinor} ruled={savedMinor > 0} />
      {vat.length === 0 ? (
        <Row words="VAT" minor={vatMinor} />
      ) : (
        vat.map(({ words, minor }) => <Row key={words} words={words} minor={minor} />)
      )}
      <div className={styles.total}>
        <dt>Total to pay</dt>
        <dd>
          {wasMinor !== undefined && <s>{amount(wasMinor)}</s>}
          <b>{amount(totalMinor)}</b>
        </dd>
      </div>
    </dl>
  )
}

function Row({ words, minor, ruled }: { words: string; minor: number; ruled?: boolean }) {
  return (
    <div className={ruled ? styles.ruled : undefined}>
      <dt>{words}</dt>
      <dd>{amount(minor)}</dd>
    </div>
  )
}
