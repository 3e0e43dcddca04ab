import { DAY_MS } from '#contract/durations.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import type { Billing } from './provider.ts'
import { noBilling } from '#tests/support/no-provider.ts'
import { membershipPrices, planOfKey, priceKeyOf } from './prices.ts'
import { NotAtProvider, PaymentConflict, PaymentsUnavailable } from './problems.ts'
import type { NewSubscription, Subscription } from './subscriptions.ts'

/** Memberships with the production code for Stripe: the official library over HTTP, against the sandbox. */
let sandbox: TestSandbox
let billing: Billing
beforeAll(async () => {
  sandbox = await testSandbox()
  billing = sandbox.billing
  await billing.prices.setUp(membershipPrices())
})
afterAll(() => sandbox?.close())
beforeEach(() => sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' }))

const READER = priceKeyOf(4)
const AVID = priceKeyOf(1)
const SUPPORTER = priceKeyOf(6)
const READER_YEAR = priceKeyOf(5)

let count = 0
const keyFor = (what: string) => `${what}-${(count += 1)}`
const now = async () => new Date(Number((await sandbox.control('clock', { advance: '0' })).now) * 1000)
const pass = (duration: string) => sandbox.control('clock', { advance: duration })
const newCustomer = () =>
  billing.customers.create(
    { email: 'reader@murmur.example', name: 'Rea Der', metadata: { user: keyFor('user') } },
    keyFor('customer'),
  )

async function begin(params: Partial<NewSubscription> = {}): Promise<Subscription> {
  const customer = await newCustomer()
  return billing.subscriptions.create(
    { customer, price: READER, metadata: { user: customer }, ...params },
    keyFor('join'),
  )
}

const secretOf = ({ waitsFor }: Subscription) => waitsFor ?? expect.fail('it waits for nothing')

async function join(card?: string, params?: Partial<NewSubscription>): Promise<Subscription> {
  const begun = await begin(params)
  const confirmed = await sandbox.confirm(secretOf(begun), card)
  if (confirmed.status === 'requires_action') await sandbox.decide(confirmed, 'approve')
  return billing.subscriptions.retrieve(begun.id)
}

const invoicesOf = async ({ id }: Pick<Subscription, 'id'>) =>
  Array.fromAsync(billing.invoices.list({ subscription: id }))
const latest = async (of: Pick<Subscription, 'id'>) => {
  const { latestInvoice } = await billing.subscriptions.retrieve(of.id)
  return billing.invoices.retrieve(latestInvoice ?? '')
}
const bank = (of: Subscription, params: string) =>
  sandbox.control(`payment_methods/${of.method?.id}`, { bank: params })

async function keepCard(customer: string, card?: string) {
  const params = { customer, metadata: { why: 'card update' } }
  const asked = await billing.setUps.create(params, keyFor('set-up'))
  expect(asked).toMatchObject({ state: 'open', method: null, customer })
  await sandbox.confirmSetUp(asked, card)
  return billing.setUps.retrieve(asked.id)
}

test('prices are created once, and replaced if the amount differs', async () => {
  const prices = membershipPrices()
  expect(prices.map(({ key, amountMinor, months }) => [planOfKey(key), amountMinor, months])).toEqual([
    [1, 1200, 1],
    [2, 12_000, 12],
    [4, 800, 1],
    [5, 8000, 12],
    [6, 300, 1],
    [7, 3000, 12],
  ])
  expect([...(await billing.prices.setUp(prices)).values()]).toEqual(prices.map(() => 'right'))
  const test_ = { key: 'plan_test', name: 'Test', amountMinor: 500, months: 6 }
  expect((await billing.prices.setUp([test_])).get('plan_test')).toBe('made')
  const member = await join(undefined, { price: 'plan_test' })
  expect(member).toMatchObject({ price: 'plan_test', amountMinor: 500, months: 6 })
  expect((await billing.prices.setUp([{ ...test_, amountMinor: 600 }])).get('plan_test')).toBe('replaced')
  expect((await billing.prices.find(['plan_test', 'plan_none'])).get('plan_test')?.amountMinor).toBe(600)
  expect(await billing.subscriptions.retrieve(member.id)).toMatchObject({
    price: 'plan_test',
    amountMinor: 500,
  })
})

test('a paid checkout creates one membership, however often it was requested', async () => {
  const customer = await newCustomer()
  const params = { customer, price: READER, metadata: { user: 'u1' } }
  const key = keyFor('join')
  const [first, second] = await Promise.all([
    billing.subscriptions.create(params, key),
    billing.subscriptions.create(params, key),
  ])
  expect(second).toEqual(first)
  expect(first).toMatchObject({ state: 'incomplete', price: READER, waitsFor: { kind: 'payment' } })
  await sandbox.confirm(secretOf(first), '4000000000000002')
  expect((await billing.subscriptions.retrieve(first.id)).state).toBe('incomplete')
  await sandbox.confirm(secretOf(first))
  const member = await billing.subscriptions.retrieve(first.id)
  expect(member).toMatchObject({
    state: 'active',
    waitsFor: null,
    metadata: { user: 'u1' },
    method: { kind: 'card', last4: '4242' },
  })
  expect(member.method?.fingerprint).toMatch(/\w{8,}/)
  const invoice = await latest(member)
  expect(invoice).toMatchObject({
    state: 'paid',
    reason: 'joined',
    totalMinor: 800,
    paidMinor: 800,
    lines: [{ price: READER, amountMinor: 800, discountMinor: 0, isChange: false }],
  })
  expect(await billing.invoices.paidBy(invoice.payment ?? '')).toMatchObject({
    invoice: invoice.id,
    payment: { id: invoice.payment, state: 'paid' },
  })
  expect(await Array.fromAsync(billing.subscriptions.list({ customer }))).toEqual([member])
})

test('a trial waits for a payment method, starts with it, and is charged when it ends', async () => {
  const begun = await begin({ trialDays: 30 })
  expect(begun).toMatchObject({ state: 'incomplete', waitsFor: { kind: 'setUp' } })
  await sandbox.confirmSetUp(secretOf(begun), '4000000000000341')
  const kept = await billing.setUps.retrieve(secretOf(begun).id)
  expect(kept).toMatchObject({ state: 'done', customer: begun.customer, method: { last4: '0341' } })
  const trial = await billing.subscriptions.payWith(begun.id, kept.method?.id ?? '')
  expect(trial).toMatchObject({ state: 'trialing', waitsFor: null })
  expect(trial.trialEndsAt).toEqual(trial.periodEnd)
  await pass('P31D')
  expect((await billing.subscriptions.retrieve(begun.id)).state).toBe('past_due')
})

test('if a bank refuses to store a card, the reason is returned and nothing is stored', async () => {
  const refused = await keepCard(await newCustomer(), '4000000000000069')
  expect(refused).toMatchObject({ state: 'open', method: null, refusal: { code: 'expired_card' } })
})

test('a failed renewal is paid with a new card, and the membership continues', async () => {
  const member = await join()
  await bank(member, 'insufficient_funds')
  await pass('P32D')
  expect((await billing.subscriptions.retrieve(member.id)).state).toBe('past_due')
  const open = await latest(member)
  expect(open).toMatchObject({ state: 'open', reason: 'renewed', attempts: 1 })
  expect(open.clientSecret).toMatch(/^pi_.+_secret_/)
  expect((await billing.invoices.pay(open.id, keyFor('pay'))).state).toBe('open')

  const { method } = await keepCard(member.customer, '5555555555554444')
  const after = await billing.subscriptions.payWith(member.id, method?.id ?? '')
  expect(after).toMatchObject({ state: 'past_due', method: { last4: '4444' } })
  const key = keyFor('pay')
  expect(await billing.invoices.pay(open.id, key)).toMatchObject({ state: 'paid', clientSecret: null })
  expect((await billing.invoices.pay(open.id, keyFor('pay'))).state).toBe('paid')
  expect((await billing.subscriptions.retrieve(member.id)).state).toBe('active')
})

test('an unpaid membership ends after the last attempt, and its invoice can be voided', async () => {
  const member = await join()
  await bank(member, 'lost_card')
  await pass('P42D')
  const ended = await billing.subscriptions.retrieve(member.id)
  expect(ended).toMatchObject({ state: 'ended', endReason: 'not_paid', waitsFor: null })
  const open = await latest(member)
  expect((await billing.invoices.makeVoid(open.id)).state).toBe('void')
  expect((await billing.invoices.makeVoid(open.id)).state).toBe('void')
})

test('a renewal that needs authentication can be completed in the browser', async () => {
  const member = await join('4000002760003184')
  await pass('P32D')
  const open = await latest(member)
  expect(open).toMatchObject({ state: 'open', attempts: 1 })
  const confirmed = await sandbox.confirm(
    { id: open.payment ?? '', clientSecret: open.clientSecret ?? '' },
    '4000002760003184',
  )
  await sandbox.decide(confirmed, 'approve')
  expect((await latest(member)).state).toBe('paid')
})

test('an upgrade costs what was quoted, also below the minimum charge', async () => {
  const member = await join()
  await pass('P10D')
  const quote = await billing.subscriptions.quoteUpgrade(member.id, AVID, await now())
  expect(quote.totalMinor).toBeGreaterThan(200)
  expect(quote.dueMinor).toBe(quote.totalMinor)
  await pass('PT1H')
  const key = keyFor('upgrade')
  const params = { price: AVID, at: quote.at }
  const after = await billing.subscriptions.upgrade(member.id, params, key)
  expect(after).toMatchObject({ state: 'active', price: AVID, amountMinor: 1200, unpaidChange: null })
  expect(await billing.subscriptions.upgrade(member.id, params, key)).toEqual(after)
  expect(await latest(member)).toMatchObject({
    reason: 'changed',
    state: 'paid',
    paidMinor: quote.dueMinor,
    lines: [
      { isChange: true, price: READER },
      { isChange: true, price: AVID },
    ],
  })

  const late = await join()
  const small = await billing.subscriptions.quoteUpgrade(
    late.id,
    AVID,
    new Date(late.periodEnd.getTime() - DAY_MS),
  )
  expect(small.totalMinor).toBeGreaterThan(0)
  expect(small.dueMinor).toBe(0)
})

test('an upgrade that the bank refuses changes nothing, until its invoice is paid or void', async () => {
  const member = await join()
  await bank(member, 'insufficient_funds')
  const { at } = await billing.subscriptions.quoteUpgrade(member.id, AVID, await now())
  const refused = await billing.subscriptions.upgrade(member.id, { price: AVID, at }, keyFor('upgrade'))
  expect(refused).toMatchObject({ state: 'active', price: READER, unpaidChange: { price: AVID } })
  await billing.invoices.makeVoid(refused.unpaidChange?.invoice ?? '')
  expect(await billing.subscriptions.retrieve(member.id)).toMatchObject({ price: READER, unpaidChange: null })

  const again = await billing.subscriptions.upgrade(member.id, { price: AVID, at }, keyFor('upgrade'))
  await sandbox.confirm(secretOf(again))
  expect(await billing.subscriptions.retrieve(member.id)).toMatchObject({ price: AVID, unpaidChange: null })
})

test('a downgrade takes effect at the end of the period, and can be changed or cancelled until then', async () => {
  const member = await join()
  const quote = await billing.subscriptions.quoteAtPeriodEnd(member.id, SUPPORTER)
  expect(quote).toEqual({ totalMinor: 300, dueMinor: 300, at: member.periodEnd })
  const planned = await billing.subscriptions.changeAtPeriodEnd(member.id, SUPPORTER)
  expect(planned).toMatchObject({ price: READER, planned: { price: SUPPORTER, at: member.periodEnd } })
  const instead = await billing.subscriptions.changeAtPeriodEnd(member.id, READER_YEAR)
  expect(instead.planned?.price).toBe(READER_YEAR)
  expect((await billing.subscriptions.quoteRenewal(member.id)).dueMinor).toBe(8000)
  expect((await billing.subscriptions.cancelPlannedChange(member.id)).planned).toBeNull()
  await billing.subscriptions.changeAtPeriodEnd(member.id, SUPPORTER)
  await pass('P32D')
  expect(await billing.subscriptions.retrieve(member.id)).toMatchObject({ price: SUPPORTER, planned: null })
  expect((await latest(member)).paidMinor).toBe(300)
})

test('a discount continues after a plan change for its remaining months', async () => {
  const member = await join(undefined, { discount: { percent: 50, lasts: 3 } })
  expect((await billing.subscriptions.quoteAtPeriodEnd(member.id, SUPPORTER)).dueMinor).toBe(150)
  await billing.subscriptions.changeAtPeriodEnd(member.id, SUPPORTER)
  expect((await billing.subscriptions.quoteRenewal(member.id)).dueMinor).toBe(150)
  const paid: number[] = []
  for (let month = 0; month < 4; month += 1) {
    await pass('P32D')
    paid.push((await latest(member)).paidMinor)
  }
  expect(paid.slice(0, 2)).toEqual([150, 150])
  expect(paid.at(-1)).toBe(300)
})

test('a plan change during a trial takes effect at its end', async () => {
  const begun = await begin({ trialDays: 30 })
  await sandbox.confirmSetUp(secretOf(begun))
  const { method } = await billing.setUps.retrieve(secretOf(begun).id)
  await billing.subscriptions.payWith(begun.id, method?.id ?? '')
  const planned = await billing.subscriptions.changeAtPeriodEnd(begun.id, AVID)
  expect(planned).toMatchObject({ state: 'trialing', price: READER, planned: { price: AVID } })
  await pass('P31D')
  expect(await billing.subscriptions.retrieve(begun.id)).toMatchObject({ state: 'active', price: AVID })
  expect((await latest(begun)).paidMinor).toBe(1200)
})

test('a cancelled membership runs until the end of its period, and can be resumed only before that', async () => {
  const member = await join()
  await billing.subscriptions.changeAtPeriodEnd(member.id, SUPPORTER)
  const leaving = await billing.subscriptions.cancel(member.id)
  expect(leaving).toMatchObject({ state: 'active', planned: null, cancelsAt: member.periodEnd })
  expect(await billing.subscriptions.resume(member.id)).toMatchObject({ cancelsAt: null, cancelledAt: null })
  await billing.subscriptions.cancel(member.id)
  await pass('P32D')
  const over = await billing.subscriptions.retrieve(member.id)
  expect(over).toMatchObject({ state: 'ended', endReason: 'asked', endedAt: member.periodEnd })
  await expect(billing.subscriptions.resume(member.id)).rejects.toThrow(PaymentConflict)
  expect(await billing.subscriptions.end(member.id)).toEqual(over)
  expect(await invoicesOf(member)).toHaveLength(1)
})

test('discounts for months, once or for ever reduce the charge; one of 100 % asks for a payment method', async () => {
  const discounts = [
    { percent: 25, lasts: 2 },
    { percent: 12.5, lasts: 'forever' },
    { amountMinor: 150, lasts: 'once' },
  ] as const
  const members: Subscription[] = []
  for (const discount of discounts) members.push(await join(undefined, { discount }))
  const paid = async () => Promise.all(members.map(async (each) => (await latest(each)).paidMinor))
  const first = await paid()
  expect(first).toEqual([600, 700, 650])
  expect((await billing.subscriptions.quoteRenewal(members[2]!.id)).dueMinor).toBe(800)
  await pass('P32D')
  const second = await paid()
  await pass('P31D')
  expect([second, await paid()]).toEqual([
    [600, 700, 800],
    [800, 700, 800],
  ])
  const free = await begin({ discount: { percent: 100, lasts: 'once' } })
  expect(free).toMatchObject({ state: 'active', waitsFor: { kind: 'setUp' } })
  expect(await latest(free)).toMatchObject({ state: 'paid', dueMinor: 0, payment: null })
})

test('rejoining with a stored card needs no browser', async () => {
  const member = await join()
  await billing.subscriptions.end(member.id)
  const back = await billing.subscriptions.create(
    { customer: member.customer, price: AVID, method: member.method?.id ?? '', metadata: {} },
    keyFor('join'),
  )
  expect(back).toMatchObject({ state: 'active', waitsFor: null, method: { last4: '4242' } })
})

test('a stored PayPal account can be charged, and its payer is recognised again', async () => {
  const customer = await newCustomer()
  const asked = await billing.setUps.create({ customer, metadata: {} }, keyFor('set-up'))
  const waiting = await sandbox.confirmSetUpPayPal(asked, 'http://shop.example/back')
  const back = new URL((await sandbox.decide(waiting, 'approve'))!)
  expect(back.searchParams.get('setup_intent')).toBe(asked.id)
  const { method } = await billing.setUps.retrieve(asked.id)
  expect(method).toMatchObject({ kind: 'paypal', last4: null, expiresAt: null })
  expect(method?.fingerprint).toMatch(/^\w{13}$/)
  const params = { customer, price: READER, method: method?.id ?? '', metadata: {} }
  expect((await billing.subscriptions.create(params, keyFor('join'))).state).toBe('active')
})

test('each refund of an invoice gets one credit note, and refunds never exceed the payment', async () => {
  const member = await join()
  const { id, payment } = await latest(member)
  const refund = (amountMinor?: number) =>
    sandbox.payments.refundPayment(
      payment ?? '',
      amountMinor === undefined ? {} : { amountMinor },
      keyFor('refund'),
    )
  await refund(300)
  expect(await billing.invoices.creditNotes(id)).toMatchObject([{ amountMinor: 300 }])
  await refund(200)
  const notes = await billing.invoices.creditNotes(id)
  expect(notes.map(({ amountMinor }) => amountMinor)).toEqual([300, 200])
  expect(await billing.invoices.creditNotes(id)).toEqual(notes)
  await refund()
  await expect(refund()).rejects.toThrow(PaymentConflict)
  await billing.invoices.creditNotes(id)
  expect(await latest(member)).toMatchObject({ paidMinor: 800, creditedMinor: 800 })
  expect((await sandbox.payments.retrievePayment(payment ?? '')).refundedMinor).toBe(800)
})

test('credit notes and refunds are read beyond the first page', async () => {
  const member = await join()
  const { id, payment } = await latest(member)
  for (let each = 0; each < 101; each += 1)
    await sandbox.payments.refundPayment(payment ?? '', { amountMinor: 1 }, keyFor('refund'))
  expect(await sandbox.payments.refundsOf(payment ?? '')).toHaveLength(101)
  const notes = await billing.invoices.creditNotes(id)
  expect(notes).toHaveLength(101)
  expect(await billing.invoices.creditNotes(id)).toEqual(notes)
  expect(await latest(member)).toMatchObject({ creditedMinor: 101 })
})

test.each(['won', 'lost'] as const)('a dispute that is %s is reported', async (outcome) => {
  const { payment } = await latest(await join())
  expect(await sandbox.payments.disputeOf(payment ?? '')).toBe('none')
  const dispute = await sandbox.control(`payment_intents/${payment}/dispute`)
  expect(await sandbox.payments.disputeOf(payment ?? '')).toBe('open')
  await sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome })
  expect(await sandbox.payments.disputeOf(payment ?? '')).toBe(outcome)
})

test('a closed account is charged no more, and closing it can be repeated', async () => {
  const member = await join()
  await billing.customers.update(member.customer, { email: 'new@murmur.example' })
  await billing.customers.erase(member.customer)
  await billing.customers.erase(member.customer)
  expect((await billing.subscriptions.retrieve(member.id)).state).toBe('ended')
})

test('lost responses are found again by their idempotency keys', async () => {
  const customer = await newCustomer()
  await sandbox.control('answers/lose', { count: '2', path: '/v1/subscriptions' })
  const member = await billing.subscriptions.create({ customer, price: READER, metadata: {} }, keyFor('join'))
  expect(await Array.fromAsync(billing.subscriptions.list({ customer }))).toEqual([member])
})

test('an unknown id and a shop without keys are different errors', async () => {
  await expect(billing.subscriptions.retrieve('sub_none')).rejects.toThrow(NotAtProvider)
  await expect(begin({ price: 'plan_none' })).rejects.toThrow(NotAtProvider)
  await expect(noBilling.subscriptions.retrieve('sub_none')).rejects.toThrow(PaymentsUnavailable)
})
