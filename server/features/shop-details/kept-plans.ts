import { PLANS } from '#contract/plans.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { PLAN_KEYS } from '#contract/shop-terms.ts'
import type { Db } from '../../db/open.ts'
import { counted } from '../../print/table.ts'
import { countByPlan } from './queries.ts'

/**
 * Memberships use the name and benefits of their plan, so it must stay in the list; with `sold: false` it cannot be
 * joined. Returns one sentence per missing plan.
 */
export async function missingPlans(db: Db, { plans }: ShopFile): Promise<string[]> {
  if (!plans) return []
  const named = new Set<number>(plans.map(({ key }) => PLAN_KEYS[key]))
  const missing = (await countByPlan(db)).filter(({ plan }) => !named.has(plan) && plan in PLANS)
  return missing.map(({ plan, people }) => {
    const key = Object.entries(PLAN_KEYS).find(([, id]) => id === plan)?.[0]
    return `"plans" lacks "${key}", which ${counted(people, 'person', 'people')} ${people === 1 ? 'has' : 'have'}: keep it in the list, with "sold": false.`
  })
}
