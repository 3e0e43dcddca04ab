import type Stripe from 'stripe'
import { docUrl, invalidRequest, StripeProblem } from './errors.ts'
import { agree, attach, bankOf, markSetUp, paypalPayer } from './methods.ts'
import { randomText, type World } from './world.ts'

interface Confirmation {
  readonly returnUrl: string | null
  readonly byScript: boolean
}

/** Stores a payment method for later payments. The bank may refuse it or require authentication. */
export function confirmSetup(
  world: World,
  before: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  { returnUrl, byScript }: Confirmation,
): Stripe.SetupIntent {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(before.status))
    throw invalidRequest(`You cannot confirm this SetupIntent because it has a status of ${before.status}.`, {
      code: 'setup_intent_unexpected_state',
      setup_intent: before,
    })
  if (!before.payment_method_types.includes(method.type))
    throw invalidRequest(`The PaymentMethod provided (${method.type}) is not allowed for this SetupIntent.`, {
      param: 'payment_method',
    })
  const intent: Stripe.SetupIntent = {
    ...before,
    payment_method: method.id,
    last_setup_error: null,
    next_action: null,
  }
  const { authentication } = bankOf(world, method.id)
  if (method.type === 'card' && !authentication) return finishSetup(world, intent, method)

  const key = randomText(32)
  world.store.put('approval', { id: intent.id, key })
  const page = method.type === 'paypal' ? 'paypal' : 'bank'
  const url = `${world.origin()}/${page}/${intent.id}?key=${key}`
  if (method.type === 'paypal' && !returnUrl)
    throw invalidRequest('You must provide a `return_url` when confirming with PayPal.', {
      param: 'return_url',
    })
  const waiting: Stripe.SetupIntent = {
    ...intent,
    status: 'requires_action',
    next_action:
      returnUrl && !(byScript && method.type === 'card')
        ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
        : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } },
  }
  world.store.put('setup_intent', waiting)
  world.emit('setup_intent.requires_action', waiting)
  return waiting
}

/** Applies the customer's decision at the bank or PayPal. Later decisions are ignored. */
export function decideSetup(
  world: World,
  intent: Stripe.SetupIntent,
  isApproved: boolean,
): Stripe.SetupIntent {
  if (intent.status !== 'requires_action' || typeof intent.payment_method !== 'string') return intent
  const method = world.store.get<Stripe.PaymentMethod>('payment_method', intent.payment_method)!
  if (isApproved) {
    const approved = method.type === 'paypal' ? paypalPayer(method) : method
    world.store.put('payment_method', approved)
    return finishSetup(world, { ...intent, next_action: null }, approved)
  }
  return refuseSetup(world, { ...intent, next_action: null }, method, {
    code: 'setup_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    type: 'invalid_request_error',
  })
}

export function throwSetupRefusal(intent: Stripe.SetupIntent): void {
  const error = intent.last_setup_error
  if (!error) return
  throw new StripeProblem(402, {
    type: error.type === 'card_error' ? 'card_error' : 'invalid_request_error',
    message: error.message ?? '',
    ...(error.code ? { code: error.code } : {}),
    ...(error.decline_code ? { decline_code: error.decline_code } : {}),
    setup_intent: intent,
  })
}

function finishSetup(
  world: World,
  intent: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
): Stripe.SetupIntent {
  const { refusal, attaches } = bankOf(world, method.id)
  if (refusal && !attaches) {
    const { code, declineCode, message } = refusal
    return refuseSetup(world, intent, method, {
      code,
      message,
      type: 'card_error',
      ...(declineCode ? { decline_code: declineCode } : {}),
    })
  }
  markSetUp(world, method.id)
  if (typeof intent.customer === 'string') attach(world, method, intent.customer)
  const done: Stripe.SetupIntent = {
    ...intent,
    mandate: agree(world, method)?.id ?? null,
    status: 'succeeded',
  }
  world.store.put('setup_intent', done)
  world.emit('setup_intent.succeeded', done)
  world.react.setUpDone(world, done)
  return done
}

interface SetupError {
  readonly code: string
  readonly message: string
  readonly type: 'card_error' | 'invalid_request_error'
  readonly decline_code?: string
}

function refuseSetup(
  world: World,
  intent: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  { code, ...error }: SetupError,
): Stripe.SetupIntent {
  const refused: Stripe.SetupIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    last_setup_error: {
      ...error,
      code: code,
      doc_url: docUrl(code),
      payment_method: method,
    },
  }
  world.store.put('setup_intent', refused)
  world.emit('setup_intent.setup_failed', refused)
  return refused
}
