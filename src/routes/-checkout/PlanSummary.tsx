import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import { planInWords, type PlanId } from '#contract/plans.ts'
import { plans, trial as theTrial } from '#features/shop-details/plans.ts'
import { giftTitle } from '#features/gifts/occasions.ts'
import { promiseInShort, rhythmOf } from '#features/membership/model.ts'
import { planPricesQuery } from '#features/membership/queries.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { FoldedSummary } from './FoldedSummary.tsx'
import styles from './summary.module.css'

interface PlanSummaryProps {
  plan: PlanId
  discount?: PlanDiscount | undefined
  trial?: boolean
  /** The recipient, where it is given. */
  recipient?: string | undefined
  /** The code box. */
  children?: ReactNode
}

/** The plan and what it costs, as the bag is summed up: folded into one line on phones. */
export function PlanSummary({ plan, discount, trial, recipient, children }: PlanSummaryProps) {
  const given = recipient !== undefined
  const name = given ? giftTitle(plan).join(' ') : planInWords(plans()[plan])
  const { priceMinor } = plans()[plan]
  const totalMinor = trial ? 0 : discount ? toMinor(discount.discountPrice) : priceMinor
  const was = totalMinor < priceMinor
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
          {was && <s>{amount(priceMinor)}</s>}
        </>
      }
    >
      <div className={styles.plan}>
        <div>
          <b>{name}</b>
          <p className="quiet">{given ? recipient && `For ${recipient}` : promiseInShort(plans()[plan])}</p>
        </div>
        <p className={styles.price}>
          {was && <s className="quiet">{amount(priceMinor)}</s>}
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
          ? 'Once. Nothing renews, and whoever gets it never pays.'
          : trial
            ? `Then ${amount(priceMinor)} ${rhythmOf(plan)}, unless you cancel within the ${plural(theTrial().days, 'day')}.`
            : discount?.free
              ? 'It ends by itself: no card is kept, and nothing renews.'
              : `${renewal(plan, discount)} Cancel whenever you like.`}
      </p>
    </FoldedSummary>
  )
}

/** The price at which it renews, and how long a code holds before that (MEMB-35, MEMB-47, MEMB-48). */
function renewal(plan: PlanId, discount: PlanDiscount | undefined): string {
  const price = `${amount(plans()[plan].priceMinor)} ${rhythmOf(plan)}`
  if (!discount) return `It renews at ${price}.`
  const unit = plans()[plan].monthly ? 'month' : 'year'
  const { discountDuration: kind, discountDurationMonths: count } = discount
  if (kind === 'forever') return 'This price holds for as long as you stay.'
  // Of a yearly plan: as many payments as begin within the months.
  const payments = kind === 'repeating' && count ? Math.ceil(count / plans()[plan].months) : 1
  return payments > 1
    ? `This price holds for ${plural(payments, unit)}, then it’s ${price}.`
    : `This price is for the first ${unit}, then it’s ${price}.`
}
