import type Stripe from 'stripe'
import type { Refusal } from '../cards.ts'
import { newId, randomText } from '../world.ts'

/** One attempt to charge an intent. `refusal` is the bank's reason; undefined if the charge succeeded. */
export function charge(
  created: number,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  refusal: Refusal | undefined,
  isAuthenticated: boolean,
): Stripe.Charge {
  const isPaid = refusal === undefined
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isPaid ? newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'MURMUR SANDBOX',
    captured: isPaid,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcome(refusal),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: details(method, intent.amount, isAuthenticated),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  }
}

function outcome(refusal: Refusal | undefined): Stripe.Charge.Outcome {
  return {
    advice_code: refusal ? 'try_again_later' : null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: refusal ? 'declined_by_network' : 'approved_by_network',
    reason: refusal ? (refusal.declineCode ?? refusal.code) : null,
    risk_level: 'normal',
    seller_message: refusal
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: refusal ? 'issuer_declined' : 'authorized',
  }
}

function details(
  method: Stripe.PaymentMethod,
  amount: number,
  isAuthenticated: boolean,
): Stripe.Charge.PaymentMethodDetails {
  if (!method.card)
    return {
      type: 'paypal',
      paypal: {
        country: method.paypal?.country ?? null,
        payer_email: method.paypal?.payer_email ?? null,
        payer_id: method.paypal?.payer_id ?? null,
        payer_name: method.billing_details.name,
        seller_protection: null,
        transaction_id: randomText(17).toUpperCase(),
      },
    }
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4, wallet } = method.card
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: null,
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country,
      electronic_commerce_indicator: null,
      exp_month,
      exp_year,
      fingerprint: fingerprint ?? null,
      funding,
      installments: null,
      last4,
      mandate: null,
      network: brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: isAuthenticated
        ? {
            authentication_flow: 'challenge',
            electronic_commerce_indicator: '05',
            exemption_indicator: null,
            result: 'authenticated',
            result_reason: null,
            transaction_id: null,
            version: '2.2.0',
          }
        : null,
      transaction_link_id: null,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same wallets, in another type
      wallet: (wallet ?? null) as Stripe.Charge.PaymentMethodDetails.Card.Wallet | null,
    },
  }
}
