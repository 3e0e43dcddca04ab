import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import type { Plan, Tier } from '#contract/plans.ts'
import { price } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { planOf, PROMISES, TIERS } from './model.ts'
import styles from './PlanColumns.module.css'

interface PlanColumnsProps {
  yearly: boolean
  /** The owner's one sentence about each. */
  words: Readonly<Record<Tier, { title: string; description: string }>>
  /** Below the promises: a button, or what stands in its place. */
  action: (plan: Plan) => ReactNode
}

/** Ruled columns; only Avid Reader is a panel. Both prices share a cell, so that the toggle moves nothing. */
export function PlanColumns({ yearly, words, action }: PlanColumnsProps) {
  return (
    <ul role="list" className={styles.plans}>
      {TIERS.map((tier) => (
        <li key={tier} className={styles.plan} data-best={tier === 'avid' ? '' : undefined}>
          <div className={styles.name}>
            <Display as="h3" size="md">
              {words[tier].title}
            </Display>
            {tier === 'avid' && <span className={styles.best}>Best value</span>}
          </div>
          <p className={styles.price}>
            <Amount plan={planOf(tier, false)} unit="a month" shown={!yearly} />
            <Amount plan={planOf(tier, true)} unit="a year" shown={yearly} />
          </p>
          <p className={styles.promise}>{PROMISES[tier].first}</p>
          <ul role="list" className={styles.ticks}>
            {PROMISES[tier].ticks.map((tick) => (
              <li key={tick}>
                <Icon of={CheckIcon} size={20} />
                {tick}
              </li>
            ))}
          </ul>
          <div className={styles.action}>{action(planOf(tier, yearly))}</div>
        </li>
      ))}
    </ul>
  )
}

const Amount = ({ plan, unit, shown }: { plan: Plan; unit: string; shown: boolean }) => (
  <span className={shown ? undefined : styles.other}>
    <b>{price(plan.priceMinor)}</b> <span className={styles.unit}>{unit}</span>
  </span>
)
