import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { secondsOf } from './clock.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { isParams, type Params } from './form.ts'
import { Reader } from './params.ts'
import { disputeCharge } from './pay.ts'
import { same } from './rest/door.ts'
import type { Webhooks } from './webhooks.ts'
import type { World } from './world.ts'

/**
 * What no payment provider offers and a test needs: its clock, its webhooks, what a buyer's bank does later. Asked
 * with the secret key, form-encoded like everything here.
 */
export function serveControl(app: FastifyInstance, world: World, webhooks: Webhooks): void {
  const control = (
    method: 'GET' | 'POST',
    url: string,
    answer: (params: Params, id: string) => object | Promise<object>,
  ) =>
    app.route({
      method,
      url: `/_sandbox/${url}`,
      handler: async (request, reply) => {
        if (!same(request.headers.authorization ?? '', `Bearer ${world.keys.secret}`))
          return reply.code(401).send({ error: { message: 'The secret key is needed.' } })
        const body = request.body as Params | undefined
        return answer(isParams(body) ? body : {}, (request.params as { id?: string }).id ?? '')
      },
    })

  control('POST', 'clock', (params) => {
    const given = new Reader(params, ['advance'])
    const wish = given.demandText('advance')
    world.clock.advance(/^\d+$/.test(wish) ? Number(wish) : secondsOf(wish))
    return { now: world.clock.now() }
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
    const given = new Reader(params, ['order', 'times'])
    return {
      sent: await webhooks.release(
        given.choice('order', ['made', 'reversed']) ?? 'made',
        given.integer('times') ?? 1,
      ),
    }
  })

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
}
