import { MEMBER_DISCOUNT, type Plans, PLANS, plansOf, TRIAL, type Trial } from '#contract/plans.ts'
import { shop } from './shop.ts'

/** The plans of this shop; their owner may have renamed them. */
export const plans = (): Plans => {
  const { plans: own } = shop()
  return own ? plansOf(own) : PLANS
}

export const trial = (): Trial => shop().trial ?? TRIAL

/** In per cent, at most. */
export const memberDiscount = (): number => shop().memberDiscount ?? MEMBER_DISCOUNT

/** "A free audiobook", "Two free audiobooks". */
export const freeAudiobooks = (count: number): string =>
  count === 1 ? 'A free audiobook' : `${count === 2 ? 'Two' : count} free audiobooks`
