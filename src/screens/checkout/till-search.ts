import { PLANS, type PlanId } from '#contract/plans.ts'

/** What is bought, where it is no bag: a plan, or a new card of a membership (OP-10: both survive a reload). */
export interface TillSearch {
  plan?: PlanId
  'update-card'?: 1
  subscription?: string
}

/** The six months are only given. */
export function tillSearch(search: { readonly [K in keyof TillSearch]: unknown }): TillSearch {
  const { plan, subscription } = search
  if (Number(search['update-card']) === 1 && typeof subscription === 'string')
    return { 'update-card': 1, subscription }
  const bought = Object.values(PLANS).find(({ id, months }) => id === Number(plan) && months !== 6)
  return bought ? { plan: bought.id } : {}
}
