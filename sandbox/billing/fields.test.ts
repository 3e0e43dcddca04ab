import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox, JANUARY_31 } from '#tests/support/billing-sandbox.ts'
import { declarations, expectFields } from '#tests/support/official-fields.ts'

/** The sandbox's answers about subscriptions have the fields that the official library declares. */
let sandbox: BillingSandbox
beforeAll(async () => (sandbox = await billingSandbox()))
afterAll(() => sandbox?.close())

test('products, prices and clocks have the fields of their version', async () => {
  const { stripe, prices } = sandbox
  const price = await stripe.prices.retrieve(prices.reader, { expand: ['product'] })
  expectFields(price, 'Prices', 'Price')
  expectFields(price.product as object, 'Products', 'Product')
  await sandbox.customer()
  const { data: clocks } = await stripe.testHelpers.testClocks.list()
  expect(clocks).toHaveLength(1)
  for (const clock of clocks) expectFields(clock, 'TestHelpers/TestClocks', 'TestClock')
})

test('a lookup key belongs to one price until another price takes it over', async () => {
  const { stripe, prices } = sandbox
  const { product } = await stripe.prices.retrieve(prices.reader)
  const make = (transfer: boolean) =>
    stripe.prices.create({
      product: product as string,
      currency: 'gbp',
      unit_amount: 900,
      recurring: { interval: 'month' },
      lookup_key: 'reader',
      transfer_lookup_key: transfer,
    })
  const first = await make(false)
  await expect(make(false)).rejects.toMatchObject({ param: 'lookup_key' })
  const second = await make(true)
  const { data } = await stripe.prices.list({ lookup_keys: ['reader'], active: true })
  expect([data.map(({ id }) => id), (await stripe.prices.retrieve(first.id)).lookup_key]).toEqual([
    [second.id],
    null,
  ])
})

test('a subscription and its related objects have the fields of their version', async () => {
  const { stripe, prices } = sandbox
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  const member = await sandbox.member({ coupon: coupon.id })
  const whole = await stripe.subscriptions.retrieve(member.subscription, {
    expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret', 'discounts.source.coupon'],
  })
  const { schedule: _, latest_invoice: invoice, ...rest } = whole
  expectFields({ ...rest, schedule: null, latest_invoice: null }, 'Subscriptions', 'Subscription')
  expectFields(whole.items.data[0]!, 'SubscriptionItems', 'SubscriptionItem')
  expectFields(whole.items.data[0]!.plan, 'Plans', 'Plan')
  expectFields(whole.discounts[0] as object, 'Discounts', 'Discount')
  expect(whole.discounts[0]).toMatchObject({ source: { coupon: { percent_off: 10 } } })
  if (typeof invoice !== 'object' || !invoice) throw new Error('It was expanded.')
  expectFields(invoice, 'Invoices', 'Invoice')
  expectFields(invoice.lines.data[0]!, 'InvoiceLineItems', 'InvoiceLineItem')
  expectFields(invoice.payments!.data[0]!, 'InvoicePayments', 'InvoicePayment')

  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: member.subscription })
  expectFields(schedule, 'SubscriptionSchedules', 'SubscriptionSchedule')
  const note = await stripe.creditNotes.create({ invoice: invoice.id, amount: 100, refund_amount: 100 })
  expectFields(note, 'CreditNotes', 'CreditNote')
  expectFields(note.lines.data[0]!, 'CreditNoteLineItems', 'CreditNoteLineItem')
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } })
  expectFields(code, 'PromotionCodes', 'PromotionCode')
  const preview = await stripe.invoices.createPreview({
    customer: member.customer,
    subscription_details: { items: [{ price: prices.avid }] },
  })
  expectFields(preview, 'Invoices', 'Invoice')
})

test('every event caused by time has a type that the library knows', async () => {
  const member = await sandbox.member({ begins: JANUARY_31 })
  await sandbox.advanceMonths(member, 2)
  const known = declarations('Events')
  for await (const event of sandbox.stripe.events.list({ limit: 100 })) {
    expectFields(event, 'Events', 'EventBase')
    expect(known).toContain(`'${event.type}'`)
  }
})
