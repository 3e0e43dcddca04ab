import type { Checkout } from '#contract/checkout.ts'
import type { PlanId } from '#contract/plans.ts'

export type Method = 'card' | 'paypal'

/** The server's answer once an order has been made. */
export type Begun = Pick<Checkout, 'clientSecret' | 'order' | 'returnUrl' | 'url'>

/** The part of a membership that is being paid for. */
export interface MembershipPaid {
  readonly plan: PlanId
  /** `gift`, `xmas`: of somebody else, at once or on a chosen day. */
  readonly kind: 'plan' | 'trial' | 'card' | 'gift' | 'xmas'
  /** The recipient, for the words of the confirmation. */
  readonly recipient?: string
  /** The delivery date chosen for a Christmas gift, such as `2026-12-25`. */
  readonly day?: string
  /** Whose new card it is. */
  readonly subscription?: string
}

/** A buyer who pays without an account. */
export interface Giver {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly countryCode: string
}

export interface NewAccount extends Giver {
  readonly password: string
}

/**
 * A thing that is paid for at the checkout: a bag, a plan, a gift of one, a card that is kept. Whatever else is sold
 * is one more maker of these; form, provider and flow know nothing of what it is.
 */
export interface Purchase {
  /** The ways to pay it; none where nothing is left to pay, and no card is asked for (PAY-29). */
  readonly methods: readonly Method[]
  /** The right that the buyer waives to have it at once; undefined where there is nothing to waive. */
  readonly waiver: string | undefined
  /** Words of the button. */
  readonly label: string
  /** Below it: what is charged. */
  readonly charge: string
  /** Why it cannot be paid just now, besides the form. */
  readonly blocked: string | undefined
  /** The discount code that stands on it. */
  readonly code: string | null
  /** The address where it is put together. */
  readonly back: {
    readonly to: '/shopping-bag' | '/subscription/{-$token}' | '/subscription-details' | '/gift' | '/xmas'
    readonly search?: { readonly plan: string }
    readonly words: string
  }
  /** Its fields are marked with an asterisk (PAY-07). */
  readonly marked?: true
  /** Kept with the payment, so that whoever comes back finds what it was for; a bag without one. */
  readonly membership?: MembershipPaid
  /** The use of an account, where a visitor may also stay one. */
  readonly account?: string
  /** Done with the secret that was confirmed, before the checkout lets go: the shop learns of a new card. Answers what to say of it. */
  readonly finish?: (secret: string) => Promise<string>
  /** True if something of it can no longer be bought. */
  readonly isUpdated: () => Promise<boolean>
  /** Makes the account, logs it in, and makes the purchase its own. */
  readonly register: (account: NewAccount) => Promise<unknown>
  /** Makes the order, before any money moves; its secret pays for it, or keeps a card (`seti_…`). */
  readonly checkout: (agreed: { readonly waiver: boolean; readonly giver?: Giver }) => Promise<Begun>
  /** The total on the screen is not the shop's any more. */
  readonly refresh: () => Promise<unknown>
  /** The provider refused: what this browser kept for the buyer goes, or waits for another try. */
  readonly unpaid: () => void
}
