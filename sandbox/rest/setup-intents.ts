import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest } from '../errors.ts'
import { findMethod, makeMethod, METHOD_PARAMS } from '../methods.ts'
import { publicSetupIntent, setupIntent } from '../objects/setup-intent.ts'
import { Reader } from '../params.ts'
import { confirmSetup, throwSetupRefusal } from '../set-up.ts'
import type { World } from '../world.ts'
import { demandCustomer } from './customers.ts'
import { serveRest } from './serve-rest.ts'
import { findIntent, serveIntentReads } from './intents.ts'

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

  serveIntentReads(app, world, 'setup_intent', publicSetupIntent)

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/confirm`,
    browser: true,
    answer(asked) {
      const given = new Reader(asked.params, CONFIRMABLE)
      const confirmed = confirm(world, findIntent(world, 'setup_intent', asked), given)
      return asked.isBrowser ? publicSetupIntent(confirmed) : confirmed
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/cancel`,
    answer(asked) {
      const given = new Reader(asked.params, ['cancellation_reason'])
      const intent = findIntent(world, 'setup_intent', asked)
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
