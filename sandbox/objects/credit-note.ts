import type Stripe from 'stripe'
import { newId } from '../world.ts'

interface NewCreditNote {
  readonly invoice: Stripe.Invoice
  readonly amount: number
  readonly reason: string | null
  readonly memo: string | null
  readonly metadata: Record<string, string>
  readonly refunds: readonly { readonly refund: string; readonly amount: number }[]
  readonly count: number
}

export function creditNote(created: number, given: NewCreditNote): Stripe.CreditNote {
  const id = newId('cn')
  const { invoice, amount } = given
  return {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created,
    currency: 'gbp',
    customer: invoice.customer ?? '',
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: created,
    invoice: invoice.id,
    lines: {
      object: 'list',
      data: [
        {
          id: newId('cnli'),
          object: 'credit_note_line_item',
          amount,
          description: given.memo,
          discount_amount: 0,
          discount_amounts: [],
          livemode: false,
          metadata: {},
          pretax_credit_amounts: [],
          quantity: 1,
          tax_rates: [],
          taxes: [],
          type: 'custom_line_item',
          unit_amount: amount,
          unit_amount_decimal: null,
        },
      ],
      has_more: false,
      url: `/v1/credit_notes/${id}/lines`,
    },
    livemode: false,
    memo: given.memo,
    metadata: given.metadata,
    number: `${invoice.number}-CN-${String(given.count).padStart(2, '0')}`,
    out_of_band_amount: null,
    pdf: '',
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: given.reason,
    refunds: given.refunds.map(({ refund, amount: refunded }) => ({
      amount_refunded: refunded,
      payment_record_refund: null,
      refund,
      type: 'refund',
    })),
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment',
    voided_at: null,
  }
}
