import type Stripe from 'stripe'
import type { Refusal } from './cards.ts'
import { docUrl, invalidRequest, StripeProblem } from './errors.ts'
import { agree, attach, bankOf, hiddenOf, markSetUp, paypalPayer } from './methods.ts'
import { charge } from './objects/charge.ts'
import { dispute } from './objects/dispute.ts'
import { newId, randomText, type World } from './world.ts'

interface Confirmation {
  readonly returnUrl: string | null
  /** True: Stripe.js shows the bank's dialog. False: the buyer is redirected to the bank and back. */
  readonly byScript: boolean
  readonly offSession: boolean
}

/**
 * Tries to pay an intent with a payment method. Returns it paid, or waiting for the buyer at the bank or PayPal. A
 * refusal is stored, and `throwRefusal` throws it after that, so that the stored changes stay.
 */
export function confirmIntent(
  world: World,
  before: Stripe.PaymentIntent,
  given: Stripe.PaymentMethod,
  { returnUrl, byScript, offSession }: Confirmation,
): Stripe.PaymentIntent {
  demandState(before, 'confirm', ['requires_payment_method', 'requires_confirmation', 'requires_action'])
  if (!before.payment_method_types.includes(given.type))
    throw invalidRequest(
      `The PaymentMethod provided (${given.type}) is not allowed for this PaymentIntent.`,
      { param: 'payment_method' },
    )
  if (given.customer && given.customer !== before.customer)
    throw invalidRequest('The PaymentMethod belongs to another Customer.', { param: 'payment_method' })

  const intent: Stripe.PaymentIntent = {
    ...before,
    payment_method: given.id,
    last_payment_error: null,
    next_action: null,
  }
  if (given.type === 'paypal') {
    if (offSession && hiddenOf(world, given.id).isSetUp) return settle(world, intent, given, undefined, false)
    if (!returnUrl)
      throw invalidRequest('You must provide a `return_url` when confirming with PayPal.', {
        param: 'return_url',
      })
    return waitAt(
      world,
      intent,
      redirect(`${world.origin()}/paypal/${intent.id}?key=${newApproval(world, intent)}`, returnUrl),
    )
  }
  if (!wantsOwner(world, given)) return settle(world, intent, given, undefined, false)
  if (offSession)
    return settle(
      world,
      intent,
      given,
      {
        code: 'authentication_required',
        declineCode: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      },
      false,
    )

  const address = `${world.origin()}/bank/${intent.id}?key=${newApproval(world, intent)}`
  return waitAt(world, intent, byScript || !returnUrl ? bySdk(address) : redirect(address, returnUrl))
}

/** Applies the customer's decision at the bank or PayPal. Later decisions are ignored. */
export function decideIntent(
  world: World,
  intent: Stripe.PaymentIntent,
  isApproved: boolean,
): Stripe.PaymentIntent {
  if (intent.status !== 'requires_action' || typeof intent.payment_method !== 'string') return intent
  const method = world.store.get<Stripe.PaymentMethod>('payment_method', intent.payment_method)!
  const answered = { ...intent, next_action: null }
  if (!isApproved) return refuse(world, answered, method, refusalOfOwner(method), null)
  if (method.type === 'card') return settle(world, answered, method, undefined, true)

  const approved = paypalPayer(method)
  world.store.put('payment_method', approved)
  return settle(world, answered, approved, undefined, false)
}

export function cancelIntent(
  world: World,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Stripe.PaymentIntent {
  demandState(intent, 'cancel', [
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
  ])
  const cancelled: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    canceled_at: world.clock.now(),
    cancellation_reason: reason,
    next_action: null,
  }
  world.store.put('payment_intent', cancelled)
  world.emit('payment_intent.canceled', cancelled)
  return cancelled
}

/** A refused charge is an error response that contains the updated intent. */
export function throwRefusal(intent: Stripe.PaymentIntent): void {
  const error = intent.last_payment_error
  if (!error) return
  throw new StripeProblem(402, {
    type: error.type === 'card_error' ? 'card_error' : 'invalid_request_error',
    message: error.message ?? '',
    ...(error.code ? { code: error.code } : {}),
    ...(error.decline_code ? { decline_code: error.decline_code } : {}),
    ...(error.charge ? { charge: error.charge } : {}),
    ...(error.payment_method ? { payment_method: error.payment_method } : {}),
    payment_intent: intent,
  })
}

export function disputeCharge(world: World, disputed: Stripe.Charge): Stripe.Dispute {
  const made = dispute(world.clock.now(), disputed)
  world.store.put('dispute', made)
  world.store.put('charge', { ...disputed, disputed: true })
  world.emit('charge.dispute.created', made)
  world.emit('charge.dispute.funds_withdrawn', made)
  return made
}

