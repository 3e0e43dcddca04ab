import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { findMethod, makeMethod, METHOD_PARAMS } from '../methods.ts'
import { publicSetupIntent, setupIntent } from '../objects/setup-intent.ts'
import { Reader } from '../params.ts'
import { confirmSetup, throwSetupRefusal } from '../set-up.ts'
import type { World } from '../world.ts'
import { demandCustomer } from './customers.ts'
import { type Asked, same, serveRest } from './door.ts'

const CONFIRMABLE = [
  'payment_method',
  'payment_method_data',
  'return_url',
  'use_stripe_sdk',
  'client_secret',
  'mandate_data',
]
const NEW = [
  ...CONFIRMABLE,
  'customer',
  'description',
  'metadata',
  'allowed_payment_method_types',
  'usage',
  'confirm',
]

export function serveSetupIntents(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/setup_intents'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, NEW)
      const made = setupIntent({
        created: clock.now(),
        customer: demandCustomer(world, given),
        description: given.text('description') ?? null,
        metadata: given.metadata(),
        allowedTypes: given.list('allowed_payment_method_types') ?? null,
        usage: given.choice('usage', ['off_session', 'on_session']) ?? 'off_session',
      })
      store.put('setup_intent', made)
      world.emit('setup_intent.created', made)
      return given.flag('confirm') ? confirm(world, made, given) : made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'customer', 'payment_method'])
      const customer = given.text('customer')
      const all = store.all<Stripe.SetupIntent>('setup_intent')
      return page(given, path, customer ? all.filter((each) => each.customer === customer) : all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    browser: true,
    answer(asked) {
      void new Reader(asked.params, ['client_secret'])
      const intent = find(world, asked)
      return asked.isBrowser ? publicSetupIntent(intent) : intent
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/confirm`,
    browser: true,
    answer(asked) {
      const given = new Reader(asked.params, CONFIRMABLE)
      const confirmed = confirm(world, find(world, asked), given)
      return asked.isBrowser ? publicSetupIntent(confirmed) : confirmed
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/cancel`,
    answer(asked) {
      const given = new Reader(asked.params, ['cancellation_reason'])
      const intent = find(world, asked)
      if (intent.status === 'succeeded' || intent.status === 'canceled')
        throw invalidRequest(
          `You cannot cancel this SetupIntent because it has a status of ${intent.status}.`,
          {
            code: 'setup_intent_unexpected_state',
            setup_intent: intent,
          },
        )
      const cancelled: Stripe.SetupIntent = {
        ...intent,
        status: 'canceled',
        cancellation_reason:
          given.choice('cancellation_reason', ['abandoned', 'duplicate', 'requested_by_customer']) ?? null,
        next_action: null,
      }
      store.put('setup_intent', cancelled)
      world.emit('setup_intent.canceled', cancelled)
      return cancelled
    },
  })
}

function confirm(world: World, intent: Stripe.SetupIntent, given: Reader): Stripe.SetupIntent {
  const typed = given.nested('payment_method_data', METHOD_PARAMS)
  const stored = given.text('payment_method')
  if (!typed && !stored)
    throw invalidRequest("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: 'setup_intent_unexpected_state',
      setup_intent: intent,
    })
  const confirmed = confirmSetup(
    world,
    intent,
    typed ? makeMethod(world, typed) : findMethod(world, stored!),
    {
      returnUrl: given.text('return_url') ?? null,
      byScript: given.flag('use_stripe_sdk'),
    },
  )
  throwSetupRefusal(confirmed)
  return confirmed
}

function find(world: World, { ids, params, isBrowser }: Asked): Stripe.SetupIntent {
  const intent = world.store.get<Stripe.SetupIntent>('setup_intent', ids.id!)
  const secret = typeof params.client_secret === 'string' ? params.client_secret : ''
  if (!intent || (isBrowser && !same(secret, intent.client_secret!)))
    throw noSuch('setupintent', ids.id!, 'intent')
  return intent
}
