import { expect, test } from 'vitest'
import type { Invoice, InvoiceLine } from '#server/integrations/stripe/invoices.ts'
import type { Payment } from '#server/integrations/stripe/payments.ts'
import type { Subscription } from '#server/integrations/stripe/subscriptions.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { paidForBy } from './invoice-orders.ts'
import { discountAtProvider, refuseIfMember } from './join.ts'
import { isRemindedOf } from './membership-schedule.ts'
import { fetchProviderState } from './provider-state.ts'
import { isTrialInvoice, columnsOf } from './sync-subscription.ts'

const at = (day: string) => new Date(`${day}T09:00:00Z`)
const [BEGAN, ENDS] = [at('2026-03-01'), at('2026-04-01')]

const subscription = (more: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  customer: 'cus_1',
  state: 'active',
  price: 'plan_4',
  amountMinor: 800,
  months: 1,
  anchor: BEGAN,
  periodStart: BEGAN,
  periodEnd: ENDS,
  trialEndsAt: null,
  cancelsAt: null,
  cancelledAt: null,
  endedAt: null,
  endReason: null,
  method: null,
  waitsFor: null,
  latestInvoice: null,
  planned: null,
  discounts: [],
  unpaidChange: null,
  metadata: {},
  createdAt: BEGAN,
  ...more,
})
const state = (more: Partial<Subscription>, before = aMembership()) =>
  columnsOf(before, { subscription: subscription(more), nextMinor: null })

test('validUntil is the end of the period, of the trial, of a cancelled membership, or the time at which it ended', () => {
  const trialEndsAt = at('2026-03-31')
  expect(state({}).validUntil).toEqual(ENDS)
  expect(state({ trialEndsAt }).validUntil).toEqual(ENDS)
  expect(state({ state: 'trialing', trialEndsAt }).validUntil).toEqual(trialEndsAt)
  expect(state({ state: 'trialing' }).validUntil).toEqual(ENDS)
  const cancelsAt = at('2026-03-20')
  expect(state({ cancelsAt }).validUntil).toEqual(cancelsAt)
  const endedAt = at('2026-03-10')
  expect(state({ state: 'ended', cancelsAt, endedAt }).validUntil).toEqual(endedAt)
})

test('canceledAt is set for a cancelled or ended membership: when cancelling was requested, otherwise when it ended', () => {
  const [cancelledAt, endedAt] = [at('2026-03-05'), at('2026-03-10')]
  expect(state({}).canceledAt).toBeNull()
  // The provider still stores the time after resuming.
  expect(state({ cancelledAt }).canceledAt).toBeNull()
  expect(state({ cancelledAt, cancelsAt: ENDS }).canceledAt).toEqual(cancelledAt)
  expect(state({ state: 'ended', cancelledAt, endedAt }).canceledAt).toEqual(cancelledAt)
  expect(state({ state: 'ended', endedAt }).canceledAt).toEqual(endedAt)
})

test('the days of grace start with the unpaid period, and end with a successful charge', () => {
  const failedAt = at('2026-03-02')
  const fails = (of: Partial<Subscription>, before = aMembership()) =>
    columnsOf(before, { subscription: subscription(of), nextMinor: null }).paymentFailedAt
  for (const name of ['past_due', 'unpaid'] as const)
    expect(fails({ state: name, periodStart: failedAt })).toEqual(failedAt)
  expect(fails({ state: 'past_due' }, aMembership({ paymentFailedAt: failedAt }))).toEqual(failedAt)
  expect(fails({ state: 'active' }, aMembership({ paymentFailedAt: BEGAN }))).toBeNull()
  // A membership that ended because of the failure keeps its time; a cancelled one does not.
  const endedAt = at('2026-03-29')
  const ended = (endReason: Subscription['endReason'], before = aMembership({ paymentFailedAt: failedAt })) =>
    fails({ state: 'ended', endedAt, endReason }, before)
  expect(ended('not_paid')).toEqual(failedAt)
  expect(ended('not_paid', aMembership())).toEqual(BEGAN)
  expect(ended('asked')).toBeNull()
})

