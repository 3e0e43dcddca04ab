import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { type Asked, same, serveRest } from './serve-rest.ts'

interface Intents {
  payment_intent: Stripe.PaymentIntent
  setup_intent: Stripe.SetupIntent
}
type Kind = keyof Intents

/** The names of the object types in Stripe's error codes. */
const NAMES: Readonly<Record<Kind, string>> = {
  payment_intent: 'payment_intent',
  setup_intent: 'setupintent',
}

/** A browser must send the intent's secret; without it the answer is 404. */
export function findIntent<K extends Kind>(
  { store }: World,
  kind: K,
  { ids, params, isBrowser }: Asked,
): Intents[K] {
  const intent = store.get<Intents[K]>(kind, ids.id!)
  const secret = typeof params.client_secret === 'string' ? params.client_secret : ''
  if (!intent || (isBrowser && !same(secret, intent.client_secret!)))
    throw noSuch(NAMES[kind], ids.id!, 'intent')
  return intent
}

/** Serves an intent by id (for browsers only its public fields), and the lists of all intents or of one customer. */
export function serveIntentReads<K extends Kind>(
  app: FastifyInstance,
  world: World,
  kind: K,
  publicForm: (intent: Intents[K]) => object,
): void {
  const path = `/v1/${kind}s`

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'customer'])
      const customer = given.text('customer')
      return page(given, path, world.store.where<Intents[K]>(kind, { customer }))
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    browser: true,
    answer(asked) {
      const intent = findIntent(world, kind, asked)
      void new Reader(asked.params, ['client_secret'])
      return asked.isBrowser ? publicForm(intent) : intent
    },
  })
}
