import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../errors.ts'
import { discount } from '../objects/discount.ts'
import type { Cut } from '../objects/invoice.ts'
import type { Reader } from '../params.ts'
import type { Store } from '../store.ts'
import type { World } from '../world.ts'
import { idOf } from '../objects/id.ts'

/** A discount with a copy of its coupon: deleting a coupon does not affect existing discounts. */
export interface Held {
  readonly id: string
  readonly coupon: Stripe.Coupon
}
interface Kept extends Held {
  readonly end: number | null
}

export const idsOf = (given: Stripe.Subscription): string[] =>
  given.discounts.map((each) => (typeof each === 'string' ? each : each.id))

export const heldAt = (store: Store, subscription: Stripe.Subscription, moment: number): Kept[] =>
  idsOf(subscription)
    .map((id) => store.get<Kept>('held', id)!)
    .filter(({ end }) => end === null || end > moment)

/** The reductions of an amount, one discount after the other, in whole pence. */
export function cuts(held: readonly Held[], amount: number): Cut[] {
  let left = Math.max(0, amount)
  return held.map(({ id, coupon }) => {
    const off =
      coupon.percent_off === null
        ? Math.min(left, coupon.amount_off ?? 0)
        : Math.round((left * coupon.percent_off) / 100)
    left -= off
    return { discount: id, amount: off }
  })
}

/** The coupons in a request, given directly or by promotion code. Expired and used-up coupons are refused. */
export function wished({ store, clock }: World, given: Reader): Wished[] {
  return given.each('discounts', ['coupon', 'promotion_code', 'discount']).map((each) => {
    const codeId = each.text('promotion_code') ?? null
    const code = codeId ? store.get<Stripe.PromotionCode>('promotion_code', codeId) : undefined
    if (codeId && !code?.active) throw noSuch('promotion code', codeId, 'discounts[0][promotion_code]')
    const couponId = code ? idOf(code.promotion.coupon) : each.demandText('coupon')
    const coupon = store.get<Stripe.Coupon>('coupon', couponId)
    if (!coupon) throw noSuch('coupon', couponId, 'discounts[0][coupon]')
    const isOver = coupon.redeem_by !== null && coupon.redeem_by <= clock.now()
    if (isOver || (coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions))
      throw invalidRequest(`Coupon expired: ${couponId}`, { code: 'coupon_expired', param: 'discounts' })
    return { coupon, code: codeId }
  })
}

export interface Wished {
  readonly coupon: Stripe.Coupon
  readonly code: string | null
}

export function give(
  world: World,
  to: { readonly customer: string; readonly subscription: string },
  all: readonly Wished[],
): string[] {
  return all.map(({ coupon, code }) => {
    const made = discount(world.clock.now(), coupon, { ...to, code })
    world.store.put('discount', made)
    world.store.put<Kept>('held', { id: made.id, coupon, end: made.end })
    world.store.put('coupon', { ...coupon, times_redeemed: coupon.times_redeemed + 1 })
    world.emit('customer.discount.created', made)
    return made.id
  })
}

/** The remaining discounts: removes `once` discounts that were used, and expired ones. */
export function remaining(world: World, of: Stripe.Subscription, used: readonly string[]): string[] {
  const now = world.clock.now()
  return idsOf(of).filter((id) => {
    const { coupon, end } = world.store.get<Kept>('held', id)!
    const stays = coupon.duration === 'once' ? !used.includes(id) : end === null || end > now
    if (!stays) world.emit('customer.discount.deleted', world.store.get('discount', id)!)
    return stays
  })
}