/**
 * Winning a dispute returns the money; the charge stays marked as disputed, as at Stripe. The dispute says whether the
 * charge can still be refunded.
 */
export function closeDispute(
  world: World,
  before: Stripe.Dispute,
  outcome: 'won' | 'lost',
  isRefundable = outcome === 'won',
): Stripe.Dispute {
  const after: Stripe.Dispute = { ...before, status: outcome, is_charge_refundable: isRefundable }
  world.store.put('dispute', after)
  world.emit('charge.dispute.closed', after, { status: before.status })
  if (outcome === 'won') world.emit('charge.dispute.funds_reinstated', after)
  return after
}

function demandState(
  intent: Stripe.PaymentIntent,
  verb: string,
  allowed: readonly Stripe.PaymentIntent.Status[],
): void {
  if (allowed.includes(intent.status)) return
  throw invalidRequest(`You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}

function settle(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  atOnce: Refusal | undefined,
  isAuthenticated: boolean,
): Stripe.PaymentIntent {
  const bank = bankOf(world, method.id)
  const refusal = atOnce ?? bank.refusal
  const tried = charge(world.clock.now(), intent, method, refusal, isAuthenticated)
  world.store.put('charge', tried)
  if (refusal) {
    world.emit('charge.failed', tried)
    return refuse(world, { ...intent, latest_charge: tried.id }, method, refusal, tried.id)
  }

  const paid: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    latest_charge: tried.id,
    status: 'succeeded',
  }
  world.store.put('payment_intent', paid)
  if (intent.setup_future_usage) keepForLater(world, intent, method, isAuthenticated)
  world.emit('charge.succeeded', tried)
  world.emit('payment_intent.succeeded', paid)
  if (bank.disputed) disputeCharge(world, tried)
  world.react.intentPaid(world, paid)
  return paid
}

function keepForLater(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  isAuthenticated: boolean,
): void {
  const isNew = !hiddenOf(world, method.id).isSetUp
  if (isAuthenticated || method.type === 'paypal') markSetUp(world, method.id)
  if (isNew) agree(world, method)
  if (typeof intent.customer === 'string') attach(world, method, intent.customer)
}

function refuse(
  world: World,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { code, declineCode, message }: Refusal,
  chargeId: string | null,
): Stripe.PaymentIntent {
  const refused: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: {
      code: code,
      doc_url: docUrl(code),
      message,
      payment_method: method,
      type: OWNERS_WORD.has(code) ? 'invalid_request_error' : 'card_error',
      ...(declineCode ? { decline_code: declineCode } : {}),
      ...(chargeId ? { charge: chargeId } : {}),
    },
  }
  world.store.put('payment_intent', refused)
  world.emit('payment_intent.payment_failed', refused)
  world.react.intentRefused(world, refused)
  return refused
}

const AUTHENTICATION_FAILED = 'payment_intent_authentication_failure'
const ATTEMPT_FAILED = 'payment_intent_payment_attempt_failed'
const OWNERS_WORD = new Set([AUTHENTICATION_FAILED, ATTEMPT_FAILED])

const refusalOfOwner = (method: Stripe.PaymentMethod): Refusal =>
  method.type === 'card'
    ? {
        code: AUTHENTICATION_FAILED,
        declineCode: null,
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      }
    : {
        code: ATTEMPT_FAILED,
        declineCode: null,
        message: 'The customer did not approve the PayPal payment.',
      }

function wantsOwner(world: World, method: Stripe.PaymentMethod): boolean {
  const { authentication } = bankOf(world, method.id)
  return (
    authentication === 'always' || (authentication === 'unless-set-up' && !hiddenOf(world, method.id).isSetUp)
  )
}

function waitAt(
  world: World,
  intent: Stripe.PaymentIntent,
  action: Stripe.PaymentIntent.NextAction,
): Stripe.PaymentIntent {
  const waiting: Stripe.PaymentIntent = { ...intent, status: 'requires_action', next_action: action }
  world.store.put('payment_intent', waiting)
  world.emit('payment_intent.requires_action', waiting)
  return waiting
}

const redirect = (url: string, returnUrl: string): Stripe.PaymentIntent.NextAction => ({
  type: 'redirect_to_url',
  redirect_to_url: { return_url: returnUrl, url },
})

const bySdk = (address: string): Stripe.PaymentIntent.NextAction => ({
  type: 'use_stripe_sdk',
  use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: address, source: newId('src') },
})

function newApproval(world: World, intent: { readonly id: string }): string {
  const key = randomText(32)
  world.store.put('approval', { id: intent.id, key })
  return key
}
