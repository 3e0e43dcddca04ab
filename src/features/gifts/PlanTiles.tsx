import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { Plan, PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { price } from '#format/money.ts'
import { Icon } from '#ui/Icon.tsx'
import { type Occasion, offered } from './occasions.ts'
import styles from './gifts.module.css'

interface PlanTilesProps {
  occasion: Occasion
  chosen: PlanId
  onChoose: (plan: PlanId) => void
}

export function PlanTiles({ occasion, chosen, onChoose }: PlanTilesProps) {
  const shown = offered(occasion).map((id) => plans()[id])
  const types = [...new Set(shown.map(({ type }) => type))]
  return (
    <div className={styles.tiers}>
      {types.map((type) => (
        <div key={type} className={styles.tier}>
          <p className={styles.name}>
            {type} <span>{brings(shown.find((plan) => plan.type === type)!)}</span>
          </p>
          <div className={styles.tiles}>
            {shown
              .filter((plan) => plan.type === type)
              .map(({ id, months, priceMinor }) => (
                <label key={id} className={styles.tile}>
                  <input
                    type="radio"
                    name="gift-plan"
                    value={id}
                    checked={id === chosen}
                    aria-label={`${type}, ${LENGTH[months].toLowerCase()}, ${price(priceMinor)}`}
                    onChange={() => onChoose(id)}
                  />
                  <span className={styles.length}>
                    <Icon of={CheckIcon} size={20} />
                    {LENGTH[months]}
                  </span>
                  <b>{price(priceMinor)}</b>
                </label>
              ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const LENGTH = { 1: 'A month', 6: 'Six months', 12: 'A year' } as const
const brings = ({ creditsPerMonth }: Plan): string =>
  creditsPerMonth === 0
    ? 'lower prices, members’ recordings'
    : `${creditsPerMonth} free audiobook${creditsPerMonth === 1 ? '' : 's'} a month`
