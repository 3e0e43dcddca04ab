import type { Shop } from '../../shop.ts'
import type { FastifyInstance } from 'fastify'
import {
  type ProviderEvent,
  type Subject,
  WEBHOOK_EVENTS,
  WEBHOOK_PATH,
} from '../../integrations/stripe/events.ts'
import { BadEvent, BadSignature, ifKnown } from '../../integrations/stripe/problems.ts'
import { Refusal, unreadable } from '../../http/http-errors.ts'
import type { ApiServer } from '../../http/serve.ts'
import {
  syncMembershipsOfCustomer,
  syncMembershipOfInvoice,
  syncMembershipsOfMethod,
  syncSubscription,
} from '../membership/sync-subscription.ts'
import { syncSetUp } from '../membership/payment-methods.ts'
import { recordRefusedAttempt } from '../orders/payment-attempts.ts'
import { insertEvents, selectKnownEvents } from './queries.ts'
import { settlePayment } from '../checkout/settle-payment.ts'
import { selectOrderIdByIntent } from '../orders/queries.ts'

const BODY_LIMIT = 1024 * 1024
/** Ignore events of other types, in case the endpoint is configured to send more. */
const HANDLED_EVENTS: ReadonlySet<string> = new Set(WEBHOOK_EVENTS)

/** The provider's webhook. Its body stays unparsed, because the signature covers the raw bytes. */
export function registerWebhook({ app, shop }: ApiServer): void {
  void app.register(async (hook: FastifyInstance) => {
    hook.removeAllContentTypeParsers()
    hook.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    hook.post(WEBHOOK_PATH, { bodyLimit: BODY_LIMIT }, async ({ body, headers }, reply) => {
      const signature = headers['stripe-signature']
      const outcome = await dispatchEvent(
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

const SYNC_BY_SUBJECT: Readonly<Record<Subject['kind'], (shop: Shop, id: string) => Promise<unknown>>> = {
  payment: settlePayment,
  setUp: syncSetUp,
  subscription: (shop, id) => syncSubscription(shop, id),
  invoice: syncMembershipOfInvoice,
  customer: syncMembershipsOfCustomer,
  method: syncMembershipsOfMethod,
}

export async function syncSubject(shop: Shop, { kind, id }: Subject): Promise<void> {
  // An unknown object belongs to another mode or account: nothing to do, and the event need not be sent again.
  await ifKnown(SYNC_BY_SUBJECT[kind](shop, id))
}

/** Recorded from the event: after a later success the payment no longer shows the refusal. */
export async function recordFailedAttempt(shop: Shop, { refused, createdAt }: ProviderEvent): Promise<void> {
  if (!refused) return
  const { intentId, refusal } = refused
  const orderId = await selectOrderIdByIntent(shop.db, intentId)
  await recordRefusedAttempt(shop, { intentId, orderId }, refusal, createdAt)
}

/** Records the event after its idempotent effect, so that a failed event is sent and handled again. */
async function dispatchEvent(
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
  if (event.subject && HANDLED_EVENTS.has(event.type)) await syncSubject(shop, event.subject)
  await recordFailedAttempt(shop, event)
  await insertEvents(shop.db, [{ id: event.id, type: event.type, receivedAt: shop.now() }])
  return 'settled'
}
