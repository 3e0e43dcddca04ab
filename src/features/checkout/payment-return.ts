/**
 * Parameters that the provider adds to the return address: the payment, and the secret that proves whose it is
 * (ROLE-22).
 */
export interface ReturnProof {
  payment_intent?: string
  payment_intent_client_secret?: string
  /** Of a card or PayPal that is only kept. */
  setup_intent?: string
  setup_intent_client_secret?: string
  /** `failed` after PayPal; a hint for words, never for what was paid (trap 26). */
  redirect_status?: string
}

export function returnSearch(search: { readonly [K in keyof ReturnProof]?: unknown }): ReturnProof {
  const {
    payment_intent,
    payment_intent_client_secret,
    setup_intent,
    setup_intent_client_secret,
    redirect_status,
  } = search
  return {
    ...(isIntent(payment_intent) ? { payment_intent } : {}),
    ...(isSecret(payment_intent_client_secret) ? { payment_intent_client_secret } : {}),
    ...(isSetUp(setup_intent) ? { setup_intent } : {}),
    ...(isSecret(setup_intent_client_secret) ? { setup_intent_client_secret } : {}),
    ...(typeof redirect_status === 'string' ? { redirect_status } : {}),
  }
}

const isIntent = (value: unknown): value is string =>
  typeof value === 'string' && /^pi_[A-Za-z0-9_]{1,190}$/.test(value)
const isSetUp = (value: unknown): value is string =>
  typeof value === 'string' && /^seti_[A-Za-z0-9_]{1,190}$/.test(value)
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 400

export const hasProof = (proof: ReturnProof): boolean =>
  proof.payment_intent !== undefined && proof.payment_intent_client_secret !== undefined
