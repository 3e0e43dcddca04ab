import type { FastifyInstance } from 'fastify'
import { type Subject, WEBHOOK_PATH } from '../../outside/stripe/events.ts'
import { BadSignature, NotAtProvider } from '../../outside/stripe/problems.ts'
import { unreadable } from '../../refusals.ts'
import type { Room } from '../../serve.ts'
import { insertEvent, selectEvent } from './rows.ts'
import { settleInvoice, settleSetUp, settleSubscription } from '../billing/rules.ts'
import { settlePayment, type Till } from './settle.ts'

const BODY_LIMIT = 1024 * 1024

/** The provider's webhook. The raw body is what is signed, so only here it is read as bytes. */
export function registerWebhook({ app, shop }: Room): void {
  void app.register(async (hook: FastifyInstance) => {
    hook.removeAllContentTypeParsers()
    hook.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    hook.post(WEBHOOK_PATH, { bodyLimit: BODY_LIMIT }, async ({ body, headers }, reply) => {
      const signature = headers['stripe-signature']
      await hear(shop, Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature?.toString())
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

/** The one way in which each kind of subject is settled: safe to call at any time, and any number of times. */
const SETTLE: Readonly<Record<Subject['kind'], (till: Till, id: string) => Promise<unknown>>> = {
  payment: settlePayment,
  setUp: settleSetUp,
  subscription: settleSubscription,
  invoice: settleInvoice,
  // A customer who is gone at the provider has no subscriptions there any more: each of them is told by itself.
  customer: async () => undefined,
}

/**
 * Events come late, twice and in any order: one says what to ask about, nothing else. Its effect comes first
 * and is safe to repeat; only then is it noted, so that one whose effect failed is sent again and tried again.
 */
async function hear(till: Till, rawBody: Buffer, signature: string | undefined): Promise<void> {
  const event = await till.payments.readWebhook(rawBody, signature).catch((error: unknown) => {
    if (error instanceof BadSignature) throw unreadable('The signature is not valid.')
    throw error
  })
  if (await selectEvent(till.db, event.id)) return
  if (event.subject)
    await SETTLE[event.subject.kind](till, event.subject.id).catch((error: unknown) => {
      // From another mode or account: nothing to do, and no need to send it again.
      if (!(error instanceof NotAtProvider)) throw error
    })
  await insertEvent(till.db, { id: event.id, type: event.type, receivedAt: till.now() })
}
