import { afterAll, beforeAll, expect, test } from 'vitest'
import Stripe from 'stripe'
import { declarations, expectFields } from '#tests/support/official-fields.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { API_VERSION } from './world.ts'

/** Each answer of the sandbox has the fields that the official library declares for it. */
let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await testSandbox()
  const { hostname: host, port } = new URL(sandbox.origin)
  stripe = new Stripe(sandbox.env.STRIPE_SECRET_KEY!, { host, port, protocol: 'http', telemetry: false })
})
afterAll(() => sandbox?.close())

test('the sandbox uses the API version of the library', () => {
  expect(Stripe.API_VERSION).toBe(API_VERSION)
})

test('a payment has the fields of its version before and after payment, refusal and authentication', async () => {
  const open = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  expectFields(open, 'PaymentIntents', 'PaymentIntent')
  await stripe.paymentIntents
    .confirm(open.id, { payment_method: 'pm_card_visa_chargeDeclined' })
    .catch(() => undefined)
  const refused = await stripe.paymentIntents.retrieve(open.id, { expand: ['latest_charge'] })
  expectFields(refused, 'PaymentIntents', 'PaymentIntent')
  expectFields(refused.latest_charge as Stripe.Charge, 'Charges', 'Charge')
  const waiting = await stripe.paymentIntents.confirm(open.id, {
    payment_method: 'pm_card_authenticationRequired',
  })
  expect(waiting.status).toBe('requires_action')
  expectFields(waiting, 'PaymentIntents', 'PaymentIntent')
  const paid = await stripe.paymentIntents.confirm(open.id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_charge', 'payment_method'],
  })
  expectFields(paid, 'PaymentIntents', 'PaymentIntent')
  expectFields(paid.latest_charge as Stripe.Charge, 'Charges', 'Charge')
  expectFields(paid.payment_method as Stripe.PaymentMethod, 'PaymentMethods', 'PaymentMethod')
})

test('stored payment methods and customers have the fields of their version', async () => {
  const customer = await stripe.customers.create({ email: 'a@murmur.example', name: 'A' })
  expectFields(customer, 'Customers', 'Customer')
  const setup = await stripe.setupIntents.create({ customer: customer.id })
  expectFields(setup, 'SetupIntents', 'SetupIntent')
  const kept = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' })
  expectFields(kept, 'SetupIntents', 'SetupIntent')
  const { data } = await stripe.customers.listPaymentMethods(customer.id)
  expect(data.map(({ id }) => id)).toEqual([kept.payment_method])
  expectFields(data[0]!, 'PaymentMethods', 'PaymentMethod')
  expectFields(await stripe.coupons.create({ percent_off: 25, duration: 'once' }), 'Coupons', 'Coupon')
})

test('refunds have the fields of their version, and so does every event of these tests', async () => {
  const paid = await stripe.paymentIntents.create({
    amount: 700,
    currency: 'gbp',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  })
  const { data: disputes } = await stripe.disputes.list({ payment_intent: paid.id })
  expectFields(disputes[0]!, 'Disputes', 'Dispute')
  const other = await stripe.paymentIntents.create({
    amount: 700,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  expectFields(await stripe.refunds.create({ payment_intent: other.id }), 'Refunds', 'Refund')
  const known = declarations('Events')
  for await (const event of stripe.events.list({ limit: 100 })) {
    expectFields(event, 'Events', 'EventBase')
    expect(known).toContain(`'${event.type}'`)
  }
})

test('refuses unknown parameters like Stripe', async () => {
  // This API version has removed the parameter, so the real API refuses it too.
  const wish = {
    amount: 500,
    currency: 'gbp',
    payment_method_types: ['card'],
  } as Stripe.PaymentIntentCreateParams
  await expect(stripe.paymentIntents.create(wish)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    code: 'parameter_unknown',
    param: 'payment_method_types',
    statusCode: 400,
  })
  await expect(stripe.paymentIntents.create({ amount: 29, currency: 'gbp' })).rejects.toMatchObject({
    code: 'amount_too_small',
  })
  await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({
    code: 'resource_missing',
    statusCode: 404,
  })
  await expect(stripe.payouts.list()).rejects.toMatchObject({ statusCode: 404 })
  const stranger = new Stripe('sk_test_wrong', {
    host: '127.0.0.1',
    port: new URL(sandbox.origin).port,
    protocol: 'http',
    telemetry: false,
  })
  await expect(stranger.customers.list()).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  })
})

test('a browser gets an intent only with its secret, and never its metadata or customer', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'gbp',
    metadata: { order: 'secret' },
  })
  const ask = async (secret: string, path = `payment_intents/${intent.id}`) =>
    fetch(`${sandbox.origin}/v1/${path}?client_secret=${secret}`, {
      headers: { authorization: `Bearer ${sandbox.env.STRIPE_PUBLISHABLE_KEY}` },
    })
  const seen = (await (await ask(intent.client_secret!)).json()) as object
  expect(seen).toMatchObject({ id: intent.id, status: 'requires_payment_method' })
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['metadata']))
  expect(seen).not.toHaveProperty('customer')
  expect((await ask(`${intent.id}_secret_guess`)).status).toBe(404)
  expect((await ask('', 'customers')).status).toBe(401)
})
