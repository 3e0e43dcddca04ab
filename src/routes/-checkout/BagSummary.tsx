import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { HandbagIcon } from '@phosphor-icons/react/dist/csr/Handbag'
import type { Cart } from '#contract/bag.ts'
import { BagSums } from '#features/checkout/BagSums.tsx'
import { bookOf } from '#features/bag/model.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { summaryOf } from '#features/checkout/bag-sums.ts'
import { DiscountBox } from '#features/discounts/DiscountBox.tsx'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import { FoldedSummary } from './FoldedSummary.tsx'
import styles from './summary.module.css'

/** The things bought and their cost. */
export function BagSummary({ cart }: { cart: Cart }) {
  const { totalMinor, wasMinor } = summaryOf(cart)
  const items = cart.items.filter(({ available }) => available)
  return (
    <FoldedSummary
      title="Your bag"
      takesCode={!cart.discount}
      line={
        <>
          <Icon of={HandbagIcon} size={20} />
          <b>
            {plural(items.length, 'item')}, {amount(totalMinor)}
          </b>
          {wasMinor !== undefined && <s>{amount(wasMinor)}</s>}
        </>
      }
    >
      <ul role="list" className={styles.items}>
        {items.map((item) => {
          const book = bookOf(item)
          const costs = item.discountPrice ?? item.price
          // The buyer's own price without the code. Never show a member the regular price as the price before the discount.
          const was = item.price
          return (
            book && (
              <li key={item.uuid}>
                <Cover picture={coverOf(book)} alt="" sizes="64px" thumb />
                <div>
                  <p className={styles.title}>{book.title}</p>
                  <p className={styles.kind}>{item.audioBook ? 'Audiobook' : 'E-book'}</p>
                  {item.gift && (
                    <p className={styles.gift}>
                      <Icon of={GiftIcon} size={18} />
                      <span>A gift for {item.giftEmail ?? 'somebody'}</span>
                    </p>
                  )}
                </div>
                <p className={styles.price}>
                  {toMinor(costs) < toMinor(was) && <s className="quiet">{amount(toMinor(was))}</s>}
                  <b>{amount(toMinor(costs))}</b>
                </p>
              </li>
            )
          )
        })}
      </ul>
      <DiscountBox applied={cart.discount} />
      <BagSums cart={cart} />
    </FoldedSummary>
  )
}
