import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await testSandbox()
  const { hostname: host, port } = new URL(sandbox.origin)
  stripe = new Stripe(sandbox.env.STRIPE_SECRET_KEY!, { host, port, protocol: 'http', telemetry: false })
})
afterAll(() => sandbox?.close())

async function setUp(method: string) {
  const customer = await stripe.customers.create({ email: 'a@murmur.example' })
  const intent = await stripe.setupIntents.create({ customer: customer.id, usage: 'off_session' })
  const confirmed = stripe.setupIntents.confirm(intent.id, { payment_method: method, use_stripe_sdk: true })
  return { customer: customer.id, intent: intent.id, confirmed }
}

const renewal = (customer: string, method: string) =>
  stripe.paymentIntents.create({
    amount: 800,
    currency: 'gbp',
    customer,
    payment_method: method,
    off_session: true,
    confirm: true,
  })

test('a card that the bank refuses is not stored', async () => {
  const { intent, confirmed } = await setUp('pm_card_chargeDeclinedExpiredCard')
  await expect(confirmed).rejects.toMatchObject({ type: 'StripeCardError', code: 'expired_card' })
  const after = await stripe.setupIntents.retrieve(intent)
  expect(after).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'expired_card' },
  })
})

test('a card that attaches but fails is refused when it is charged', async () => {
  const { customer, confirmed } = await setUp('pm_card_chargeCustomerFail')
  const { status, payment_method: method } = await confirmed
  expect(status).toBe('succeeded')
  await expect(renewal(customer, method as string)).rejects.toMatchObject({ code: 'card_declined' })
})

test('after authenticating once, later payments pass; a card that always requires it, or never authenticated, is refused', async () => {
  const once = await setUp('pm_card_authenticationRequiredOnSetup')
  const waiting = await once.confirmed
  expect(waiting.status).toBe('requires_action')
  await sandbox.decide(waiting as unknown as Record<string, unknown>, 'approve')
  const kept = await stripe.setupIntents.retrieve(once.intent)
  expect(kept.status).toBe('succeeded')
  expect((await renewal(once.customer, kept.payment_method as string)).status).toBe('succeeded')

  const always = await setUp('pm_card_authenticationRequired')
  await sandbox.decide((await always.confirmed) as unknown as Record<string, unknown>, 'approve')
  const { payment_method: strict } = await stripe.setupIntents.retrieve(always.intent)
  for (const [customer, method] of [
    [always.customer, strict as string],
    [once.customer, 'pm_card_authenticationRequiredOnSetup'],
  ] as const)
    await expect(renewal(customer, method)).rejects.toMatchObject({ code: 'authentication_required' })
})

test('a declined authentication stores nothing and cannot be repeated', async () => {
  const { intent, confirmed } = await setUp('pm_card_authenticationRequired')
  const waiting = (await confirmed) as unknown as Record<string, unknown>
  await sandbox.decide(waiting, 'refuse')
  await sandbox.decide(waiting, 'approve')
  expect(await stripe.setupIntents.retrieve(intent)).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  })
})

test('a card of one customer does not pay for another', async () => {
  const { confirmed } = await setUp('pm_card_visa')
  const { payment_method: method } = await confirmed
  const other = await stripe.customers.create({})
  await expect(renewal(other.id, method as string)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  })
})
