import type Stripe from 'stripe'
import { newId, randomText } from '../world.ts'
import { monthsAfter } from '../calendar.ts'

export function discount(
  start: number,
  coupon: Stripe.Coupon,
  holder: {
    readonly customer: string | null
    readonly subscription: string | null
    readonly code: string | null
  },
): Stripe.Discount {
  return {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer: holder.customer,
    customer_account: null,
    end: coupon.duration === 'repeating' ? monthsAfter(start, coupon.duration_in_months ?? 1) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: holder.code,
    source: { type: 'coupon', coupon: coupon.id },
    start,
    subscription: holder.subscription,
    subscription_item: null,
  }
}

interface NewCode {
  readonly coupon: string
  readonly code: string | null
  readonly expiresAt: number | null
  readonly maxRedemptions: number | null
  readonly metadata: Record<string, string>
}

export function promotionCode(created: number, given: NewCode): Stripe.PromotionCode {
  return {
    id: newId('promo'),
    object: 'promotion_code',
    active: true,
    code: given.code ?? randomText(8).toUpperCase(),
    created,
    customer: null,
    customer_account: null,
    expires_at: given.expiresAt,
    livemode: false,
    max_redemptions: given.maxRedemptions,
    metadata: given.metadata,
    promotion: { type: 'coupon', coupon: given.coupon },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  }
}
