import Type, { type Static } from 'typebox'
import { nullable } from './atoms.ts'
import { endpoint } from './endpoint.ts'

export const PaymentSettings = Type.Object({
  /** Stripe's publishable key (CONST-12); null if the shop takes no payments. */
  publishableKey: nullable(Type.String()),
  /** The script that defines `window.Stripe` instead of Stripe's own; null for Stripe's own. */
  scriptUrl: nullable(Type.String()),
  /** Test mode: no money moves, and the payment page says so. */
  test: Type.Boolean(),
  /** The countries that the shop sells to, and this visitor's country. Absent if it sells to all countries. */
  sells: Type.Optional(Type.Object({ to: Type.Array(Type.String()), from: Type.String() })),
})
export type PaymentSettings = Static<typeof PaymentSettings>

export const getPaymentSettings = endpoint({
  method: 'GET',
  path: '/api/payment_settings',
  summary: 'How a browser pays here',
  access: 'open',
  reply: PaymentSettings,
})
