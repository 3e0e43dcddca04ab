import type Stripe from 'stripe'
import { createHash } from 'node:crypto'
import { type Card, cardOf, declined, expired, isLuhn, numberOfName } from './cards.ts'
import { StripeProblem, invalidRequest, missingParam, noSuch } from './errors.ts'
import { mandate } from './objects/mandate.ts'
import { cardMethod, noBilling, paypalMethod, type Hidden } from './objects/payment-method.ts'
import type { Reader } from './params.ts'
import type { World } from './world.ts'

export const METHOD_PARAMS = ['type', 'card', 'paypal', 'billing_details', 'metadata', 'allow_redisplay']

/** Creates a payment method from the buyer's input. Refuses an invalid card number; does not ask the bank yet. */
export function makeMethod(world: World, given: Reader): Stripe.PaymentMethod {
  const type = given.choice('type', ['card', 'paypal']) ?? 'card'
  const billing = billingOf(given)
  if (type === 'paypal') return keep(world, paypalMethod(world.clock.now(), billing), null)

  const typed = given.nested('card', ['number', 'exp_month', 'exp_year', 'cvc', 'token'])
  if (!typed) throw missingParam('card')
  const token = typed.text('token')
  if (token) return walletMethod(world, token, billing)
  const number = typed.demandText('number').replace(/\s/g, '')
  if (!isLuhn(number)) throw cardProblem('incorrect_number', 'Your card number is incorrect.', 'number')
  const card = cardOf(number)
  if (!card)
    throw cardProblem(
      'card_declined',
      'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://docs.stripe.com/testing.',
      'number',
      'test_mode_live_card',
    )
  const expiry = expiryOf(world, typed)
  if (!/^\d{3,4}$/.test(typed.demandText('cvc')))
    throw cardProblem('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  return keep(world, cardMethod(world.clock.now(), card, number, expiry, billing), number)
}

/** `tok_applepay_visa`: the wallet, then the name of a test card. Only the sandbox knows these. */
function walletMethod(
  world: World,
  token: string,
  billing: Stripe.PaymentMethod.BillingDetails,
): Stripe.PaymentMethod {
  const [, wallet = '', card = ''] = /^tok_([a-z]+)_(\w+)$/.exec(token) ?? []
  const type = WALLETS[wallet]
  const number = numberOfName(`pm_card_${card}`)
  if (!number || !type) throw noSuch('token', token, 'payment_method_data[card][token]')
  const now = world.clock.now()
  const made = cardMethod(now, cardOf(number)!, number, farExpiry(now), billing)
  const dynamic = { dynamic_last4: null, type }
  return keep(world, { ...made, card: { ...made.card!, wallet: dynamic } }, number)
}

const WALLETS: Readonly<Record<string, 'apple_pay' | 'google_pay' | 'link'>> = {
  applepay: 'apple_pay',
  googlepay: 'google_pay',
  link: 'link',
}

const farExpiry = (now: number) => ({ month: 12, year: new Date(now * 1000).getUTCFullYear() + 3 })

/** A stored method, or a new one for a name such as `pm_card_visa`. */
export function findMethod(world: World, id: string): Stripe.PaymentMethod {
  const number = numberOfName(id)
  if (!number) {
    const stored = world.store.get<Stripe.PaymentMethod>('payment_method', id)
    if (!stored) throw noSuch('PaymentMethod', id, 'payment_method')
    return stored
  }
  const now = world.clock.now()
  return keep(world, cardMethod(now, cardOf(number)!, number, farExpiry(now), noBilling), number)
}

export const hiddenOf = (world: World, methodId: string): Hidden =>
  world.store.get<Hidden>('hidden', methodId) ?? { id: methodId, number: null, isSetUp: false }

/** The bank's behaviour for a method: by card number, unless a test overrides it. */
export function bankOf(
  world: World,
  methodId: string,
): Pick<Card, 'attaches' | 'authentication' | 'disputed' | 'refusal'> {
  const { number, wish, isRevoked } = hiddenOf(world, methodId)
  const refused = (code: string, message?: string) => ({ refusal: declined(code, message), attaches: true })
  if (isRevoked) return refused('payment_method_provider_decline', 'The PayPal agreement was cancelled.')
  if (wish === 'pass') return {}
  if (wish === 'authenticate') return { authentication: 'always' }
  if (wish) return refused(wish)
  if (isOver(world, methodId)) return { refusal: expired, attaches: true }
  return (number ? cardOf(number) : undefined) ?? {}
}

/** A card is valid until the end of its month. */
function isOver({ store, clock }: World, methodId: string): boolean {
  const card = store.get<Stripe.PaymentMethod>('payment_method', methodId)?.card
  return card != null && clock.now() * 1000 >= Date.UTC(card.exp_year, card.exp_month)
}

/** An approved PayPal account. The same payer always has the same id. */
export function paypalPayer(method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const email = method.billing_details.email ?? 'buyer@paypal.example'
  const id = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 13).toUpperCase()
  return { ...method, paypal: { country: 'GB', payer_email: email, payer_id: id } }
}

