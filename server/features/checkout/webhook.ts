import type { Shop } from '../../shop.ts'
import type { FastifyInstance } from 'fastify'
import {
  type ProviderEvent,
  type Subject,
  WEBHOOK_EVENTS,
  WEBHOOK_PATH,
} from '../../integrations/stripe/events.ts'
import { BadEvent, BadSignature, NotAtProvider } from '../../integrations/stripe/problems.ts'
import { Refusal, unreadable } from '../../http/http-errors.ts'
import type { ApiServer } from '../../http/serve.ts'
import {
  settleCustomer,
  settleInvoice,
  settleMethod,
  settleSubscription,
} from '../membership/sync-subscription.ts'
import { settleSetUp } from '../membership/payment-methods.ts'
import { noteRefused } from '../orders/payment-attempts.ts'
import { orderOfIntent } from '../orders/payment-intents.ts'
import { insertEvents, selectKnownEvents } from './queries.ts'
import { settlePayment } from './settle-payment.ts'

const BODY_LIMIT = 1024 * 1024
/** A provider that sends more than it was asked for changes nothing. */
const WANTED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS)

/** The provider's webhook. The raw body is what is signed, so only here it is read as bytes. */
export function registerWebhook({ app, shop }: ApiServer): void {
  void app.register(async (hook: FastifyInstance) => {
    hook.removeAllContentTypeParsers()
    hook.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    hook.post(WEBHOOK_PATH, { bodyLimit: BODY_LIMIT }, async ({ body, headers }, reply) => {
      const signature = headers['stripe-signature']
      const outcome = await hear(
        shop,
        Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        signature?.toString(),
      ).catch((error: unknown) => {
        shop.metrics.webhooks.add(1, error instanceof Refusal ? 'refused' : 'failed')
        throw error
      })
      shop.metrics.webhooks.add(1, outcome)
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

/** The one way in which each kind of subject is settled: safe to call at any time, and any number of times. */
const SETTLE: Readonly<Record<Subject['kind'], (shop: Shop, id: string) => Promise<unknown>>> = {
  payment: settlePayment,
  setUp: settleSetUp,
  subscription: (shop, id) => settleSubscription(shop, id),
  invoice: settleInvoice,
  customer: settleCustomer,
  method: settleMethod,
}

/** Makes the subject of an event what the provider says that it is. */
export async function settleSubject(shop: Shop, { kind, id }: Subject): Promise<void> {
  await SETTLE[kind](shop, id).catch((error: unknown) => {
    // From another mode or account: nothing to do, and no need to send it again.
    if (!(error instanceof NotAtProvider)) throw error
  })
}

/** A later success hides it from whoever asks the provider only afterwards. */
export async function noteRefusedTry(shop: Shop, { refused, createdAt }: ProviderEvent): Promise<void> {
  if (!refused) return
  const { intentId, refusal } = refused
  const orderId = await orderOfIntent(shop.db, intentId)
  await noteRefused(shop, { intentId, orderId }, refusal, createdAt)
}

/**
 * Events come late, twice and in any order: one says what to ask about, nothing else. Its effect comes first
 * and is safe to repeat; only then is it noted, so that one whose effect failed is sent again and tried again.
 */
async function hear(
  shop: Shop,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<'settled' | 'repeated'> {
  const event = await shop.payments.readWebhook(rawBody, signature).catch((error: unknown) => {
    if (error instanceof BadSignature) throw unreadable('The signature is not valid.')
    if (error instanceof BadEvent) throw unreadable('This is not an event.')
    throw error
  })
  if ((await selectKnownEvents(shop.db, [event.id])).has(event.id)) return 'repeated'
  if (event.subject && WANTED.has(event.type)) await settleSubject(shop, event.subject)
  await noteRefusedTry(shop, event)
  await insertEvents(shop.db, [{ id: event.id, type: event.type, receivedAt: shop.now() }])
  return 'settled'
}
