import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { type Account, accountOf, FINAL_ACTIONS, SCHEDULED_UPDATES } from './billing/account.ts'
import type { Clocks } from './billing/clocks.ts'
import { beginLongAgo, type Past } from './billing/past.ts'
import { secondsOf } from './clock.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { isParams, type Params } from './form.ts'
import { hiddenOf, revoke } from './methods.ts'
import { WISHES } from './objects/payment-method.ts'
import { Reader } from './params.ts'
import { type PastPayment, payLongAgo } from './paid-long-ago.ts'
import { closeDispute, disputeCharge } from './pay.ts'
import { endRefund, REFUND_ANSWERS, type RefundAnswer } from './refunding.ts'
import { type RefusedCalls, same } from './rest/serve-rest.ts'
import type { Webhooks } from './webhooks.ts'
import type { World } from './world.ts'

const ACCOUNT = [
  'retries',
  'final_action',
  'upcoming_days',
  'draft_seconds',
  'renewal_seconds',
  'scheduled_updates',
  'credits_deleted',
]

/**
 * Endpoints that tests need and Stripe does not offer: the clock, webhook delivery, a bank's later answers. Requests
 * need the secret key and are form-encoded.
 */
export function serveControl(app: FastifyInstance, world: World, webhooks: Webhooks, clocks: Clocks): void {
  const control = (
    method: 'GET' | 'POST',
    url: string,
    answer: (params: Params, id: string) => object | Promise<object>,
  ) =>
    app.route<{ Params: { id?: string }; Body: Params | undefined }>({
      method,
      url: `/_sandbox/${url}`,
      handler: async (request, reply) => {
        if (!same(request.headers.authorization ?? '', `Bearer ${world.keys.secret}`))
          return reply.code(401).send({ error: { message: 'The secret key is needed.' } })
        return answer(isParams(request.body) ? request.body : {}, request.params.id ?? '')
      },
    })

  /** Restores the initial state; keeps the address and the keys. */
  control('POST', 'reset', async () => {
    await clocks.advanceOwn(0)
    await webhooks.settled()
    world.store.clear(({ kind, id }) => kind === 'setting' && ['keys', 'port', 'webhooks'].includes(id))
    return time()
  })

  const time = () => ({ now: world.clock.now(), next: clocks.nextOwn() })
  control('GET', 'clock', time)

  control('POST', 'clock', async (params) => {
    const given = new Reader(params, ['advance', 'shift'])
    const shift = given.integer('shift')
    if (shift !== undefined) {
      world.clock.advance(shift)
      return time()
    }
    const wish = given.demandText('advance')
    await clocks.advanceOwn(/^\d+$/.test(wish) ? Number(wish) : secondsOf(wish))
    return time()
  })

  /** Creates subscriptions with a past start date from JSON (`Past`): all or none, without events. */
  control('POST', 'subscriptions', (params) => {
    const all: Past[] = JSON.parse(new Reader(params, ['past']).demandText('past'))
    return { data: world.store.transaction(() => all.map((past) => beginLongAgo(world, past))) }
  })

  /** Creates past payments from JSON (`PastPayment`), in the same way. */
  control('POST', 'payments', (params) => {
    const all: PastPayment[] = JSON.parse(new Reader(params, ['past']).demandText('past'))
    return { data: world.store.transaction(() => all.map((past) => payLongAgo(world, past))) }
  })

  control('GET', 'webhooks', () => ({ ...webhooks.wishes, waiting: world.store.all('delivery') }))

  control('POST', 'webhooks', (params) => {
    const given = new Reader(params, ['url', 'hold', 'duplicates'])
    webhooks.wish({
      ...(given.has('url') ? { url: given.text('url') ?? null } : {}),
      ...(given.has('hold') ? { hold: given.flag('hold') } : {}),
      ...(given.has('duplicates') ? { duplicates: given.integer('duplicates') ?? 0 } : {}),
    })
    return webhooks.wishes
  })

  control('POST', 'webhooks/release', async (params) => {
    const given = new Reader(params, ['order', 'times', 'seed'])
    return {
      sent: await webhooks.release(
        given.choice('order', ['made', 'reversed', 'shuffled']) ?? 'made',
        given.integer('times') ?? 1,
        given.integer('seed') ?? 1,
      ),
    }
  })

  control('POST', 'webhooks/drop', (params) => ({
    dropped: webhooks.drop(new Reader(params, ['type']).text('type') ?? null),
  }))

  control('POST', 'webhooks/settled', async () => {
    await webhooks.settled()
    return { waiting: world.store.all('delivery') }
  })

  control('POST', 'events/:id/send', async (_params, id) => {
    if (!world.store.get('event', id)) throw noSuch('event', id)
    return webhooks.sendNow(id)
  })

  control('POST', 'payment_intents/:id/dispute', (_params, id) => {
    const intent = world.store.get<Stripe.PaymentIntent>('payment_intent', id)
    const chargeId = intent?.latest_charge
    const charge =
      typeof chargeId === 'string' ? world.store.get<Stripe.Charge>('charge', chargeId) : undefined
    if (!charge?.paid) throw invalidRequest('Only what was paid can be disputed.')
    return world.store.transaction(() => disputeCharge(world, charge))
  })

  control('POST', 'disputes/:id/close', (params, id) => {
    const dispute = world.store.get<Stripe.Dispute>('dispute', id)
    if (!dispute) throw noSuch('dispute', id)
    const given = new Reader(params, ['outcome', 'refundable'])
    const outcome = given.choice('outcome', ['won', 'lost']) ?? 'won'
    const isRefundable = given.has('refundable') ? given.flag('refundable') : outcome === 'won'
    return world.store.transaction(() => closeDispute(world, dispute, outcome, isRefundable))
  })

  control('POST', 'refunds', (params) => {
    const answer = new Reader(params, ['answer']).choice('answer', REFUND_ANSWERS) ?? 'succeeded'
    const wish: RefundAnswer = { id: 'refunds', answer }
    world.store.put('setting', wish)
    return wish
  })

  /** Sets the final status of a refund that is pending or has succeeded. */
  control('POST', 'refunds/:id', (params, id) => {
    const refund = world.store.get<Stripe.Refund>('refund', id)
    if (!refund) throw noSuch('refund', id)
    const given = new Reader(params, ['status', 'reason'])
    const status = given.choice('status', ['succeeded', 'failed']) ?? 'succeeded'
    const reason = given.text('reason') ?? 'expired_or_canceled_card'
    return world.store.transaction(() => endRefund(world, refund, status, reason))
  })

  /** Sets the bank's answer for a stored payment method from now on. */
  control('POST', 'payment_methods/:id', (params, id) => {
    if (!world.store.get('payment_method', id)) throw noSuch('PaymentMethod', id)
    const wish = new Reader(params, ['bank']).choice('bank', WISHES)
    const { wish: _, ...hidden } = hiddenOf(world, id)
    world.store.put('hidden', wish ? { ...hidden, wish } : hidden)
    return { id, bank: wish ?? null }
  })

  control('POST', 'payment_methods/:id/revoke', (_params, id) =>
    world.store.transaction(() => revoke(world, id)),
  )

  /** Replaces the card's number and expiry date; the payment method stays valid. */
  control('POST', 'payment_methods/:id/renew', (params, id) => {
    const method = world.store.get<Stripe.PaymentMethod>('payment_method', id)
    if (!method?.card) throw noSuch('PaymentMethod', id)
    const last4 = new Reader(params, ['last4']).demandText('last4')
    const after = { ...method, card: { ...method.card, last4, exp_year: method.card.exp_year + 3 } }
    return world.store.transaction(() => {
      world.store.put('payment_method', after)
      world.emit('payment_method.automatically_updated', after, { card: method.card })
      return after
    })
  })

  control('POST', 'account', (params) => {
    const given = new Reader(params, ACCOUNT)
    const before = accountOf(world.store)
    const account: Account = {
      ...before,
      retries: given.text('retries')?.split(',').map(Number) ?? before.retries,
      finalAction: given.choice('final_action', FINAL_ACTIONS) ?? before.finalAction,
      upcomingDays: given.integer('upcoming_days') ?? before.upcomingDays,
      draftSeconds: given.integer('draft_seconds') ?? before.draftSeconds,
      renewalSeconds: given.integer('renewal_seconds') ?? before.renewalSeconds,
      scheduledUpdates: given.choice('scheduled_updates', SCHEDULED_UPDATES) ?? before.scheduledUpdates,
      creditsDeleted: given.has('credits_deleted') ? given.flag('credits_deleted') : before.creditsDeleted,
    }
    world.store.put('setting', account)
    return account
  })

  control('POST', 'calls', () => ({ calls: world.calls.splice(0) }))

  /** Refuses the next calls without carrying them out. */
  control('POST', 'answers/refuse', (params) => {
    const given = new Reader(params, ['count', 'path', 'status'])
    const status = given.choice('status', ['429', '500']) === '500' ? 500 : 429
    const wish: RefusedCalls = {
      id: 'refuse',
      count: given.integer('count') ?? 1,
      path: given.text('path') ?? '',
      status,
    }
    world.store.put('setting', wish)
    return wish
  })

  /** Carries out the next calls, but drops their responses. */
  control('POST', 'answers/lose', (params) => {
    const given = new Reader(params, ['count', 'path'])
    const wish = { id: 'lose', count: given.integer('count') ?? 1, path: given.text('path') ?? '' }
    world.store.put('setting', wish)
    return wish
  })
}