/** What a query of the provider finds; `invoices` newest first. */
const fetched = async (
  of: Partial<Subscription>,
  invoices: readonly Partial<Invoice>[],
  known: Partial<Parameters<typeof fetchProviderState>[2]> = {},
) => {
  const billing = {
    invoices: {
      async *list() {
        yield* invoices
      },
    },
    subscriptions: { quoteRenewal: async () => ({ totalMinor: 850 }) },
  }
  const payments = { retrievePayment: async (id: string) => ({ id, state: 'paid' }) }
  const nothingKnown = { row: undefined, known: new Set<string>(), payment: undefined }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked
  const shop = { billing, payments } as unknown as Parameters<typeof fetchProviderState>[0]
  return fetchProviderState(shop, subscription(of), { ...nothingKnown, ...known })
}
const TRIED = { id: 'in_1', state: 'open', attempts: 1, dueMinor: 800, payment: null } as const

test('a charge has failed only if its invoice was attempted and the subscription is past due or unpaid', async () => {
  const failed = async (of: Subscription['state'], invoices: readonly Partial<Invoice>[]) =>
    (await fetched({ state: of }, invoices)).failed
  for (const behind of ['past_due', 'unpaid'] as const) {
    expect(await failed(behind, [TRIED])).toEqual({ invoiceId: 'in_1', dueMinor: 800, payment: null })
    expect(await failed(behind, [{ ...TRIED, attempts: 0 }])).toBeNull()
    expect(await failed(behind, [])).toBeNull()
  }
  expect(await failed('incomplete', [TRIED])).toBeNull()
  expect(await failed('active', [TRIED])).toBeNull()
})

test('the next charge is the renewal’s or the open amount, and none if nothing renews or is open', async () => {
  const next = async (...of: Parameters<typeof fetched>) => (await fetched(...of)).nextMinor
  for (const running of ['active', 'trialing'] as const) expect(await next({ state: running }, [])).toBe(850)
  expect(await next({ state: 'past_due' }, [TRIED])).toBe(800)
  expect([await next({ cancelsAt: ENDS }, []), await next({ state: 'past_due' }, [])]).toEqual([null, null])
})

test('paid invoices without an order are found, oldest first, each with its own payment', async () => {
  const of = (id: string, more: Partial<Invoice> = {}) =>
    ({ id: `in_${id}`, state: 'paid', payment: `pi_${id}`, ...more }) as const
  const invoices = [of('open', { state: 'open', attempts: 0 }), of('new'), of('asked'), of('known')]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is read
  const payment = { id: 'pi_asked', state: 'paid' } as Payment
  const { paid } = await fetched({}, invoices, { known: new Set(['in_known']), payment })
  expect(paid.map(({ invoice, payment: by }) => [invoice.id, by?.id])).toEqual([
    ['in_asked', 'pi_asked'],
    ['in_new', 'pi_new'],
  ])
  expect(paid[0]!.payment).toBe(payment)
})

test('the payment method stays known if the provider reports none', () => {
  const known = aMembership({ paymentType: 'paypal', cardLast4: '9999' })
  expect(state({}, known)).toMatchObject({ paymentType: 'paypal', cardLast4: '9999' })
  const card = { id: 'pm_1', kind: 'card', brand: 'visa', last4: '4444' } as const
  const method = { ...card, fingerprint: null, expiresAt: null }
  expect(state({ method }, known)).toMatchObject({ paymentType: 'card', cardLast4: '4444' })
})

test('the plan follows the price; an unknown price changes nothing; a planned change is reported', () => {
  expect(state({ price: 'plan_1' }).plan).toBe(1)
  expect(state({ price: 'something_else' }).plan).toBe(4)
  expect(state({})).toMatchObject({ pendingPlan: null, pendingAt: null })
  const planned = { price: 'plan_6', at: ENDS }
  expect(state({ planned })).toMatchObject({ pendingPlan: 6, pendingAt: ENDS })
})

const invoiceLine = (more: Partial<InvoiceLine> = {}): InvoiceLine => ({
  description: 'Reader',
  price: 'plan_4',
  amountMinor: 800,
  discountMinor: 0,
  isChange: false,
  from: BEGAN,
  until: ENDS,
  ...more,
})
const invoice = (lines: readonly InvoiceLine[], totalMinor = 800) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is read
  ({ lines, totalMinor }) as Invoice

