import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { intentOf } from '../billing/invoices.ts'
import { same } from '../rest/serve-rest.ts'
import type { World } from '../world.ts'
import { pounds, sendPage } from './layout.ts'

/** Stripe's hosted invoice page: redirects to the bank if authentication is required, else shows the status. */
export function serveHostedInvoice(app: FastifyInstance, { store }: World): void {
  app.get<{ Params: { id: string }; Querystring: { key?: string } }>('/invoice/:id', (request, reply) => {
    const invoice = store.get<Stripe.Invoice>('invoice', request.params.id)
    const key = new URL(invoice?.hosted_invoice_url ?? 'http://none').searchParams.get('key')
    if (!invoice || !key || !same(request.query.key ?? '', key))
      return sendPage(
        reply.code(404),
        'No such invoice',
        STYLES,
        '<body><main><h1>No such invoice</h1></main>',
      )
    const action = intentOf(store, invoice.id)?.next_action?.use_stripe_sdk as
      | { stripe_js?: string }
      | undefined
    if (invoice.status === 'open' && action?.stripe_js) return reply.redirect(action.stripe_js, 303)
    return sendPage(
      reply,
      `Invoice ${invoice.number}`,
      STYLES,
      `<body><main><h1>Invoice ${invoice.number}</h1><p class="amount">${pounds(invoice.amount_due)}</p>
<p>${invoice.status === 'paid' ? 'Paid. Thank you.' : 'Not paid yet. Please go back to the shop.'}</p></main>`,
    )
  })
}

const STYLES = '<link rel="stylesheet" href="/pages.css">'
