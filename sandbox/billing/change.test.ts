import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox, day, type Member } from '#tests/support/billing-sandbox.ts'

let sandbox: BillingSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await billingSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox?.close())

const DAY = 86_400
const MARCH_1 = Date.UTC(2027, 2, 1) / 1000
const itemOf = ({ items }: Stripe.Subscription) => items.data[0]!
const priceOf = async (member: Member) => itemOf(await sandbox.subscription(member)).price.id

async function wishOf(member: Member, price: string, at: number) {
  return {
    items: [{ id: itemOf(await sandbox.subscription(member)).id, price }],
    proration_behavior: 'always_invoice' as const,
    proration_date: at,
  }
}
const preview = async (member: Member, price: string, at: number) =>
  stripe.invoices.createPreview({
    subscription: member.subscription,
    subscription_details: await wishOf(member, price, at),
  })
const change = async (member: Member, price: string, at: number) =>
  stripe.subscriptions.update(member.subscription, {
    ...(await wishOf(member, price, at)),
    payment_behavior: 'pending_if_incomplete',
  })

test.each([
  [0, 400],
  [10, 271],
  [15.5, 200],
  [30, 13 + 0],
])('%s days into a month of 31, the difference is %i pence, as the preview said', async (days, expected) => {
  const member = await sandbox.member({ begins: MARCH_1 })
  const at = MARCH_1 + days * DAY
  if (days > 0) await sandbox.advance(member.clock, at)
  const shown = await preview(member, sandbox.prices.avid, at)
  expect(shown.total).toBe(expected)
  const after = await change(member, sandbox.prices.avid, at)
  expect(itemOf(after).price.id).toBe(sandbox.prices.avid)
  const [invoice] = await sandbox.invoices(member)
  expect(invoice).toMatchObject({
    billing_reason: 'subscription_update',
    status: 'paid',
    total: shown.total,
    amount_due: shown.amount_due,
  })
  expect(invoice!.lines.data.map(({ parent }) => parent!.subscription_item_details!.proration)).toEqual([
    true,
    true,
  ])
})

test('a difference below 30 pence is added to the next payment', async () => {
  const member = await sandbox.member({ begins: MARCH_1 })
  const at = MARCH_1 + 30 * DAY
  await sandbox.advance(member.clock, at)
  await change(member, sandbox.prices.avid, at)
  expect((await sandbox.invoices(member))[0]).toMatchObject({ total: 13, amount_due: 0, ending_balance: 13 })
  const next = await stripe.invoices.createPreview({ subscription: member.subscription })
  expect(next).toMatchObject({ total: 1200, amount_due: 1213 })
  await sandbox.advance(member.clock, at + 2 * DAY)
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 1213 })
})

test('an upgrade whose payment is refused takes effect only when it is paid', async () => {
  const member = await sandbox.member({ begins: MARCH_1 })
  const method = (await sandbox.subscription(member)).default_payment_method as string
  await sandbox.control(`payment_methods/${method}`, { bank: 'insufficient_funds' })
  const waiting = await change(member, sandbox.prices.avid, MARCH_1)
  expect(waiting).toMatchObject({ status: 'active', pending_update: { expires_at: MARCH_1 + 23 * 3_600 } })
  expect(itemOf(waiting).price.id).toBe(sandbox.prices.reader)
  await sandbox.control(`payment_methods/${method}`, { bank: 'pass' })
  await stripe.invoices.pay(waiting.latest_invoice as string)
  expect(await sandbox.subscription(member)).toMatchObject({ pending_update: null })
  expect(await priceOf(member)).toBe(sandbox.prices.avid)
})

test.each([
  ['is too late', (member: Member) => sandbox.advance(member.clock, MARCH_1 + DAY)],
  [
    'is given up',
    async (member: Member) => {
      await stripe.invoices.voidInvoice((await sandbox.subscription(member)).latest_invoice as string)
    },
  ],
])('an upgrade that %s keeps the old price, and its invoice is void', async (_, end) => {
  const member = await sandbox.member({ begins: MARCH_1 })
  const method = (await sandbox.subscription(member)).default_payment_method as string
  await sandbox.control(`payment_methods/${method}`, { bank: 'insufficient_funds' })
  await change(member, sandbox.prices.avid, MARCH_1)
  await end(member)
  expect(await sandbox.subscription(member)).toMatchObject({ status: 'active', pending_update: null })
  expect(await priceOf(member)).toBe(sandbox.prices.reader)
  expect((await sandbox.invoices(member))[0]!.status).toBe('void')
})

async function later(member: Member, price: string, interval: 'month' | 'year') {
  const { id } = await stripe.subscriptionSchedules.create({ from_subscription: member.subscription })
  const {
    current_period_start: start,
    current_period_end: end,
    price: now,
  } = itemOf(await sandbox.subscription(member))
  return stripe.subscriptionSchedules.update(id, {
    end_behavior: 'release',
    phases: [
      { items: [{ price: now.id }], start_date: start, end_date: end },
      { items: [{ price }], duration: { interval }, proration_behavior: 'none' },
    ],
  })
}

