import { MEMBER_DISCOUNT, type Plans, PLANS, plansOf, TRIAL, type Trial } from '#contract/plans.ts'
import { shop } from './shop.ts'

/** What memberships are called here, cost and bring, as the page says. */
export const plans = (): Plans => {
  const { plans: own } = shop()
  return own ? plansOf(own) : PLANS
}

export const trial = (): Trial => shop().trial ?? TRIAL

/** What members pay less for a title, in per cent at most. */
export const memberDiscount = (): number => shop().memberDiscount ?? MEMBER_DISCOUNT

/** "A free audiobook", "Two free audiobooks". */
export const freeAudiobooks = (count: number): string =>
  count === 1 ? 'A free audiobook' : `${count === 2 ? 'Two' : count} free audiobooks`
