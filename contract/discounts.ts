import Type, { type Static } from 'typebox'
import { NullableInteger, NullableNumber, NullableString, Pounds } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'
import type { PlanId } from './plans.ts'

/** What a code reduces: the whole bag (or plan), the cheapest book of the bag, one book, or memberships only. */
export const DISCOUNT_TYPES = ['cheapest_book', 'all', 'subscription', 'monthly', 'yearly', 'book'] as const
export type DiscountType = (typeof DISCOUNT_TYPES)[number]
/** Client and server trim and upper-case it (DISC-01: `couponCode` of limits.ts) before the lookup. */
export const CouponCode = Type.String({ minLength: 1, maxLength: 64 })

/** Null removes the code. */
export const NullableCouponCode = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 64,
})

const DiscountKind = Type.Unsafe<DiscountType>({ type: 'string', enum: [...DISCOUNT_TYPES] })

/** Either `relative_discount` (percent) or `discount_amount` (pounds) is set, never both (ENT-13). */
export const Discount = item('Discount', {
  discount_code: Type.String(),
  discount_type: DiscountKind,
  /** False if it has ended, is used up, or is switched off. */
  active: Type.Boolean(),
  relative_discount: NullableInteger,
  discount_amount: NullableNumber,
})
export type Discount = Static<typeof Discount>

/** The current effect of a code on a bag. `saved` is the reduction in pounds. */
export const AppliedDiscount = Type.Object({
  discount_code: Type.String(),
  discount_type: DiscountKind,
  relative_discount: NullableInteger,
  discount_amount: NullableNumber,
  saved: Pounds,
  /**
   * A percentage of the whole bag whose total was rounded up to a whole pound (DISC-09): the reduction is smaller than
   * the percentage.
   */
  rounded: Type.Boolean(),
})
export type AppliedDiscount = Static<typeof AppliedDiscount>

/** Case-insensitive. 404 for an unknown code, 429 after too many of those (API-74). */
export const getDiscount = endpoint({
  method: 'GET',
  path: '/api/discounts/{code}',
  summary: 'A discount code',
  access: 'anyone',
  params: Type.Object({ code: CouponCode }),
  reply: Discount,
})

export const Plan = Type.Unsafe<PlanId>({ type: 'integer', minimum: 1, maximum: 7 })
/** How long a membership's code applies; `repeating` for a number of months, in every plan. */
export const DiscountDuration = Type.Unsafe<'once' | 'repeating' | 'forever' | null>({
  type: ['string', 'null'],
  enum: ['once', 'repeating', 'forever', null],
})

export const PlanDiscount = Type.Object({
  valid: Type.Boolean(),
  /** The API's message, if the code is not valid. */
  message: NullableString,
  plan: Plan,
  price: Pounds,
  /** The first charge, exact to the penny. */
  discountPrice: Pounds,
  /** Included in `discountPrice`. */
  vat: Pounds,
  relative_discount: NullableInteger,
  discount_amount: NullableNumber,
  discountDuration: DiscountDuration,
  discountDurationMonths: NullableInteger,
  /** Nothing is charged and no payment method is stored, so the membership does not renew. */
  free: Type.Boolean(),
})
export type PlanDiscount = Static<typeof PlanDiscount>

/** Whether a code is valid for a plan, and what the plan costs with it. Stores nothing. 404 for an unknown code. */
export const planDiscount = endpoint({
  method: 'GET',
  path: '/api/discounts/{code}/sub-apply-coupon',
  summary: 'What a code does to a plan',
  access: 'anyone',
  part: 'membership',
  params: Type.Object({ code: CouponCode }),
  query: Type.Object({ plan: Plan }),
  reply: PlanDiscount,
})
