import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox, day } from '#tests/support/billing-sandbox.ts'

/** Cases in which Stripe is slower or stricter than a shop expects. */
let sandbox: BillingSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await billingSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox?.close())
beforeEach(() =>
  sandbox.control('account', {
    renewal_seconds: '0',
    scheduled_updates: 'refused',
    credits_deleted: 'false',
  }),
)

const itemOf = ({ items }: Stripe.Subscription) => items.data[0]!

test('between a period’s end and its renewal the subscription is unchanged; the next period still starts at that end', async () => {
  await sandbox.control('account', { renewal_seconds: '5400', draft_seconds: '3600' })
  const member = await sandbox.member({ begins: Date.UTC(2027, 2, 1) / 1000 })
  const { current_period_end: end } = itemOf(await sandbox.subscription(member))
  await sandbox.advance(member.clock, end + 5_399)
  const before = await sandbox.subscription(member)
  expect(before.status).toBe('active')
  expect(itemOf(before).current_period_end).toBe(end)
  expect(await sandbox.invoices(member)).toHaveLength(1)

  await sandbox.advance(member.clock, end + 5_400 + 3_599)
  const after = itemOf(await sandbox.subscription(member))
  expect([after.current_period_start, day(after.current_period_end)]).toEqual([end, '2027-05-01'])
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'draft' })
  await sandbox.advance(member.clock, end + 9_000)
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 800 })
})

test('with a schedule, a direct price change is refused; if the account allows it, the next phase reverts it', async () => {
  const member = await sandbox.member({ begins: Date.UTC(2027, 2, 1) / 1000 })
  const of = await sandbox.subscription(member)
  const { id, price, current_period_start: start, current_period_end: end } = itemOf(of)
  const { id: schedule } = await stripe.subscriptionSchedules.create({ from_subscription: of.id })
  await stripe.subscriptionSchedules.update(schedule, {
    end_behavior: 'release',
    phases: [
      { items: [{ price: price.id }], start_date: start, end_date: end, proration_behavior: 'none' },
      {
        items: [{ price: sandbox.prices.supporter }],
        duration: { interval: 'month', interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  })
  const upgrade = () =>
    stripe.subscriptions.update(of.id, {
      items: [{ id, price: sandbox.prices.avid }],
      proration_behavior: 'always_invoice',
    })
  await expect(upgrade()).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param: 'items' })
  await expect(stripe.subscriptions.update(of.id, { cancel_at_period_end: true })).rejects.toMatchObject({
    param: 'cancel_at_period_end',
  })
  expect(await sandbox.invoices(member)).toHaveLength(1)

  await sandbox.control('account', { scheduled_updates: 'until_next_phase' })
  expect(itemOf(await upgrade()).price.id).toBe(sandbox.prices.avid)
  await sandbox.advance(member.clock, end + 7_200)
  expect(itemOf(await sandbox.subscription(member)).price.id).toBe(sandbox.prices.supporter)
})

test('an invoice of a deleted customer can be refunded, but gets no credit note unless the account allows it', async () => {
  const first = await sandbox.member()
  const second = await sandbox.member()
  const invoices = await Promise.all([first, second].map(async (each) => (await sandbox.invoices(each))[0]!))
  const credit = (invoice: Stripe.Invoice) =>
    stripe.creditNotes.create({ invoice: invoice.id, amount: 800, refund_amount: 800 })
  for (const { customer } of [first, second]) await stripe.customers.del(customer)
  await expect(credit(invoices[0]!)).rejects.toMatchObject({ code: 'resource_missing' })
  const { data: payments } = await stripe.invoicePayments.list({ invoice: invoices[0]!.id })
  const intent = payments[0]!.payment.payment_intent as string
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 800 })

  await sandbox.control('account', { credits_deleted: 'true' })
  expect(await credit(invoices[1]!)).toMatchObject({ amount: 800 })
})

test('a rate-limited call is refused and not carried out; the same idempotency key works later', async () => {
  const { customer } = await sandbox.customer()
  const join = () =>
    stripe.subscriptions.create(
      { customer, items: [{ price: sandbox.prices.reader }], payment_behavior: 'default_incomplete' },
      { idempotencyKey: `limited-${customer}` },
    )
  await sandbox.control('answers/refuse', { count: '2', path: '/v1/subscriptions' })
  const refusal = { type: 'StripeRateLimitError', statusCode: 429, code: 'rate_limit' }
  await expect(join()).rejects.toMatchObject(refusal)
  expect((await stripe.customers.retrieve(customer)).id).toBe(customer)
  await expect(stripe.subscriptions.list({ customer })).rejects.toMatchObject(refusal)
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
  expect((await join()).status).toBe('incomplete')
  await sandbox.control('answers/refuse', { count: '1', path: '/v1/customers', status: '500' })
  await expect(stripe.customers.retrieve(customer)).rejects.toMatchObject({ type: 'StripeAPIError' })
})

test('the sandbox’s clock can be shifted against other clocks without running due actions', async () => {
  const made = async () => (await stripe.customers.create({})).created
  const { next } = await sandbox.control('clock', { advance: '0' })
  const before = await made()
  await sandbox.control('clock', { shift: '-7200' })
  const behind = await made()
  await sandbox.control('clock', { shift: '10800' })
  const ahead = await made()
  expect([before - behind, ahead - before].map((seconds) => Math.round(seconds / 600))).toEqual([12, 6])
  expect((await sandbox.control('clock', { shift: '-3600' })).next).toBe(next)
})

test('fields deeper than four levels cannot be expanded', async () => {
  const { id } = (await sandbox.invoices(await sandbox.member()))[0]!
  await expect(
    stripe.invoices.retrieve(id, { expand: ['lines.data.pricing.price_details.price'] }),
  ).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param: 'expand' })
  await expect(
    stripe.invoices.list({ expand: ['data.payments.data.payment.payment_intent'] }),
  ).rejects.toMatchObject({ param: 'expand' })
  const { data } = await stripe.invoicePayments.list({
    invoice: id,
    expand: ['data.invoice', 'data.payment.payment_intent.latest_charge'],
  })
  const [found] = data
  expect((found!.invoice as Stripe.Invoice).id).toBe(id)
  expect((found!.payment.payment_intent as Stripe.PaymentIntent).latest_charge).toMatchObject({ amount: 800 })
})
