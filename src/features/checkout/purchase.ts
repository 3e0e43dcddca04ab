import type { Checkout } from '#contract/checkout.ts'
import type { PlanId } from '#contract/plans.ts'

export type Method = 'card' | 'paypal'

export type Begun = Pick<Checkout, 'clientSecret' | 'order' | 'returnUrl' | 'url'>

export interface MembershipPaid {
  readonly plan: PlanId
  /** `gift` and `xmas` are for another person, delivered at once or on a chosen day. */
  readonly kind: 'plan' | 'trial' | 'card' | 'gift' | 'xmas'
  readonly recipient?: string
  /** The delivery date chosen for a Christmas gift, such as `2026-12-25`. */
  readonly day?: string
  readonly subscription?: string
  /** The membership of a bag, whose books are paid for next. */
  readonly withBag?: true
}

export interface Giver {
  readonly email: string
  readonly firstName: string
  /** Absent if a wallet knows a name of one word only. */
  readonly lastName?: string
  readonly countryCode: string
}

export interface NewAccount extends Giver {
  /** Absent if a wallet pays: it is chosen afterwards. */
  readonly password?: string
}

/** How Apple Pay, Google Pay and Link pay for it, without the form. */
export interface WalletOffer {
  readonly mode: 'payment' | 'subscription' | 'setup'
  readonly amountMinor: number
  /** The sentence below the buttons replaces the form's checkbox. */
  readonly consent: string
}

/**
 * Anything that is paid for at the checkout: a bag, a plan, a gift, a new card. A new kind of product only
 * needs another function that returns a `Purchase`; the form and the payment flow don't depend on the kind.
 */
export interface Purchase {
  /** Empty if there is nothing left to pay; then no card is needed (PAY-29). */
  readonly methods: readonly Method[]
  /** The right that the buyer waives for immediate access, as text; undefined if not needed. */
  readonly waiver: string | undefined
  /** Undefined if no wallet can pay for it. */
  readonly wallet?: WalletOffer | undefined
  readonly label: string
  readonly charge: string
  readonly blocked: string | undefined
  readonly code: string | null
  readonly back: {
    readonly to: '/shopping-bag' | '/subscription/{-$token}' | '/subscription-details' | '/gift' | '/xmas'
    readonly search?: { readonly plan: string }
    readonly words: string
  }
  /** Required fields have an asterisk (PAY-07). */
  readonly marked?: true
  /** The card that pays can be saved for later purchases. */
  readonly savesCard?: true
  /** Stored with the payment, so that the return page knows what was paid for; undefined for a bag. */
  readonly membership?: MembershipPaid
  readonly account?: string
  /**
   * Called with the confirmed secret before the checkout ends: tells the server about a new card. Resolves
   * with a message.
   */
  readonly finish?: (secret: string) => Promise<string>
  /** True if part of it can no longer be bought. */
  readonly isUpdated: () => Promise<boolean>
  readonly register: (account: NewAccount) => Promise<unknown>
  /** Creates the order before any money moves; its secret pays for it, or stores a card (`seti_…`). */
  readonly checkout: (agreed: {
    readonly waiver: boolean
    readonly giver?: Giver
    readonly saveCard?: true
    /** In place of the waiver's box: the sentence below the button that was pressed. */
    readonly consent?: string
  }) => Promise<Begun>
  /** Reloads the prices, after the total on the screen turned out to be outdated. */
  readonly refresh: () => Promise<unknown>
  /** Called after Stripe refused: removes this browser's copy of the purchase, or stores it for a retry. */
  readonly unpaid: () => void
}
