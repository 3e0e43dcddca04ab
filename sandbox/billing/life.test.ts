import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox, day, JANUARY_31 } from '#tests/support/billing-sandbox.ts'

let sandbox: BillingSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await billingSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox?.close())

const periodOf = ({ items }: Stripe.Subscription) => {
  const { current_period_start: start, current_period_end: end } = items.data[0]!
  return [day(start), day(end)]
}

test('paying the first invoice activates the subscription and stores the card for renewals', async () => {
  const { customer } = await sandbox.customer()
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
  })
  const invoice = made.latest_invoice as Stripe.Invoice
  expect(made).toMatchObject({ status: 'incomplete', pending_setup_intent: null })
  expect(invoice).toMatchObject({ status: 'open', amount_due: 800, billing_reason: 'subscription_create' })
  const secret = invoice.confirmation_secret!.client_secret
  const intent = secret.split('_secret_')[0]!
  expect(invoice.payments!.data[0]!.payment.payment_intent).toBe(intent)

  await sandbox.confirm({ id: intent, clientSecret: secret }, '4000000000000002')
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('incomplete')
  await sandbox.confirm({ id: intent, clientSecret: secret })
  const paid = await stripe.subscriptions.retrieve(made.id, { expand: ['default_payment_method'] })
  expect(paid).toMatchObject({ status: 'active', default_payment_method: { customer } })
  expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid', amount_paid: 800 })
  const told = await sandbox.told({ customer })
  for (const type of [
    'customer.subscription.created',
    'invoice.finalized',
    'invoice.payment_failed',
    'invoice.paid',
  ])
    expect(told.filter((each) => each === type)).toHaveLength(1)
})

test('a subscription that is not paid within 23 hours expires, and its invoice is void', async () => {
  const { customer, clock } = await sandbox.customer()
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice.confirmation_secret'],
  })
  const secret = (made.latest_invoice as Stripe.Invoice).confirmation_secret!.client_secret
  await sandbox.advance(clock, JANUARY_31 + 23 * 3_600)
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('incomplete_expired')
  expect((await sandbox.invoices({ subscription: made.id }))[0]!.status).toBe('void')
  const late = await sandbox.confirm({ id: secret.split('_secret_')[0]!, clientSecret: secret })
  expect(late).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
})

test('renewals of a year keep to the last days of the months, and each is charged', async () => {
  const member = await sandbox.member()
  const ends: string[] = []
  for (let month = 0; month < 4; month += 1) {
    ends.push(periodOf(await sandbox.subscription(member))[1]!)
    await sandbox.advanceMonths(member, 1)
  }
  expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
  const invoices = await sandbox.invoices(member)
  expect(invoices.map(({ status, amount_paid }) => [status, amount_paid])).toEqual(
    invoices.map(() => ['paid', 800]),
  )
  expect(invoices.length).toBe(5)
  expect((await sandbox.subscription(member)).status).toBe('active')
})

test('a renewal is announced, drafted with the new period, and charged an hour later', async () => {
  const member = await sandbox.member()
  const end = Date.UTC(2027, 1, 28, 10) / 1000
  await sandbox.advance(member.clock, end - 7 * 86_400)
  expect((await sandbox.told(member)).at(-1)).toBe('invoice.upcoming')
  await sandbox.advance(member.clock, end)
  expect(periodOf(await sandbox.subscription(member))).toEqual(['2027-02-28', '2027-03-31'])
  expect((await sandbox.invoices(member))[0]).toMatchObject({
    status: 'draft',
    billing_reason: 'subscription_cycle',
    automatically_finalizes_at: end + 3_600,
  })
  await sandbox.advance(member.clock, end + 3_600)
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 800 })
})

test('a trial requests a payment method, sends an event three days before its end, and is charged after it', async () => {
  const { customer, clock } = await sandbox.customer()
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    payment_behavior: 'default_incomplete',
    trial_period_days: 30,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    expand: ['pending_setup_intent', 'latest_invoice'],
  })
  expect(made).toMatchObject({ status: 'trialing', trial_end: JANUARY_31 + 30 * 86_400 })
  expect(made.latest_invoice).toMatchObject({ status: 'paid', amount_due: 0 })
  const asked = made.pending_setup_intent as Stripe.SetupIntent
  const kept = await stripe.setupIntents.confirm(asked.id, { payment_method: 'pm_card_visa' })
  expect((await stripe.subscriptions.retrieve(made.id)).pending_setup_intent).toBeNull()
  await stripe.subscriptions.update(made.id, { default_payment_method: kept.payment_method as string })

  await sandbox.advance(clock, JANUARY_31 + 27 * 86_400)
  expect(await sandbox.told({ customer })).toContain('customer.subscription.trial_will_end')
  await sandbox.advance(clock, JANUARY_31 + 30 * 86_400 + 3_600)
  expect(await stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'active' })
  expect((await sandbox.invoices({ subscription: made.id }))[0]).toMatchObject({
    status: 'paid',
    amount_paid: 800,
  })
})

