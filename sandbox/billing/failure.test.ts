import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox, day, type Member } from '#tests/support/billing-sandbox.ts'

let sandbox: BillingSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await billingSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox?.close())
beforeEach(() => sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' }))

const DAY = 86_400
const RENEWAL = Date.UTC(2027, 1, 28, 11) / 1000

const methodOf = async (member: Member) =>
  (await sandbox.subscription(member)).default_payment_method as string
const bank = async (member: Member, wish: string) =>
  sandbox.control(`payment_methods/${await methodOf(member)}`, { bank: wish })
const latest = async (member: Member) => (await sandbox.invoices(member))[0]!

async function failing(wish = 'insufficient_funds', card?: string): Promise<Member> {
  const member = await sandbox.member(card ? { card } : {})
  if (!card) await bank(member, wish)
  await sandbox.advance(member.clock, RENEWAL)
  return member
}

test('a failed renewal is past due, is retried as the account says, and ends after the last retry', async () => {
  const member = await failing()
  expect((await sandbox.subscription(member)).status).toBe('past_due')
  const tries: [number, string | null][] = []
  for (const days of [0, 3, 5]) {
    await sandbox.advance(member.clock, RENEWAL + days * DAY + 1)
    const { attempt_count: count, next_payment_attempt: next } = await latest(member)
    tries.push([count, next === null ? null : day(next)])
  }
  expect(tries).toEqual([
    [1, '2027-03-03'],
    [2, '2027-03-05'],
    [3, '2027-03-07'],
  ])
  await sandbox.advance(member.clock, RENEWAL + 7 * DAY)
  expect(await sandbox.subscription(member)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  })
  const open = await latest(member)
  expect(open).toMatchObject({ status: 'open', attempt_count: 4, next_payment_attempt: null })
  expect(await stripe.invoices.voidInvoice(open.id)).toMatchObject({ status: 'void' })
  const told = await sandbox.told(member)
  expect(told.filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
  expect(told.filter((type) => type === 'customer.subscription.deleted')).toHaveLength(1)
})

test.each([
  ['unpaid', 'unpaid'],
  ['past_due', 'past_due'],
  ['pause', 'paused'],
])('if the account says %s, the subscription becomes that after the last retry', async (action, status) => {
  await sandbox.control('account', { final_action: action })
  const member = await failing()
  await sandbox.advance(member.clock, RENEWAL + 8 * DAY)
  expect(await sandbox.subscription(member)).toMatchObject({ status, ended_at: null })
  await bank(member, 'pass')
  await stripe.invoices.pay((await latest(member)).id)
  expect((await sandbox.subscription(member)).status).toBe('active')
})

/** Ways to pay a failed invoice, in any order; the first one pays it. */
const mend = {
  'the next try': async (member: Member) => {
    await bank(member, 'pass')
    await sandbox.advance(member.clock, RENEWAL + 3 * DAY)
  },
  'another card': async (member: Member) => {
    const card = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: member.customer })
    await stripe.subscriptions.update(member.subscription, { default_payment_method: card.id })
    const { id, status } = await latest(member)
    if (status === 'open') await stripe.invoices.pay(id)
  },
  'the payer, by the invoice’s secret': async (member: Member) => {
    const { id } = await latest(member)
    const invoice = await stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] })
    const secret = invoice.confirmation_secret!.client_secret
    await sandbox.confirm({ id: secret.split('_secret_')[0]!, clientSecret: secret })
  },
}
const ways = Object.keys(mend) as (keyof typeof mend)[]
const orders = ways.flatMap((first) =>
  ways.flatMap((second) =>
    ways.flatMap((third) =>
      new Set([first, second, third]).size === 3 ? [[first, second, third] as const] : [],
    ),
  ),
)

test.each(orders)('a failed renewal is paid once by %s, then %s, then %s', async (...order) => {
  const member = await failing()
  for (const way of order) await mend[way](member)
  expect((await sandbox.subscription(member)).status).toBe('active')
  const { data: charges } = await stripe.charges.list({ customer: member.customer, limit: 100 })
  expect(charges.filter(({ paid }) => paid).map(({ amount }) => amount)).toEqual([800, 800])
  const told = await sandbox.told(member)
  expect(told.filter((type) => type === 'invoice.paid')).toHaveLength(2)
  await sandbox.advance(member.clock, RENEWAL + 20 * DAY)
  expect((await latest(member)).status).toBe('paid')
})

