import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { HandbagIcon } from '@phosphor-icons/react/dist/csr/Handbag'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Cart } from '#contract/bag.ts'
import { BagSums } from '#features/bag/BagSums.tsx'
import { bookOf, summaryOf } from '#features/bag/model.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { DiscountBox } from '#features/discounts/DiscountBox.tsx'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { discountedBag } from '../bag/discounted-bag.ts'
import styles from './TillSummary.module.css'

/** What is bought and what it costs: beside the form, and on phones folded into one line above it. */
export function TillSummary({ cart }: { cart: Cart }) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const id = useId()
  const { totalMinor, wasMinor } = summaryOf(cart)
  const items = cart.items.filter(({ available }) => available)
  return (
    <aside className={styles.summary} aria-label="Your bag">
      <button
        type="button"
        className={styles.line}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon of={HandbagIcon} size={20} />
        <b>
          {plural(items.length, 'item')}, {amount(totalMinor)}
        </b>
        {wasMinor !== undefined && <s>{amount(wasMinor)}</s>}
        <Icon of={CaretDownIcon} size={18} />
      </button>
      <div id={id} className={styles.body} data-open={open ? '' : undefined}>
        <Display as="h2" size="sm" className={styles.heading}>
          Your bag
        </Display>
        <ul role="list" className={styles.items}>
          {items.map((item) => {
            const book = bookOf(item)
            const costs = item.discountPrice ?? item.price
            const was = Math.max(item.price, book?.price ?? 0)
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
                    {toMinor(costs) < toMinor(was) && <s>{amount(toMinor(was))}</s>}
                    <b>{amount(toMinor(costs))}</b>
                  </p>
                </li>
              )
            )
          })}
        </ul>
        <DiscountBox bag={discountedBag(queryClient)} applied={cart.discount} />
        <BagSums cart={cart} />
      </div>
    </aside>
  )
}
