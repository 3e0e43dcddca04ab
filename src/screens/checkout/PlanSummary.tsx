import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { useId, useState, type ReactNode } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { planInWords, SHORT, rhythmOf } from '#features/membership/model.ts'
import { amount, toMinor } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './TillSummary.module.css'

interface PlanSummaryProps {
  plan: PlanId
  discount?: PlanDiscount | undefined
  trial?: boolean
  /** The code box. */
  children?: ReactNode
}

/** The plan and what it costs, as the bag is summed up: folded into one line on phones. */
export function PlanSummary({ plan, discount, trial, children }: PlanSummaryProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { priceMinor, tier } = PLANS[plan]
  const totalMinor = trial ? 0 : discount ? toMinor(discount.discountPrice) : priceMinor
  const was = totalMinor < priceMinor
  // Included in it: a fifth on top is a sixth of the whole.
  const vatMinor = Math.round(totalMinor / 6)
  return (
    <aside className={styles.summary} aria-label="Your membership">
      <button
        type="button"
        className={styles.line}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <b>
          {planInWords(plan)}, {amount(totalMinor)}
        </b>
        {was && <s>{amount(priceMinor)}</s>}
        <Icon of={CaretDownIcon} size={18} />
      </button>
      <div id={id} className={styles.body} data-open={open ? '' : undefined}>
        <Display as="h2" size="sm" className={styles.heading}>
          Your membership
        </Display>
        <div className={styles.plan}>
          <div>
            <b>{planInWords(plan)}</b>
            <p>{SHORT[tier]}</p>
          </div>
          <p className={styles.price}>
            {was && <s>{amount(priceMinor)}</s>}
            <b>{amount(totalMinor)}</b>
          </p>
        </div>
        {children}
        <dl className={styles.sums}>
          <div>
            <dt>Including VAT (20%)</dt>
            <dd>{amount(vatMinor)}</dd>
          </div>
          <div>
            <dt>Total to pay today</dt>
            <dd>
              <b>{amount(totalMinor)}</b>
            </dd>
          </div>
        </dl>
        <p className={styles.kind}>
          {trial
            ? `Then ${amount(priceMinor)} ${rhythmOf(plan)}, unless you cancel within the 30 days.`
            : discount?.free
              ? 'It ends by itself: no card is kept, and nothing renews.'
              : `${lasting(discount)}${discount?.discountDuration === 'forever' ? '' : `It renews at ${amount(priceMinor)} ${rhythmOf(plan)}. `}Cancel whenever you like.`}
        </p>
      </div>
    </aside>
  )
}

/** How long a code holds, before the plain price comes back (MEMB-35, MEMB-47, MEMB-48). */
function lasting(discount: PlanDiscount | undefined): string {
  if (!discount) return ''
  const unit = PLANS[discount.plan].monthly ? 'month' : 'year'
  const { discountDuration: kind, discountDurationMonths: count } = discount
  if (kind === 'forever') return 'This price holds for as long as you stay. '
  return kind === 'repeating' && count
    ? `This price holds for ${count} ${unit}s. `
    : `This price is for the first ${unit}. `
}
