import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectFields } from '#tests/support/official-fields.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await testSandbox()
  const { hostname: host, port } = new URL(sandbox.origin)
  stripe = new Stripe(sandbox.env.STRIPE_SECRET_KEY!, { host, port, protocol: 'http', telemetry: false })
})
afterAll(() => sandbox?.close())
beforeEach(() => sandbox.control('refunds', { answer: 'succeeded' }))

const paid = async () =>
  stripe.paymentIntents.create({
    amount: 700,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    confirm: true,
    expand: ['latest_charge'],
  })
const chargeOf = async (payment: string) => (await stripe.charges.list({ payment_intent: payment })).data[0]!
const eventsOf = async (refund: string) => {
  const events = await stripe.events.list({ limit: 100 })
  return events.data.filter(({ data }) => (data.object as Stripe.Refund).id === refund).reverse()
}

test('a pending refund counts as refunded, and sends an event when it succeeds', async () => {
  await sandbox.control('refunds', { answer: 'pending' })
  const { id: payment } = await paid()
  const waiting = await stripe.refunds.create({
    payment_intent: payment,
    amount: 300,
    metadata: { of: 'row' },
  })
  expectFields(waiting, 'Refunds', 'Refund')
  expect(waiting).toMatchObject({ status: 'pending', pending_reason: 'processing', metadata: { of: 'row' } })
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 300, refunded: false })

  await sandbox.control(`refunds/${waiting.id}`, { status: 'succeeded' })
  const { data } = await stripe.refunds.list({ payment_intent: payment })
  expect(data).toMatchObject([{ id: waiting.id, status: 'succeeded', metadata: { of: 'row' } }])
  expect(data[0]).not.toHaveProperty('pending_reason')
  expect((await chargeOf(payment)).amount_refunded).toBe(300)
  expect((await eventsOf(waiting.id)).map(({ type }) => type)).toEqual([
    'refund.created',
    'refund.updated',
    'charge.refund.updated',
  ])
})

test.each(['pending', 'succeeded'])(
  'a refund that was %s and fails returns its money to the charge',
  async (answer) => {
    await sandbox.control('refunds', { answer })
    const { id: payment } = await paid()
    const { id: part } = await stripe.refunds.create({ payment_intent: payment, amount: 300 })
    const { id: rest } = await stripe.refunds.create({ payment_intent: payment })
    expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 700, refunded: true })

    await sandbox.control(`refunds/${rest}`, { status: 'failed', reason: 'lost_or_stolen_card' })
    const failed = await stripe.refunds.retrieve(rest)
    expectFields(failed, 'Refunds', 'Refund')
    expect(failed).toMatchObject({ status: 'failed', failure_reason: 'lost_or_stolen_card', amount: 400 })
    expect(await stripe.refunds.retrieve(part)).toMatchObject({ status: answer })
    expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 300, refunded: false })
    const [, ...later] = await eventsOf(rest)
    expect(later.map(({ type }) => type)).toEqual([
      'refund.failed',
      'refund.updated',
      'charge.refund.updated',
    ])
    expect(later[1]!.data.previous_attributes).toEqual({ status: answer })
    expect((await sandbox.control(`refunds/${rest}`, { status: 'succeeded' })).error).toBeDefined()

    await sandbox.control('refunds', { answer: 'succeeded' })
    await stripe.refunds.create({ payment_intent: payment })
    expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 700, refunded: true })
  },
)

test('a refund without balance is refused and changes nothing, and later succeeds only with a new idempotency key', async () => {
  await sandbox.control('refunds', { answer: 'balance_insufficient' })
  const { id: payment } = await paid()
  const ask = (time: number) =>
    stripe.refunds.create({ payment_intent: payment }, { idempotencyKey: `${payment}:${time}` })
  const refusal = { type: 'StripeInvalidRequestError', code: 'balance_insufficient', statusCode: 400 }
  await expect(ask(1)).rejects.toMatchObject(refusal)
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 0, refunded: false })
  expect((await stripe.refunds.list({ payment_intent: payment })).data).toEqual([])
  await sandbox.control('refunds', { answer: 'succeeded' })
  await expect(ask(1)).rejects.toMatchObject(refusal)
  expect(await ask(2)).toMatchObject({ status: 'succeeded', amount: 700 })
})
