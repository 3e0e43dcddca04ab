import type Stripe from 'stripe'
import type { Client } from './client.ts'
import type { SetUp, SetUps, SetUpState } from './set-ups.ts'
import { refusal } from './payment-view.ts'
import { storedMethod } from './stripe-customers.ts'
import { idOf, wholeOf } from './response-parsing.ts'

const WHOLE = ['payment_method']

export const stripeSetUps = ({ ask }: Client): SetUps => ({
  create: ({ customer, metadata }, idempotencyKey) =>
    ask(async ({ setupIntents }) =>
      setUp(
        await setupIntents.create(
          {
            customer,
            metadata,
            usage: 'off_session',
            allowed_payment_method_types: ['card', 'paypal'],
            expand: WHOLE,
          },
          { idempotencyKey: idempotencyKey },
        ),
      ),
    ),
  retrieve: (id) =>
    ask(async ({ setupIntents }) => setUp(await setupIntents.retrieve(id, { expand: WHOLE }))),
})

function setUp(intent: Stripe.SetupIntent): SetUp {
  const state = STATES[intent.status] ?? 'open'
  const method = state === 'done' ? wholeOf(intent.payment_method) : null
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    state,
    customer: idOf(intent.customer),
    method: method && storedMethod(method),
    refusal: refusal(intent.last_setup_error),
    metadata: intent.metadata ?? {},
  }
}

const STATES: Readonly<Record<string, SetUpState>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  processing: 'pending',
  succeeded: 'done',
  canceled: 'cancelled',
}
