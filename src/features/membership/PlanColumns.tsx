import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { type Plan, PLANS, type Tier } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { price } from '#format/money.ts'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './membership.module.css'
import { planOf, promisesOf, tiersSold, yearlySaving } from './model.ts'

interface PlanColumnsProps {
  yearly: boolean
  words: Readonly<Record<Tier, { title: string; description: string }>>
  action: (plan: Plan) => ReactNode
  kept?: { plan: number; priceMinor: number } | undefined
}

/**
 * Ruled columns; only Avid Reader is a panel. Both prices share a grid cell, so that the toggle shifts
 * nothing.
 */
export function PlanColumns({ yearly, words, action, kept }: PlanColumnsProps) {
  const shown = tiersSold()
  return (
    <ul
      role="list"
      className={styles.planColumnsPlans}
      data-count={shown.length === 3 ? undefined : shown.length}
    >
      {shown.map((tier) => (
        <Column
          key={tier}
          {...{ tier, yearly, words: words[tier], action, kept }}
          isBest={tier === 'avid' && shown.length > 1}
        />
      ))}
    </ul>
  )
}

interface ColumnProps extends Pick<PlanColumnsProps, 'yearly' | 'action' | 'kept'> {
  tier: Tier
  words: { title: string; description: string }
  isBest: boolean
}

function Column({ tier, yearly, words, action, kept, isBest }: ColumnProps) {
  const plan = planOf(tier, yearly)
  const other = planOf(tier, !yearly)
  const { first, ticks } = promisesOf(plan)
  return (
    <li className={styles.plan} data-best={isBest ? '' : undefined}>
      <div className={styles.name}>
        <Display as="h3" size="md">
          {plans() === PLANS ? words.title : plan.type}
        </Display>
        {isBest && <span className={styles.best}>Best value</span>}
      </div>
      <p className={styles.planColumnsPrice}>
        {[plan, ...(other.id === plan.id ? [] : [other])]
          .toSorted((one, two) => one.months - two.months)
          .map((each) => (
            <Amount
              key={each.id}
              plan={kept?.plan === each.id ? { ...each, priceMinor: kept.priceMinor } : each}
              shown={each.id === plan.id}
            />
          ))}
      </p>
      <p className={styles.promise}>{first}</p>
      <ul role="list" className={styles.planColumnsTicks}>
        {ticks.map((tick) => (
          <li key={tick}>
            <Icon of={CheckIcon} size={20} />
            {tick}
          </li>
        ))}
      </ul>
      <div className={styles.action}>{action(plan)}</div>
    </li>
  )
}

const Amount = ({ plan, shown }: { plan: Plan; shown: boolean }) => (
  <span className={shown ? undefined : styles.other}>
    <b>{price(plan.priceMinor)}</b> <span className={styles.unit}>{plan.yearly ? 'a year' : 'a month'}</span>
  </span>
)

interface BillingToggleProps {
  yearly: boolean
  onChange: (yearly: boolean) => void
  /** Fills its container's width and hides the line next to the toggle. */
  fill?: boolean
}

/** Monthly or yearly billing: a pair of radio buttons in one pill. */
export function BillingToggle({ yearly, onChange, fill }: BillingToggleProps) {
  const side = (label: string, value: boolean) => (
    <label>
      <input type="radio" name="billing" checked={yearly === value} onChange={() => onChange(value)} />
      {label}
    </label>
  )
  return (
    <div className={styles.billingToggleRow}>
      <div className={cx(styles.pill, fill && styles.fill)} role="radiogroup" aria-label="Pay">
        {side('Monthly', false)}
        {side('Annually', true)}
      </div>
      {!fill && yearlySaving() && <p>{yearlySaving()} on annual</p>}
    </div>
  )
}
