import type Stripe from 'stripe'
import {
  BadSignature,
  NoSuchPayment,
  PaymentConflict,
  PaymentsUnavailable,
  type Payments,
  type Range,
} from './payments.ts'
import type { PaymentSettings } from './settings.ts'
import { payment, paymentEvent, refund } from './views.ts'

/** The fields of a payment that only come when asked for. */
const WHOLE = ['latest_charge']
const WHOLE_LIST = ['data.latest_charge']
const PAGE = 100

/** The shop's payments at Stripe, or wherever the settings point. Loaded with the first call, not with the server. */
export function stripePayments(settings: PaymentSettings): Payments {
  let opened: Promise<Stripe> | undefined
  const ask = async <T>(call: (stripe: Stripe) => Promise<T>): Promise<T> => {
    try {
      return await call(await (opened ??= open(settings)))
    } catch (error) {
      throw inOurWords(error)
    }
  }
  const stripe = () => ask(async (opened) => opened)

  return {
    live: settings.live,
    publishableKey: settings.publishableKey,

    createCustomer: (person, once) =>
      ask(async ({ customers }) => {
        const { id } = await customers.create(person, { idempotencyKey: once })
        return { id }
      }),
    updateCustomer: (id, person) =>
      ask(async ({ customers }) => {
        await customers.update(id, person)
      }),

    createPayment: ({ amountMinor, ...more }, once) =>
      ask(async ({ paymentIntents }) =>
        payment(
          await paymentIntents.create(
            {
              ...more,
              amount: amountMinor,
              currency: 'gbp',
              allowed_payment_method_types: ['card', 'paypal'],
              expand: WHOLE,
            },
            { idempotencyKey: once },
          ),
        ),
      ),
    retrievePayment: (id) =>
      ask(async ({ paymentIntents }) => payment(await paymentIntents.retrieve(id, { expand: WHOLE }))),
    changePayment: (id, { amountMinor, ...more }, once) =>
      ask(async ({ paymentIntents }) =>
        payment(
          await paymentIntents.update(
            id,
            { ...more, ...(amountMinor === undefined ? {} : { amount: amountMinor }), expand: WHOLE },
            { idempotencyKey: once },
          ),
        ),
      ),
    confirmPayment: (id, paymentMethod, once) =>
      ask(async ({ paymentIntents }) => {
        try {
          const wish = { payment_method: paymentMethod, off_session: true, expand: WHOLE }
          return payment(await paymentIntents.confirm(id, wish, { idempotencyKey: once }))
        } catch (error) {
          // A bank's refusal is a result, not an error.
          if ((error as { type?: string }).type !== 'StripeCardError') throw error
          return payment(await paymentIntents.retrieve(id, { expand: WHOLE }))
        }
      }),
    cancelPayment: (id) =>
      ask(async ({ paymentIntents }) => {
        try {
          return payment(await paymentIntents.cancel(id, { expand: WHOLE }))
        } catch (error) {
          // Paid or cancelled by somebody else in the same moment: what it is now is the answer.
          if (codeOf(error) !== 'payment_intent_unexpected_state') throw error
          return payment(await paymentIntents.retrieve(id, { expand: WHOLE }))
        }
      }),
    async *listPayments(range) {
      const { paymentIntents } = await stripe()
      const wish = { ...created(range), limit: PAGE, expand: WHOLE_LIST }
      for await (const intent of inOurWordsEach(paymentIntents.list(wish))) yield payment(intent)
    },

    refundPayment: (id, { amountMinor }, once) =>
      ask(async ({ refunds }) =>
        refund(
          await refunds.create(
            { payment_intent: id, ...(amountMinor === undefined ? {} : { amount: amountMinor }) },
            { idempotencyKey: once },
          ),
        ),
      ),
    listRefunds: (id) =>
      ask(async ({ refunds }) => {
        const all = await refunds.list({ payment_intent: id, limit: PAGE })
        return all.data.map(refund)
      }),

    async *listEvents({ types, ...range }) {
      const { events } = await stripe()
      const wish = { ...created(range), limit: PAGE, ...(types ? { types: [...types] } : {}) }
      for await (const event of inOurWordsEach(events.list(wish))) yield paymentEvent(event)
    },
    readWebhook: (rawBody, signature) =>
      ask(async ({ webhooks }) =>
        paymentEvent(webhooks.constructEvent(rawBody, signature ?? '', settings.webhookSecret)),
      ),
  }
}

async function open({ secretKey, apiBase }: PaymentSettings): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  return new Stripe(secretKey, {
    // A buyer waits for these answers; repeats carry the same key, so they are safe.
    timeout: 15_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(apiBase
      ? {
          host: apiBase.hostname,
          port: apiBase.port || (apiBase.protocol === 'https:' ? '443' : '80'),
          protocol: apiBase.protocol === 'https:' ? 'https' : 'http',
        }
      : {}),
  })
}

function created({ since, until }: Range): { created?: Stripe.RangeQueryParam } {
  if (!since && !until) return {}
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return { created: { ...(since ? { gte: seconds(since) } : {}), ...(until ? { lte: seconds(until) } : {}) } }
}

async function* inOurWordsEach<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pages
  } catch (error) {
    throw inOurWords(error)
  }
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code

/** Stripe's messages are not passed on: they may hold amounts and keys. Other errors are thrown as they are. */
function inOurWords(error: unknown): unknown {
  switch ((error as { type?: unknown }).type) {
    case 'StripeSignatureVerificationError':
      return new BadSignature('The signature is not the provider’s.', { cause: error })
    case 'StripeConnectionError':
    case 'StripeAPIError':
    case 'StripeRateLimitError':
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return new PaymentsUnavailable('The payment provider cannot be asked now.', { cause: error })
    case 'StripeIdempotencyError':
      return new PaymentConflict('Another request was made under this key.', { cause: error })
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      return codeOf(error) === 'resource_missing'
        ? new NoSuchPayment('The payment provider does not know it.', { cause: error })
        : new PaymentConflict('The payment provider refuses this now.', { cause: error })
    default:
      return error
  }
}
