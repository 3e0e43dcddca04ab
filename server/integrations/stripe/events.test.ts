import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox } from '#tests/support/billing-sandbox.ts'
import { declarations } from '#tests/support/official-fields.ts'
import { parseEvent, type Subject, WEBHOOK_EVENTS } from './events.ts'

let sandbox: BillingSandbox
beforeAll(async () => (sandbox = await billingSandbox()))
afterAll(() => sandbox?.close())

test('the provider knows all event types that the shop subscribes to', () => {
  const known = declarations('Events')
  for (const type of WEBHOOK_EVENTS) expect(known).toContain(`'${type}'`)
})

const KINDS: readonly (readonly [start: string, kind: Subject['kind']])[] = [
  ['payment_intent.', 'payment'],
  ['charge.', 'payment'],
  ['refund.', 'payment'],
  ['setup_intent.', 'setUp'],
  ['customer.subscription.', 'subscription'],
  ['subscription_schedule.', 'subscription'],
  ['invoice.', 'subscription'],
  ['invoice_payment.', 'invoice'],
  ['credit_note.', 'invoice'],
  ['customer.created', 'customer'],
  ['customer.deleted', 'customer'],
  ['payment_method.', 'customer'],
]

test('every event of a membership’s life has a subject to sync', async () => {
  const { stripe } = sandbox
  const member = await sandbox.member()
  await stripe.subscriptionSchedules.create({ from_subscription: member.subscription })
  await sandbox.advanceMonths(member, 2)
  const [invoice] = await sandbox.invoices(member)
  await stripe.creditNotes.create({ invoice: invoice?.id ?? '', amount: 100, refund_amount: 100 })
  await stripe.setupIntents.create({
    customer: member.customer,
    confirm: true,
    payment_method: 'pm_card_visa',
  })
  await stripe.subscriptions.cancel(member.subscription)
  const [method] = (await stripe.customers.listPaymentMethods(member.customer)).data
  await stripe.paymentMethods.detach(method!.id)
  await stripe.customers.del(member.customer)

  const seen = new Set<string>()
  for await (const event of stripe.events.list({ limit: 100 })) {
    const { id, type, subject } = parseEvent(event)
    const expected = KINDS.find(([start]) => type.startsWith(start))
    expect(id).toBe(event.id)
    expect(subject?.kind, type).toBe(expected?.[1])
    if (expected) seen.add(expected[0])
  }
  expect([...seen].toSorted()).toEqual(KINDS.map(([start]) => start).toSorted())
})
