import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, missingParam } from '../errors.ts'
import { findMethod, makeMethod, METHOD_PARAMS } from '../methods.ts'
import { paymentIntent, publicPaymentIntent } from '../objects/payment-intent.ts'
import { Reader } from '../params.ts'
import { cancelIntent, confirmIntent, throwRefusal } from '../pay.ts'
import type { World } from '../world.ts'
import { demandCustomer } from './customers.ts'
import { serveRest } from './serve-rest.ts'
import { findIntent, serveIntentReads } from './intents.ts'

const CHANGEABLE = [
  'amount',
  'currency',
  'customer',
  'description',
  'metadata',
  'receipt_email',
  'setup_future_usage',
]
const CONFIRMABLE = [
  'payment_method',
  'payment_method_data',
  'return_url',
  'off_session',
  'use_stripe_sdk',
  'client_secret',
  'mandate_data',
  'payment_method_options',
  'error_on_requires_action',
  'setup_future_usage',
]
const NEW = [
  ...CHANGEABLE,
  ...CONFIRMABLE,
  'allowed_payment_method_types',
  'automatic_payment_methods',
  'confirm',
]

export function servePaymentIntents(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/payment_intents'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, NEW)
      const automatic = given
        .nested('automatic_payment_methods', ['enabled', 'allow_redirects'])
        ?.flag('enabled')
      const made = paymentIntent({
        amount: amountOf(given) ?? missing('amount'),
        currency: currencyOf(given),
        created: clock.now(),
        customer: demandCustomer(world, given),
        description: given.text('description') ?? null,
        metadata: given.metadata(),
        allowedTypes: given.list('allowed_payment_method_types') ?? null,
        automatic: automatic ?? false,
        receiptEmail: given.text('receipt_email') ?? null,
        futureUsage: given.choice('setup_future_usage', ['off_session', 'on_session']) ?? null,
      })
      store.put('payment_intent', made)
      world.emit('payment_intent.created', made)
      if (given.flag('confirm')) return confirm(world, made, given)
      if (!given.has('payment_method')) return made
      const chosen: Stripe.PaymentIntent = {
        ...made,
        payment_method: findMethod(world, given.demandText('payment_method')).id,
        status: 'requires_confirmation',
      }
      store.put('payment_intent', chosen)
      return chosen
    },
  })

  serveIntentReads(app, world, 'payment_intent', publicPaymentIntent)

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer(asked) {
      const given = new Reader(asked.params, CHANGEABLE)
      const intent = findIntent(world, 'payment_intent', asked)
      if (intent.status === 'succeeded' || intent.status === 'canceled')
        demandOnly(given, ['description', 'metadata'], intent)
      const changed: Stripe.PaymentIntent = {
        ...intent,
        amount: amountOf(given) ?? intent.amount,
        customer: given.has('customer') ? demandCustomer(world, given) : intent.customer,
        description: given.has('description') ? (given.text('description') ?? null) : intent.description,
        metadata: given.metadata(intent.metadata),
        receipt_email: given.has('receipt_email')
          ? (given.text('receipt_email') ?? null)
          : intent.receipt_email,
        setup_future_usage: given.has('setup_future_usage')
          ? (given.choice('setup_future_usage', ['off_session', 'on_session']) ?? null)
          : intent.setup_future_usage,
      }
      store.put('payment_intent', changed)
      return changed
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/confirm`,
    browser: true,
    answer(asked) {
      const given = new Reader(asked.params, CONFIRMABLE)
      const intent = findIntent(world, 'payment_intent', asked)
      const confirmed = confirm(world, intent, given)
      return asked.isBrowser ? publicPaymentIntent(confirmed) : confirmed
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/cancel`,
    answer(asked) {
      const given = new Reader(asked.params, ['cancellation_reason'])
      const reason = given.choice('cancellation_reason', [
        'abandoned',
        'duplicate',
        'fraudulent',
        'requested_by_customer',
      ])
      return cancelIntent(world, findIntent(world, 'payment_intent', asked), reason ?? null)
    },
  })
}

function confirm(world: World, intent: Stripe.PaymentIntent, given: Reader) {
  const typed = given.nested('payment_method_data', METHOD_PARAMS)
  const stored =
    given.text('payment_method') ?? (typeof intent.payment_method === 'string' ? intent.payment_method : null)
  if (!typed && !stored)
    throw invalidRequest("You cannot confirm this PaymentIntent because it's missing a payment method.", {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    })
  const method = typed ? makeMethod(world, typed) : findMethod(world, stored!)
  const futureUsage = given.choice('setup_future_usage', ['off_session', 'on_session'])
  const wanted = futureUsage ? { ...intent, setup_future_usage: futureUsage } : intent
  const confirmed = confirmIntent(world, wanted, method, {
    returnUrl: given.text('return_url') ?? null,
    byScript: given.flag('use_stripe_sdk'),
    offSession: given.flag('off_session'),
  })
  throwRefusal(confirmed)
  return confirmed
}

function amountOf(given: Reader): number | undefined {
  const amount = given.integer('amount')
  if (amount === undefined) return undefined
  if (amount < 1)
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount < 30)
    throw invalidRequest('Amount must be at least £0.30 gbp', { code: 'amount_too_small', param: 'amount' })
  if (amount > 99_999_999)
    throw invalidRequest('Amount must be no more than £999,999.99', {
      code: 'amount_too_large',
      param: 'amount',
    })
  return amount
}

function currencyOf(given: Reader): string {
  const currency = given.demandText('currency').toLowerCase()
  if (currency !== 'gbp')
    throw invalidRequest(`Invalid currency: ${currency}. The sandbox knows gbp.`, { param: 'currency' })
  return currency
}

function demandOnly(given: Reader, allowed: readonly string[], intent: Stripe.PaymentIntent): void {
  const forbidden = CHANGEABLE.find((name) => given.has(name) && !allowed.includes(name))
  if (forbidden)
    throw invalidRequest(
      `This PaymentIntent's ${forbidden} could not be updated because it has a status of ${intent.status}.`,
      { code: 'payment_intent_unexpected_state', payment_intent: intent, param: forbidden },
    )
}

function missing(param: string): never {
  throw missingParam(param)
}
