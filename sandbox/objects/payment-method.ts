import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { Card } from '../cards.ts'
import { newId } from '../world.ts'

/** What only the bank knows about a payment method; never part of an answer. */
export interface Hidden {
  readonly id: string
  /** The card number; null for a PayPal account. */
  readonly number: string | null
  /** The customer has authenticated once, so the bank or PayPal accepts later payments. */
  readonly isSetUp: boolean
  /** A test's override of the bank's answer. */
  readonly wish?: Wish
  readonly isRevoked?: boolean
}

export const WISHES = ['pass', 'insufficient_funds', 'generic_decline', 'lost_card', 'authenticate'] as const
export type Wish = (typeof WISHES)[number]

interface Expiry {
  readonly month: number
  readonly year: number
}

type Billing = Stripe.PaymentMethod.BillingDetails

export const noBilling: Billing = { address: null, email: null, name: null, phone: null, tax_id: null }

export function cardMethod(
  created: number,
  card: Card,
  number: string,
  expiry: Expiry,
  billing: Billing,
): Stripe.PaymentMethod {
  return {
    ...method(created, billing),
    type: 'card',
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
      country: card.country,
      display_brand: card.brand === 'amex' ? 'american_express' : card.brand,
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: createHash('sha256').update(number).digest('hex').slice(0, 16),
      funding: card.funding,
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  }
}

export function paypalMethod(created: number, billing: Billing): Stripe.PaymentMethod {
  return {
    ...method(created, billing),
    type: 'paypal',
    paypal: { country: 'GB', payer_email: billing.email, payer_id: null },
  }
}

function method(created: number, billing: Billing): Omit<Stripe.PaymentMethod, 'type'> {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
  }
}
