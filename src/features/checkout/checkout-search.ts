import { isJoined, type PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { givenPlan, type Occasion } from '#features/gifts/occasions.ts'

/** The thing bought, where it is no bag: a plan, or a new card of a membership (OP-10: both survive a reload). */
export interface CheckoutSearch {
  plan?: PlanId
  /** It is given to somebody, at once or on a chosen day. */
  gift?: Occasion
  'update-card'?: 1
  subscription?: string
  /** The bank asks for its customer: the card that is kept can be confirmed first. */
  confirm?: 1
}

/** The six months are only given; at Christmas there are two plans. */
export function checkoutSearch(search: { readonly [K in keyof CheckoutSearch]: unknown }): CheckoutSearch {
  const { plan, gift, subscription } = search
  if (Number(search['update-card']) === 1 && typeof subscription === 'string')
    return { 'update-card': 1, subscription, ...(Number(search.confirm) === 1 ? { confirm: 1 } : {}) }
  if (gift === 'gift' || gift === 'xmas') return { plan: givenPlan(plan, gift), gift }
  const bought = Object.values(plans()).find((each) => each.id === Number(plan) && isJoined(each))
  return bought ? { plan: bought.id } : {}
}
