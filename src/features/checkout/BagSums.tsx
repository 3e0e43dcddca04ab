import type { Cart } from '#contract/bag.ts'
import { roundedUpWords } from '#contract/messages.ts'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { summaryOf } from './bag-sums.ts'
import styles from './BagSums.module.css'

/** Items, discount, sub total, VAT by rate, total to pay: the same in the bag and at the checkout. */
export function BagSums({ cart }: { cart: Cart }) {
  const { subTotalMinor, vat, vatMinor, totalMinor, wasMinor, savedMinor } = summaryOf(cart)
  const count = cart.items.filter(({ available }) => available).length
  return (
    <dl className={styles.sums}>
      {savedMinor > 0 && (
        <>
          <Row words={plural(count, 'book')} minor={totalMinor + savedMinor} />
          <Row
            words="Discount"
            note={
              cart.discount?.rounded && cart.discount.relative_discount !== null
                ? roundedUpWords(cart.discount.relative_discount)
                : undefined
            }
            minor={-savedMinor}
          />
        </>
      )}
      <Row words="Sub total" minor={subTotalMinor} ruled={savedMinor > 0} />
      {totalMinor === 0 && savedMinor > 0 ? null : vat.length === 0 ? (
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

interface RowProps {
  words: string
  /** In small print below the words. */
  note?: string | undefined
  minor: number
  ruled?: boolean
}

function Row({ words, note, minor, ruled }: RowProps) {
  return (
    <div className={ruled ? styles.ruled : undefined}>
      <dt>
        {words}
        {note && <span className={styles.note}>{note}</span>}
      </dt>
      <dd>{amount(minor)}</dd>
    </div>
  )
}
