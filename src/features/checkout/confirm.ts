import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js'

interface Confirmation {
  readonly method: 'card' | 'paypal'
  readonly secret: string
  readonly returnUrl: string
  readonly card: StripeCardNumberElement | undefined
  /** As it stands on the card. */
  readonly name: string
}

/**
 * Pays at the provider: a card here, with its 3-D Secure dialog above this page; PayPal on its own page, which this
 * one leaves for. `failed` is the provider's word only (see `payFor`).
 */
export async function confirmPayment(
  stripe: Stripe | null,
  { method, secret, returnUrl, card, name }: Confirmation,
): Promise<'done' | 'failed'> {
  if (!stripe) return 'failed'
  if (method === 'paypal') {
    // PAY-22: what is kept for later is set up, with the same way back.
    const { error } = isSetup(secret)
      ? await stripe.confirmPayPalSetup(secret, { return_url: returnUrl })
      : await stripe.confirmPayPalPayment(secret, { return_url: returnUrl })
    return error ? 'failed' : 'done'
  }
  if (!card) return 'failed'
  const how = {
    payment_method: { card, billing_details: { name: name.trim() } },
    return_url: returnUrl,
  }
  // PAY-20: a setup stores a card, a payment takes money.
  const { error, intent } = isSetup(secret)
    ? await stripe.confirmCardSetup(secret, how).then((said) => ({ ...said, intent: said.setupIntent }))
    : await stripe.confirmCardPayment(secret, how).then((said) => ({ ...said, intent: said.paymentIntent }))
  if (error) return 'failed'
  return intent?.status === 'succeeded' || intent?.status === 'processing' ? 'done' : 'failed'
}

/** By its beginning: what is random in a payment's secret may hold the same letters. */
const isSetup = (secret: string) => secret.startsWith('seti_')

/** A payment that the bank wants its customer for, with the card that is kept. */
export async function confirmStored(stripe: Stripe | null, secret: string): Promise<'done' | 'failed'> {
  const { error } = stripe ? await stripe.confirmCardPayment(secret) : { error: true }
  return error ? 'failed' : 'done'
}
