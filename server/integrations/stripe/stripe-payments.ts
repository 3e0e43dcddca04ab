import type Stripe from 'stripe'
import { type Client, codeOf } from './client.ts'
import type { Payments, Range } from './payments.ts'
import { BadEvent, BadSignature } from './problems.ts'
import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { providerEvent } from './event-view.ts'
import { type ProviderEvent, WEBHOOK_EVENTS } from './events.ts'
import { disputeState, payment, refund } from './payment-view.ts'
import { idOf, PAGE, secondsOf } from './response-parsing.ts'

const WHOLE = ['latest_charge']
const WHOLE_LIST = ['data.latest_charge']

const WANTED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS)

export function stripePayments(settings: PaymentSettings, { ask, each }: Client): Payments {
  return {
    live: settings.live,
    publishableKey: settings.publishableKey,

    createPayment: ({ amountMinor, ...more }, idempotencyKey) =>
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
            { idempotencyKey: idempotencyKey },
          ),
        ),
      ),
    retrievePayment: (id) =>
      ask(async ({ paymentIntents }) => payment(await paymentIntents.retrieve(id, { expand: WHOLE }))),
    cancelPayment: (id) =>
      ask(async ({ paymentIntents }) => {
        try {
          return payment(await paymentIntents.cancel(id, { expand: WHOLE }))
        } catch (error) {
          // It was paid or cancelled at the same moment: return its current state.
          if (codeOf(error) !== 'payment_intent_unexpected_state') throw error
          return payment(await paymentIntents.retrieve(id, { expand: WHOLE }))
        }
      }),
    async *listPayments(range) {
      const params = { ...created(range), limit: PAGE, expand: WHOLE_LIST }
      for await (const intent of each(({ paymentIntents }) => paymentIntents.list(params)))
        yield payment(intent)
    },

    refundPayment: (id, { amountMinor, ...more }, idempotencyKey) =>
      ask(async ({ refunds }) =>
        refund(
          await refunds.create(
            { payment_intent: id, ...more, ...(amountMinor === undefined ? {} : { amount: amountMinor }) },
            { idempotencyKey: idempotencyKey },
          ),
        ),
      ),
    refundsOf: (id) =>
      ask(async ({ refunds }) =>
        (await refunds.list({ payment_intent: id, limit: PAGE })).data.map((each) => refund(each)),
      ),

    async *listReturned(range) {
      const params = { ...created(range), limit: PAGE }
      const seen = new Set<string>()
      for (const returned of [
        each(({ refunds }) => refunds.list(params)),
        each(({ disputes }) => disputes.list(params)),
      ])
        for await (const { payment_intent: intent } of returned) {
          const id = idOf(intent)
          if (id && !seen.has(id)) yield id
          if (id) seen.add(id)
        }
    },

    disputeOf: (id) =>
      ask(async ({ disputes }) => {
        const { data } = await disputes.list({ payment_intent: id, limit: PAGE })
        return disputeState(data.map(({ status }) => status))
      }),

    disputeDetailsOf: (id) =>
      ask(async ({ disputes }) => {
        const { data } = await disputes.list({ payment_intent: id, limit: PAGE })
        return {
          state: disputeState(data.map(({ status }) => status)),
          isRefundable: data.every(({ is_charge_refundable: isRefundable }) => isRefundable),
        }
      }),

    readWebhook: (rawBody, signature) =>
      ask(async ({ webhooks }) =>
        signedEvent(() => {
          const event = webhooks.constructEvent(rawBody, signature ?? '', settings.webhookSecret)
          // The library refuses old signatures but accepts future ones, which could be replayed later.
          if (signedAt(signature) > Date.now() / 1000 + SIGNATURE_TOLERANCE_SECONDS)
            throw new BadSignature('The signature is from the future.')
          return event
        }),
      ),
    async *listEvents(range) {
      // The API accepts at most twenty types, fewer than we need, so filter here.
      for await (const event of each(({ events }) => events.list({ ...created(range), limit: PAGE })))
        if (WANTED.has(event.type)) yield providerEvent(event)
    },
  }
}

function created({ since, until }: Range): { created?: Stripe.RangeQueryParam } {
  if (!since && !until) return {}
  return {
    created: { ...(since ? { gte: secondsOf(since) } : {}), ...(until ? { lte: secondsOf(until) } : {}) },
  }
}

/** The library uses the same tolerance for past timestamps. */
const SIGNATURE_TOLERANCE_SECONDS = 300

const signedAt = (signature = ''): number => Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? Infinity)

/** @throws {BadEvent} if the signed body is not JSON or not an event */
function signedEvent(read: () => Stripe.Event): ProviderEvent {
  try {
    const event = read()
    if (!isEvent(event)) throw new BadEvent('It has not the shape of an event.')
    const told = providerEvent(event)
    // PostgreSQL can't store U+0000. The provider's ids never contain it.
    if ([told.id, told.type, told.subject?.id].some((text) => String(text).includes('\0')))
      throw new BadEvent('An id contains U+0000.')
    return told
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new BadEvent('It cannot be read.', { cause: error })
    throw error
  }
}

const isEvent = ({ id, type, created: at, data }: Partial<Stripe.Event>): boolean =>
  typeof id === 'string' &&
  typeof type === 'string' &&
  typeof at === 'number' &&
  typeof data?.object === 'object' &&
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- it comes from the network
  data.object !== null