test('a lost card is not retried, another card is', async () => {
  const member = await failing('lost_card')
  expect(await latest(member)).toMatchObject({ attempt_count: 1, next_payment_attempt: null })
  await sandbox.advance(member.clock, RENEWAL + 4 * DAY)
  expect((await latest(member)).attempt_count).toBe(1)
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: member.customer })
  await stripe.subscriptions.update(member.subscription, { default_payment_method: card.id })
  await sandbox.advance(member.clock, RENEWAL + 6 * DAY)
  expect((await latest(member)).status).toBe('paid')
})

test('a card that always requires authentication needs the customer at a renewal, who opens the hosted invoice', async () => {
  const member = await failing('', '4000002760003184')
  const invoice = await latest(member)
  expect((await sandbox.subscription(member)).status).toBe('past_due')
  const told = await sandbox.told(member)
  for (const type of ['invoice.payment_action_required', 'invoice.payment_failed'])
    expect(told.filter((each) => each === type)).toHaveLength(1)
  const hosted = await fetch(invoice.hosted_invoice_url!, { redirect: 'manual' })
  expect(hosted.status).toBe(303)
  await fetch(hosted.headers.get('location')!, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve' }),
  })
  expect((await latest(member)).status).toBe('paid')
  expect((await sandbox.subscription(member)).status).toBe('active')
  expect(await (await fetch(invoice.hosted_invoice_url!)).text()).toContain('Paid. Thank you.')
})

test('a card that requires authentication once passes at renewals; a card that attaches but fails is refused', async () => {
  const once = await sandbox.member({ card: '4000002500003155' })
  await sandbox.advance(once.clock, RENEWAL)
  expect((await sandbox.subscription(once)).status).toBe('active')

  const { customer, clock } = await sandbox.customer()
  const kept = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  const trial = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    default_payment_method: kept.id,
    trial_period_days: 7,
  })
  await sandbox.advance(clock, trial.trial_end! + 3_600)
  expect((await stripe.subscriptions.retrieve(trial.id)).status).toBe('past_due')
})

test('a request whose response is lost was carried out, and the same idempotency key returns its result', async () => {
  const { customer } = await sandbox.customer()
  const join = () =>
    stripe.subscriptions.create(
      { customer, items: [{ price: sandbox.prices.reader }], payment_behavior: 'default_incomplete' },
      { idempotencyKey: `lost-${customer}` },
    )
  await sandbox.control('answers/lose', { count: '3', path: '/v1/subscriptions' })
  await expect(join()).rejects.toMatchObject({ type: 'StripeConnectionError' })
  const made = await join()
  const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
  expect(data.map(({ id }) => id)).toEqual([made.id])
})

test('a won dispute is reported; a refund gets a credit note and is never made twice', async () => {
  const member = await sandbox.member()
  const { id } = await latest(member)
  const { data: payments } = await stripe.invoicePayments.list({ invoice: id })
  const intent = payments[0]!.payment.payment_intent as string
  const part = await stripe.creditNotes.create({ invoice: id, amount: 300, refund_amount: 300 })
  expect(part).toMatchObject({ amount: 300, refunds: [{ amount_refunded: 300 }] })
  await expect(
    stripe.creditNotes.create({ invoice: id, amount: 501, refund_amount: 501 }),
  ).rejects.toMatchObject({ param: 'amount' })
  const refund = await stripe.refunds.create({ payment_intent: intent, amount: 500 })
  await stripe.creditNotes.create({ invoice: id, amount: 500, refunds: [{ refund: refund.id }] })
  const { data: notes } = await stripe.creditNotes.list({ invoice: id })
  expect(notes.map(({ amount }) => amount)).toEqual([500, 300])
  const { data: charges } = await stripe.charges.list({ payment_intent: intent })
  expect(charges[0]).toMatchObject({ amount_refunded: 800, refunded: true })

  const other = await sandbox.member()
  const { data: others } = await stripe.invoicePayments.list({ invoice: (await latest(other)).id })
  const dispute = await sandbox.control(
    `payment_intents/${others[0]!.payment.payment_intent as string}/dispute`,
  )
  expect(await sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome: 'won' })).toMatchObject({
    status: 'won',
  })
})
