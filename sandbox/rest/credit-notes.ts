import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { accountOf } from '../billing/account.ts'
import { intentOf } from '../billing/invoices.ts'
import { customerOf, worldOf } from '../billing/moment.ts'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { creditNote } from '../objects/credit-note.ts'
import { Reader } from '../params.ts'
import { giveBack } from '../refunding.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'
import { findInvoice } from './invoices.ts'
import { idOf } from '../objects/id.ts'

const FIELDS = ['invoice', 'amount', 'refund_amount', 'refunds', 'reason', 'memo', 'metadata']

export function serveCreditNotes(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/credit_notes'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, FIELDS)
      const invoice = findInvoice(world, given.demandText('invoice'))
      return credit(worldOf(world, customerOf(invoice)), invoice, given)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'invoice', 'customer'])
      const [invoice, customer] = [given.text('invoice'), given.text('customer')]
      return page(given, path, store.where<Stripe.CreditNote>('credit_note', { invoice, customer }))
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer({ ids }) {
      const found = store.get<Stripe.CreditNote>('credit_note', ids.id!)
      if (!found) throw noSuch('credit_note', ids.id!)
      return found
    },
  })
}

/** Credits a paid invoice: either refunds the amount, or documents refunds that were already made; never both. */
function credit(world: World, invoice: Stripe.Invoice, given: Reader): Stripe.CreditNote {
  const { store, clock } = world
  const amount = given.integer('amount')
  if (amount === undefined) throw missingParam('amount')
  if (!store.get('customer', idOf(invoice.customer)) && !accountOf(store).creditsDeleted)
    throw noSuch('customer', idOf(invoice.customer), 'customer')
  if (invoice.status !== 'paid')
    throw invalidRequest('The sandbox credits paid invoices.', { param: 'invoice' })
  const credited = store.where<Stripe.CreditNote>('credit_note', { invoice: invoice.id })
  const left = invoice.amount_paid - credited.reduce((sum, each) => sum + each.amount, 0)
  if (amount < 1 || amount > left)
    throw invalidRequest('The credit note amount is more than what is left of the invoice.', {
      param: 'amount',
    })
  const refunds = refundsOf(world, invoice, given)
  if (refunds.reduce((sum, each) => sum + each.amount, 0) !== amount)
    throw invalidRequest('The sum of the refunds must equal the credit note amount.', { param: 'amount' })
  const made = creditNote(clock.now(), {
    invoice,
    amount,
    reason:
      given.choice('reason', ['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory']) ?? null,
    memo: given.text('memo') ?? null,
    metadata: given.metadata(),
    refunds,
    count: credited.length + 1,
  })
  store.put('credit_note', made)
  store.put('invoice', {
    ...invoice,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + amount,
  })
  world.emit('credit_note.created', made)
  return made
}

function refundsOf(world: World, invoice: Stripe.Invoice, given: Reader) {
  const amount = given.integer('refund_amount')
  if (amount !== undefined) {
    const charge = world.store.get<Stripe.Charge>(
      'charge',
      idOf(intentOf(world.store, invoice.id)?.latest_charge),
    )
    if (!charge) throw invalidRequest('Nothing was charged for this invoice.', { param: 'refund_amount' })
    const refund = giveBack(world, charge, { amount, reason: null, metadata: {} })
    return [{ refund: refund.id, amount }]
  }
  return given.each('refunds', ['refund', 'amount_refunded']).map((each) => {
    const id = each.demandText('refund')
    const refund = world.store.get<Stripe.Refund>('refund', id)
    if (!refund) throw noSuch('refund', id, 'refunds[0][refund]')
    return { refund: id, amount: each.integer('amount_refunded') ?? refund.amount }
  })
}
