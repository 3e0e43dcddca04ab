import type { FastifyInstance, FastifyReply } from 'fastify'
import type Stripe from 'stripe'
import { same } from '../rest/serve-rest.ts'
import { decideIntent } from '../pay.ts'
import { decideSetup } from '../set-up.ts'
import type { World } from '../world.ts'
import { escape, pounds, sendPage } from './layout.ts'

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent
interface At {
  Params: { page: string; id: string }
  Querystring: { key?: string }
  Body: { decision?: string } | undefined
}

export function serveOwner(app: FastifyInstance, world: World): void {
  app.get<At>('/:page(bank|paypal)/:id', (request, reply) => {
    const intent = intentBehind(world, request.params.id, request.query.key)
    if (!intent) return gone(reply)
    if (intent.status !== 'requires_action') return leave(reply, world, intent)
    return request.params.page === 'bank' ? bankPage(reply, intent) : paypalPage(reply, intent)
  })

  app.post<At>('/:page(bank|paypal)/:id', (request, reply) => {
    const intent = intentBehind(world, request.params.id, request.query.key)
    if (!intent) return gone(reply)
    const isApproved = request.body?.decision === 'approve'
    const decided = world.store.transaction(() => {
      const back = returnAddress(intent)
      // A decision is final; a second press only redirects.
      if (back) world.store.put('way-back', { id: intent.id, url: back })
      else if (intent.status === 'requires_action') world.store.remove('way-back', intent.id)
      return intent.object === 'payment_intent'
        ? decideIntent(world, intent, isApproved)
        : decideSetup(world, intent, isApproved)
    })
    return leave(reply, world, decided)
  })
}

function intentBehind(world: World, id: string, key = ''): Intent | undefined {
  const approval = world.store.get<{ id: string; key: string }>('approval', id)
  if (!approval || !same(key, approval.key)) return undefined
  return (
    world.store.get<Stripe.PaymentIntent>('payment_intent', id) ??
    world.store.get<Stripe.SetupIntent>('setup_intent', id)
  )
}

const returnAddress = (intent: Intent): string | null =>
  intent.next_action?.redirect_to_url?.return_url ?? null

/** Redirects to the shop with the result, or, in the bank's dialog, notifies the surrounding page. */
function leave(reply: FastifyReply, world: World, intent: Intent): FastifyReply {
  const back = world.store.get<{ id: string; url: string }>('way-back', intent.id)
  if (!back)
    return sendPage(
      reply,
      'Thank you',
      `${STYLES}\n<script type="module" src="/browser/decided.ts"></script>`,
      '<body class="dialog"><div class="sheet"><h1>Thank you</h1><p>You can go back to the shop.</p></div>',
    )
  const url = new URL(back.url)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '')
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return reply.redirect(url.href, 303)
}

const STYLES = '<link rel="stylesheet" href="/pages.css">'
const NO_MONEY = '<p class="quiet">This is a sandbox. No money moves.</p>'

const whatFor = (intent: Intent): string =>
  intent.object === 'payment_intent'
    ? `<p class="amount">${pounds(intent.amount)}</p>${intent.description ? `<p>${escape(intent.description)}</p>` : ''}`
    : '<p>To be kept for later payments.</p>'

const choice = (approve: string, refuse: string, more = ''): string => `<form method="post">
<button class="first" name="decision" value="approve">${approve}</button>
<button name="decision" value="refuse">${refuse}</button>
${more}</form>`

function bankPage(reply: FastifyReply, intent: Intent): FastifyReply {
  return sendPage(
    reply,
    'Your bank asks for you',
    `${STYLES}\n<script type="module" src="/browser/bank.ts"></script>`,
    `<body class="dialog"><div class="sheet">
<h1>Your bank asks for you</h1>
${whatFor(intent)}
${choice('Complete authentication', 'Fail authentication')}
${NO_MONEY}
</div>`,
  )
}

function paypalPage(reply: FastifyReply, intent: Intent): FastifyReply {
  return sendPage(
    reply,
    'PayPal sandbox',
    `${STYLES}\n<script type="module" src="/browser/close.ts"></script>`,
    `<body><main>
<h1>PayPal sandbox</h1>
${whatFor(intent)}
${choice('Approve', 'Refuse', '<button type="button" id="close" disabled>Close</button>\n')}
${NO_MONEY}
</main>`,
  )
}

const gone = (reply: FastifyReply): FastifyReply =>
  sendPage(
    reply.code(404),
    'Nothing to decide',
    STYLES,
    '<body><main><h1>Nothing to decide</h1><p>This address belongs to another payment.</p></main>',
  )
