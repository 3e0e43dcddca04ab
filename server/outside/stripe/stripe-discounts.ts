import type Stripe from 'stripe'
import { codeOf } from './client.ts'
import type { Discount } from './subscriptions.ts'

/** By what it does, so that making one twice makes one. */
export function discountName(wish: Discount): string {
  const off = 'percent' in wish ? `${wish.percent}pc` : `${wish.amountMinor}p`
  return `murmur_${off}_${wish.lasts}`.replaceAll('.', '-')
}

/** The coupon for a discount: one for each kind, made when it is first wanted. */
export async function discountOf({ coupons }: Stripe, wish: Discount): Promise<string> {
  const id = discountName(wish)
  const duration = typeof wish.lasts === 'number' ? 'repeating' : wish.lasts
  try {
    await coupons.create({
      id,
      duration,
      ...(typeof wish.lasts === 'number' ? { duration_in_months: wish.lasts } : {}),
      ...('percent' in wish
        ? { percent_off: wish.percent }
        : { amount_off: wish.amountMinor, currency: 'gbp' }),
    })
  } catch (error) {
    if (codeOf(error) !== 'resource_already_exists') throw error
  }
  return id
}
