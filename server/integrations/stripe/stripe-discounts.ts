import type Stripe from 'stripe'
import { codeOf } from './client.ts'
import type { Discount } from './subscriptions.ts'

/** Named by its effect, so that creating it twice makes one. */
export function discountName(params: Discount): string {
  const off = 'percent' in params ? `${params.percent}pc` : `${params.amountMinor}p`
  return `murmur_${off}_${params.lasts}`.replaceAll('.', '-')
}

export async function discountOf({ coupons }: Stripe, params: Discount): Promise<string> {
  const id = discountName(params)
  const duration = typeof params.lasts === 'number' ? 'repeating' : params.lasts
  try {
    await coupons.create({
      id,
      duration,
      ...(typeof params.lasts === 'number' ? { duration_in_months: params.lasts } : {}),
      ...('percent' in params
        ? { percent_off: params.percent }
        : { amount_off: params.amountMinor, currency: 'gbp' }),
    })
  } catch (error) {
    if (codeOf(error) !== 'resource_already_exists') throw error
  }
  return id
}
