import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { HandbagIcon } from '@phosphor-icons/react/dist/csr/Handbag'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Cart } from '#contract/bag.ts'
import type { PlanDiscount } from '#contract/discounts.ts'
import { type Plan, type PlanId, planInWords } from '#contract/plans.ts'
import { bookOf, linePrices } from '#features/bag/model.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { BagSums, SumsWithMembership, summaryOf } from '#features/orders/Sums.tsx'
import { DiscountBox } from '#features/discounts/CodeBox.tsx'
import { giftTitle } from '#features/gifts/occasions.ts'
import { promiseInShort, rhythmOf } from '#features/membership/model.ts'
import { planPricesQuery } from '#features/membership/queries.ts'
import { plans, trial as theTrial } from '#features/shop-details/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { WasPrice } from '#ui/Price.tsx'
import styles from './checkout.module.css'

export function BagSummary({ cart, joins }: { cart: Cart; joins?: Plan | undefined }) {
  const sums = summaryOf(cart)
  const totalMinor = joins ? joins.priceMinor + toMinor(cart.sumForMembers ?? 0) : sums.totalMinor
  const beforeMinor = joins ? totalMinor : sums.beforeMinor
  const items = cart.items.filter(({ available }) => available)
  return (
    <FoldedSummary
      title="Your bag"
      takesCode={!cart.discount && !joins}
      line={
        <>
          <Icon of={HandbagIcon} size={20} />
          <b>
            {plural(items.length, 'item')}, {amount(totalMinor)}
          </b>
          <WasPrice before={beforeMinor} now={totalMinor} />
        </>
      }
    >
      <ul role="list" className={styles.items}>
        {items.map((item) => {
          const book = bookOf(item)
          const { before, now } = linePrices(item, joins !== undefined)
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
                  <WasPrice className="quiet" before={before} now={now} />
                  <b>{amount(now)}</b>
                </p>
              </li>
            )
          )
        })}
      </ul>
      {joins ? (
        <SumsWithMembership cart={cart} plan={joins} />
      ) : (
        <>
          <DiscountBox applied={cart.discount} />
          <BagSums cart={cart} />
        </>
      )}
    </FoldedSummary>
  )
}

interface PlanSummaryProps {
  plan: PlanId
  discount?: PlanDiscount | undefined
  trial?: boolean
  recipient?: string | undefined
  children?: ReactNode
}

/** The plan and its cost, in the same layout as the bag's summary: folded into one line on phones. */
export function PlanSummary({ plan, discount, trial, recipient, children }: PlanSummaryProps) {
  const given = recipient !== undefined
  const name = given ? giftTitle(plan).join(' ') : planInWords(plans()[plan])
  const { priceMinor } = plans()[plan]
  const totalMinor = trial ? 0 : discount ? toMinor(discount.discountPrice) : priceMinor
  const { data: prices } = useQuery(planPricesQuery())
  const known = prices?.find((each) => each.plan === plan)
  const vat = trial ? 0 : (discount?.vat ?? known?.vat)
  return (
    <FoldedSummary
      title={given ? 'Your gift' : 'Your membership'}
      takesCode={children !== undefined && !discount}
      line={
        <>
          <b>
            {name}, {amount(totalMinor)}
          </b>
          <WasPrice before={priceMinor} now={totalMinor} />
        </>
      }
    >
      <div className={styles.plan}>
        <div>
          <b>{name}</b>
          <p className="quiet">{given ? recipient && `For ${recipient}` : promiseInShort(plans()[plan])}</p>
        </div>
        <p className={styles.price}>
          <WasPrice className="quiet" before={priceMinor} now={totalMinor} />
          <b>{amount(totalMinor)}</b>
        </p>
      </div>
      {children}
      <dl className={styles.sums}>
        <div>
          <dt>Including VAT{known && ` (${known.vatPercent}%)`}</dt>
          <dd>{vat !== undefined && amount(toMinor(vat))}</dd>
        </div>
        <div>
          <dt>Total to pay today</dt>
          <dd>
            <b>{amount(totalMinor)}</b>
          </dd>
        </div>
      </dl>
      <p className={styles.kind}>
        {given
          ? 'One payment. Nothing renews, and the recipient never pays.'
          : trial
            ? `Then ${amount(priceMinor)} ${rhythmOf(plan)}, unless you cancel within the ${plural(theTrial().days, 'day')}.`
            : discount?.free
              ? 'It ends automatically: no card is stored, and nothing renews.'
              : `${renewal(plan, discount)} Cancel whenever you like.`}
      </p>
    </FoldedSummary>
  )
}

/** The renewal price, and how long a code applies before it (MEMB-35, MEMB-47, MEMB-48). */
function renewal(plan: PlanId, discount: PlanDiscount | undefined): string {
  const price = `${amount(plans()[plan].priceMinor)} ${rhythmOf(plan)}`
  if (!discount) return `Renews at ${price}.`
  const unit = plans()[plan].monthly ? 'month' : 'year'
  const { discountDuration: kind, discountDurationMonths: count } = discount
  if (kind === 'forever') return 'This price holds for as long as you stay.'
  // For a yearly plan: the number of payments that start within the code's months.
  const payments = kind === 'repeating' && count ? Math.ceil(count / plans()[plan].months) : 1
  return payments > 1
    ? `This price holds for ${plural(payments, unit)}, then it’s ${price}.`
    : `This price is for the first ${unit}, then it’s ${price}.`
}

interface FoldedSummaryProps {
  title: string
  line: ReactNode
  /** A code can be entered, and none is applied yet. */
  takesCode: boolean
  children: ReactNode
}

function FoldedSummary({ title, line, takesCode, children }: FoldedSummaryProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const body = useRef<HTMLDivElement>(null)
  const toCode = () => {
    // Render first: a folded field can't get the focus.
    flushSync(() => setOpen(true))
    body.current?.querySelector('input')?.focus()
  }
  return (
    <aside className={styles.summary} aria-label={title}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {line}
        <Icon of={CaretDownIcon} size={18} />
      </button>
      {takesCode && !open && (
        <div className={styles.code}>
          <Button look="text" onClick={toCode}>
            Have a code?
          </Button>
        </div>
      )}
      <div ref={body} id={id} className={styles.body} data-open={open ? '' : undefined}>
        <Display as="h2" size="sm" className={styles.heading}>
          {title}
        </Display>
        {children}
      </div>
    </aside>
  )
}