test('a trial without a payment method is canceled at its end, without a charge', async () => {
  const { customer, clock } = await sandbox.customer()
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    payment_behavior: 'default_incomplete',
    trial_period_days: 30,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  })
  await sandbox.advance(clock, JANUARY_31 + 31 * 86_400)
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('canceled')
  expect(await sandbox.invoices({ subscription: made.id })).toHaveLength(1)
})

test('a canceled subscription lasts until the end of the period, can be resumed before, and can be ended at once', async () => {
  const member = await sandbox.member()
  const end = Date.UTC(2027, 1, 28, 10) / 1000
  const leaving = await stripe.subscriptions.update(member.subscription, { cancel_at_period_end: true })
  expect(leaving).toMatchObject({ status: 'active', cancel_at: end, canceled_at: JANUARY_31 })
  const back = await stripe.subscriptions.update(member.subscription, { cancel_at_period_end: false })
  expect(back).toMatchObject({ cancel_at: null, canceled_at: null })
  await stripe.subscriptions.update(member.subscription, { cancel_at_period_end: true })
  await sandbox.advance(member.clock, end + 86_400)
  expect(await sandbox.subscription(member)).toMatchObject({
    status: 'canceled',
    ended_at: end,
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(await sandbox.invoices(member)).toHaveLength(1)

  const other = await sandbox.member()
  expect((await stripe.subscriptions.cancel(other.subscription)).status).toBe('canceled')
  await expect(stripe.subscriptions.cancel(other.subscription)).rejects.toMatchObject({ statusCode: 404 })
})

test('PayPal renewals are charged until the payer revokes the mandate at PayPal', async () => {
  const { customer, clock } = await sandbox.customer()
  const setup = await stripe.setupIntents.create({ customer, usage: 'off_session' })
  const waiting = (await fetch(`${sandbox.origin}/v1/setup_intents/${setup.id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.env.STRIPE_PUBLISHABLE_KEY}` },
    body: new URLSearchParams({
      client_secret: setup.client_secret!,
      'payment_method_data[type]': 'paypal',
      return_url: 'http://shop.example/back',
    }),
  }).then((answer) => answer.json())) as Record<string, unknown>
  await sandbox.decide(waiting, 'approve')
  const done = await stripe.setupIntents.retrieve(setup.id, { expand: ['payment_method', 'mandate'] })
  expect(done).toMatchObject({ status: 'succeeded', mandate: { status: 'active' } })
  const method = done.payment_method as Stripe.PaymentMethod
  expect(method.paypal!.payer_id).toMatch(/^[0-9A-F]{13}$/)
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    default_payment_method: method.id,
    payment_behavior: 'allow_incomplete',
  })
  expect(made.status).toBe('active')
  await sandbox.control(`payment_methods/${method.id}/revoke`)
  await sandbox.advance(clock, Date.UTC(2027, 1, 28, 12) / 1000)
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('past_due')
})

test('deleting a customer cancels the subscription', async () => {
  const member = await sandbox.member()
  await stripe.customers.del(member.customer)
  expect((await sandbox.subscription(member)).status).toBe('canceled')
  expect(await stripe.customers.retrieve(member.customer)).toMatchObject({ deleted: true })
})

test('the sandbox’s own clock renews customers without a test clock, and returns the time of the next action', async () => {
  const customer = await stripe.customers.create({ email: 'b@murmur.example' })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const made = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: sandbox.prices.reader }],
    default_payment_method: method.id,
  })
  expect(made.status).toBe('active')
  const end = made.items.data[0]!.current_period_end
  const answer = await sandbox.control('clock', { advance: 'P32D' })
  expect(answer.now).toBeGreaterThan(end)
  expect(answer.next).toBeGreaterThan(answer.now as number)
  expect((await sandbox.invoices({ subscription: made.id })).map(({ status }) => status)).toEqual([
    'paid',
    'paid',
  ])
})

test('a clock that was interrupted by a kill resumes at the next start, and charges each member once', async () => {
  const members = [await sandbox.member(), await sandbox.member({ price: 'avid' })]
  for (const { clock } of members)
    await stripe.testHelpers.testClocks.advance(clock, { frozen_time: Date.UTC(2027, 2, 31, 9) / 1000 })
  await sandbox.kill()
  await sandbox.start()
  for (const member of members) {
    await expect
      .poll(async () => (await stripe.testHelpers.testClocks.retrieve(member.clock)).status)
      .toBe('ready')
    const invoices = await sandbox.invoices(member)
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
  }
})
