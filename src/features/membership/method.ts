import type { Subscription } from '#contract/membership.ts'

/** "Card ending 4242", "PayPal". */
export const methodInWords = ({ payment, cardLast4 }: Subscription): string =>
  payment?.type === 'paypal' ? 'PayPal' : cardLast4 ? `Card ending ${cardLast4}` : 'Card'