test('a downgrade takes effect with the next period, at its price, and then the schedule is released', async () => {
  const member = await sandbox.member({ begins: MARCH_1 })
  await later(member, sandbox.prices.supporter, 'month')
  expect(await priceOf(member)).toBe(sandbox.prices.reader)
  expect((await stripe.invoices.createPreview({ subscription: member.subscription })).amount_due).toBe(300)
  await sandbox.advance(member.clock, MARCH_1 + 31 * DAY + 3_600)
  expect(await priceOf(member)).toBe(sandbox.prices.supporter)
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 300 })
  await sandbox.advanceMonths(member, 1)
  expect(await sandbox.subscription(member)).toMatchObject({ status: 'active', schedule: null })
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 300 })
})

test('a discount that a phase does not name is lost when the phase begins', async () => {
  const { id } = await coupon('forever', 50)
  const member = await sandbox.member({ coupon: id, begins: MARCH_1 })
  await later(member, sandbox.prices.supporter, 'month')
  await sandbox.advance(member.clock, MARCH_1 + 31 * DAY + 3_600)
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 300 })
  expect((await sandbox.subscription(member)).discounts).toEqual([])
})

test('a change of the billing interval counts from the day on which it takes effect', async () => {
  const member = await sandbox.member()
  await later(member, sandbox.prices.yearly, 'year')
  await sandbox.advanceMonths(member, 1)
  const item = itemOf(await sandbox.subscription(member))
  expect([day(item.current_period_start), day(item.current_period_end)]).toEqual(['2027-02-28', '2028-02-28'])
  expect((await sandbox.invoices(member))[0]).toMatchObject({ status: 'paid', amount_paid: 8000 })
})

test('releasing the schedule undoes a planned change, and is required before a cancellation', async () => {
  const member = await sandbox.member({ begins: MARCH_1 })
  const { id } = await later(member, sandbox.prices.supporter, 'month')
  await expect(
    stripe.subscriptions.update(member.subscription, { cancel_at_period_end: true }),
  ).rejects.toMatchObject({ param: 'cancel_at_period_end' })
  await stripe.subscriptionSchedules.release(id)
  await stripe.subscriptions.update(member.subscription, { cancel_at_period_end: true })
  expect(await sandbox.subscription(member)).toMatchObject({ schedule: null, cancel_at_period_end: true })
})

test('canceling a schedule also cancels the subscription', async () => {
  const member = await sandbox.member({ begins: MARCH_1 })
  const { id } = await later(member, sandbox.prices.supporter, 'month')
  await stripe.subscriptionSchedules.cancel(id)
  expect((await sandbox.subscription(member)).status).toBe('canceled')
})

const coupon = (duration: 'forever' | 'once' | 'repeating', percent = 25) =>
  stripe.coupons.create({
    percent_off: percent,
    duration,
    ...(duration === 'repeating' ? { duration_in_months: 3 } : {}),
  })

test.each([
  ['once', [600, 800, 800, 800, 800]],
  ['repeating', [600, 600, 600, 800, 800]],
  ['forever', [600, 600, 600, 600, 600]],
] as const)('a discount %s takes a quarter off %j', async (duration, amounts) => {
  const member = await sandbox.member({ coupon: (await coupon(duration)).id, begins: MARCH_1 })
  await sandbox.advanceMonths(member, 4)
  const paid = (await sandbox.invoices(member)).map(({ amount_paid: amount }) => amount).reverse()
  expect(paid.slice(0, 5)).toEqual(amounts)
  expect((await sandbox.subscription(member)).discounts).toHaveLength(duration === 'forever' ? 1 : 0)
})

test('a discount applies to a change too: the unused part of the amount paid is credited, not of the price', async () => {
  const member = await sandbox.member({ coupon: (await coupon('forever', 50)).id, begins: MARCH_1 })
  expect((await preview(member, sandbox.prices.avid, MARCH_1)).total).toBe(600 - 400)
  const once = await sandbox.member({ coupon: (await coupon('once', 50)).id, begins: MARCH_1 })
  expect((await preview(once, sandbox.prices.avid, MARCH_1)).total).toBe(1200 - 400)
})

test('a first invoice of zero needs no payment, but a payment method is requested', async () => {
  const { customer } = await sandbox.customer()
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price: sandbox.prices.reader }],
    discounts: [{ coupon: (await coupon('once', 100)).id }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
  })
  expect(made).toMatchObject({
    status: 'active',
    pending_setup_intent: { status: 'requires_payment_method' },
  })
  expect(made.latest_invoice).toMatchObject({ status: 'paid', total: 0, confirmation_secret: null })
})

test('a preview shows the cost of joining, also with a promotion code', async () => {
  const { customer } = await sandbox.customer()
  const { id } = await coupon('repeating')
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: id },
    code: `SPRING-${id}`,
  })
  const shown = await stripe.invoices.createPreview({
    customer,
    subscription_details: { items: [{ price: sandbox.prices.avid }] },
    discounts: [{ promotion_code: code.id }],
  })
  expect(shown).toMatchObject({ subtotal: 1200, total: 900, amount_due: 900 })
})