test('an invoice is for the plan and period of its last line that is not a credit', () => {
  const change = [
    invoiceLine({ amountMinor: -533 }),
    invoiceLine({ price: 'plan_1', amountMinor: 800, from: at('2026-03-11') }),
    invoiceLine({ amountMinor: -1 }),
  ]
  expect(paidForBy(invoice(change), aMembership())).toEqual({
    plan: 1,
    span: { from: at('2026-03-11'), until: ENDS },
  })
  const free = [invoiceLine({ amountMinor: -533 }), invoiceLine({ price: 'plan_6', amountMinor: 0 })]
  expect(paidForBy(invoice(free.toReversed()), aMembership()).plan).toBe(6)
  const back = invoiceLine({ price: 'plan_6', amountMinor: -1, until: at('2026-03-09') })
  expect(paidForBy(invoice([back]), aMembership())).toMatchObject({ plan: 6, span: { until: back.until } })
  expect(paidForBy(invoice([invoiceLine({ price: null })]), aMembership({ plan: 7 })).plan).toBe(7)
  expect(paidForBy(invoice([]), aMembership())).toEqual({ plan: 4, span: { from: BEGAN, until: ENDS } })
})

test('the invoice of a trial is the one of £0 whose period ends with the trial', () => {
  const trialEndsAt = at('2026-03-31')
  const is = (until: Date, totalMinor: number, ends: Date | null = trialEndsAt) =>
    isTrialInvoice({ invoice: invoice([invoiceLine({ until })], totalMinor) }, { trialEndsAt: ends })
  expect(is(trialEndsAt, 0)).toBe(true)
  expect(is(at('2026-03-30'), 0)).toBe(true)
  expect(is(trialEndsAt, 800)).toBe(false)
  expect(is(ENDS, 0)).toBe(false)
  expect(is(trialEndsAt, 0, null)).toBe(false)
})

test('ERR-01 ERR-02: an account can have one membership of its own; gifts and incomplete joins don’t count', () => {
  const refusal =
    (...running: Parameters<typeof aMembership>[0][]) =>
    () =>
      refuseIfMember(running.map((more) => aMembership(more)))
  expect(refusal()).not.toThrow()
  expect(refusal({ gift: true }, { status: 'incomplete' })).not.toThrow()
  expect(refusal({ gift: true }, {})).toThrow('User already has an active subscription')
  expect(refusal({ status: 'trialing' })).toThrow('User already has an active subscription')
  for (const status of ['past_due', 'unpaid'] as const)
    expect(refusal({}, { status })).toThrow('User already has an payment failed subscription')
})

test('a yearly plan is reminded of before each charge, a monthly one every six months', () => {
  const told = (plan: 4 | 5, periodEnd: Date, anchor = BEGAN) => isRemindedOf({ plan, anchor, periodEnd })
  expect(told(5, at('2027-03-01'))).toBe(true)
  expect([told(4, at('2026-09-01')), told(4, at('2027-03-01'))]).toEqual([true, true])
  expect([told(4, at('2026-04-01')), told(4, at('2026-10-01')), told(4, BEGAN)]).toEqual([
    false,
    false,
    false,
  ])
  // A period that ends on another day of the month is not a whole number of months.
  expect(told(4, at('2026-09-02'))).toBe(false)
  expect(told(4, at('2027-02-28'), at('2026-08-31'))).toBe(true)
})

test('MEMB-47: a code for a number of months lasts that many months at the provider, in every plan', () => {
  const code = (more: object = {}) => ({
    percent: 20,
    amountMinor: null,
    duration: null,
    durationMonths: null,
    ...more,
  })
  expect(discountAtProvider(code(), 4)).toEqual({ percent: 20, lasts: 'once' })
  expect(discountAtProvider(code({ duration: 'forever' }), 4).lasts).toBe('forever')
  const repeating = code({ duration: 'repeating', durationMonths: 3 })
  expect(discountAtProvider(repeating, 4).lasts).toBe(3)
  expect(discountAtProvider(repeating, 5).lasts).toBe(3)
  expect(discountAtProvider(code({ duration: 'repeating' }), 5).lasts).toBe(12)
  expect(discountAtProvider(code({ percent: null, amountMinor: 250 }), 4)).toEqual({
    amountMinor: 250,
    lasts: 'once',
  })
})