/** The customer has authenticated; cards with `unless-set-up` need no further authentication. */
export function markSetUp(world: World, methodId: string): void {
  world.store.put('hidden', { ...hiddenOf(world, methodId), isSetUp: true })
}

/** Creates the PayPal payer's mandate for later payments, one for each stored account. */
export function agree(world: World, method: Stripe.PaymentMethod): Stripe.Mandate | null {
  if (method.type !== 'paypal') return null
  const made = mandate(world.clock.now(), method)
  world.store.put('mandate', made)
  world.store.put('method-mandate', { id: method.id, mandate: made.id })
  return made
}

export function revoke(world: World, methodId: string): Stripe.Mandate {
  const pair = world.store.get<{ id: string; mandate: string }>('method-mandate', methodId)
  const before = pair && world.store.get<Stripe.Mandate>('mandate', pair.mandate)
  if (!before) throw noSuch('mandate', methodId)
  const after: Stripe.Mandate = { ...before, status: 'inactive' }
  world.store.put('mandate', after)
  world.store.put('hidden', { ...hiddenOf(world, methodId), isRevoked: true })
  world.emit('mandate.updated', after)
  return after
}

export function attach(world: World, method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
  if (method.customer === customer) return method
  if (method.customer)
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    })
  const attached = { ...method, customer }
  world.store.put('payment_method', attached)
  world.emit('payment_method.attached', attached)
  return attached
}

export const cardProblem = (
  code: string,
  message: string,
  param?: string,
  declineCode?: string,
): StripeProblem =>
  new StripeProblem(402, {
    type: 'card_error',
    code,
    message,
    ...(param ? { param } : {}),
    ...(declineCode ? { decline_code: declineCode } : {}),
  })

function keep(world: World, method: Stripe.PaymentMethod, number: string | null): Stripe.PaymentMethod {
  world.store.put('payment_method', method)
  world.store.put('hidden', { id: method.id, number, isSetUp: false } satisfies Hidden)
  return method
}

function expiryOf(world: World, typed: Reader): { month: number; year: number } {
  const month = typed.integer('exp_month') ?? 0
  const short = typed.integer('exp_year') ?? 0
  const year = short < 100 ? 2000 + short : short
  if (month < 1 || month > 12)
    throw cardProblem('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  const now = new Date(world.clock.now() * 1000)
  const isPast = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
  if (isPast || year > now.getUTCFullYear() + 50)
    throw cardProblem('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  return { month, year }
}

const ADDRESS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const

function billingOf(given: Reader): Stripe.PaymentMethod.BillingDetails {
  const billing = given.nested('billing_details', ['address', 'email', 'name', 'phone'])
  const address = billing?.nested('address', ADDRESS)
  return {
    address: address
      ? {
          city: address.text('city') ?? null,
          country: address.text('country') ?? null,
          line1: address.text('line1') ?? null,
          line2: address.text('line2') ?? null,
          postal_code: address.text('postal_code') ?? null,
          state: address.text('state') ?? null,
        }
      : null,
    email: billing?.text('email') ?? null,
    name: billing?.text('name') ?? null,
    phone: billing?.text('phone') ?? null,
    tax_id: null,
  }
}
