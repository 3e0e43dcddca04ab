import Type, { type Static } from 'typebox'
import { nullable } from './atoms.ts'
import { endpoint } from './endpoint.ts'

/** What a browser needs to pay with. */
export const PaymentSettings = Type.Object({
  /** The provider's key for browsers (CONST-12); null where the shop takes no payments. */
  publishableKey: nullable(Type.String()),
  /** What defines `window.Stripe` in place of the provider's own script; null for its own. */
  scriptUrl: nullable(Type.String()),
  /** No money moves; the payment page says so. */
  test: Type.Boolean(),
  /** The countries that the shop sells to, where it does not sell to all of them, and the one that this visitor is in. */
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
