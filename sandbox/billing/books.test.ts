import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingSandbox, type BillingSandbox, type Member } from '#tests/support/billing-sandbox.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { idOf } from '../objects/id.ts'

/**
 * Random histories of members: after every sequence of actions, charges, invoices, credit notes and balances agree to
 * the penny.
 */
let sandbox: BillingSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await billingSandbox()
  stripe = sandbox.stripe
  await sandbox.control('account', { retries: '3,5,7' })
})
afterAll(() => sandbox?.close())

const MONTHS = 14

/** Actions between two renewals. The sandbox refuses those that the member's state forbids, and they change nothing. */
const TURNS: readonly ((member: Member, random: () => number) => Promise<unknown>)[] = [
  async (member, random) => {
    const banks = ['pass', 'insufficient_funds', 'lost_card', 'authenticate']
    const { default_payment_method: method } = await sandbox.subscription(member)
    return sandbox.control(`payment_methods/${idOf(method)}`, { bank: pick(banks, random) })
  },
  async (member) => {
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: member.customer })
    return stripe.subscriptions.update(member.subscription, { default_payment_method: card.id })
  },
  async (member) => {
    const open = (await sandbox.invoices(member)).find(({ status }) => status === 'open')
    return open?.id && stripe.invoices.pay(open.id)
  },
  async (member) => {
    const open = (await sandbox.invoices(member)).find(({ status }) => status === 'open')
    return open?.id && stripe.invoices.voidInvoice(open.id)
  },
  async (member, random) => {
    const { items } = await sandbox.subscription(member)
    const price = pick([sandbox.prices.avid, sandbox.prices.reader, sandbox.prices.supporter], random)
    return stripe.subscriptions.update(member.subscription, {
      items: [{ id: items.data[0]?.id ?? '', price }],
      proration_behavior: 'always_invoice',
      payment_behavior: random() < 0.7 ? 'pending_if_incomplete' : 'allow_incomplete',
    })
  },
  async (member, random) => {
    const paid = (await sandbox.invoices(member)).filter(({ amount_paid: amount }) => amount > 0)
    const { id, amount_paid: all } = pick(paid, random)
    const amount = 1 + Math.floor(random() * all)
    return stripe.creditNotes.create({ invoice: id ?? '', amount, refund_amount: amount })
  },
  async (member, random) =>
    stripe.subscriptions.update(member.subscription, { cancel_at_period_end: random() < 0.2 }),
]

const pick = <T>(all: readonly T[], random: () => number): T => {
  const chosen = all[Math.floor(random() * all.length)]
  if (chosen === undefined) throw new Error('There is nothing to choose from.')
  return chosen
}

const lives = Array.from({ length: process.env.LONG ? 200 : 12 }, (_, life) => life)

test.each(lives)('after a random year the books of member %i balance', async (life) => {
  const random = randomNumbers(seed + life)
  const member = await sandbox.member({ price: pick(['avid', 'reader', 'supporter'], random) })
  for (let month = 0; month < MONTHS; month += 1) {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1)
      await pick(TURNS, random)(member, random).catch(() => undefined)
    await sandbox.advanceMonths(member, 1)
  }

  const invoices = await sandbox.invoices(member)
  const { data: charges } = await stripe.charges.list({ customer: member.customer, limit: 100 })
  const { data: notes } = await stripe.creditNotes.list({ customer: member.customer, limit: 100 })
  const customer = await stripe.customers.retrieve(member.customer)
  const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)

  const taken = charges.filter(({ paid }) => paid).map(({ amount }) => amount)
  const paid = invoices.map(({ amount_paid: amount }) => amount).filter((amount) => amount > 0)
  const upwards = (one: number, other: number) => one - other
  expect(taken.toSorted(upwards)).toEqual(paid.toSorted(upwards))
  expect(sum(charges.map(({ amount_refunded: amount }) => amount))).toBe(
    sum(notes.map(({ amount }) => amount)),
  )
  const final = invoices.filter(({ status }) => status === 'paid' || status === 'open')
  const carried = sum(final.map(({ total, amount_due: due }) => total - due))
  expect(customer).toMatchObject({ balance: carried })
  for (const { total, lines } of invoices) {
    const cuts = lines.data.flatMap(({ discount_amounts: off }) => (off ?? []).map(({ amount }) => amount))
    expect(sum(lines.data.map(({ amount }) => amount)) - sum(cuts)).toBe(total)
  }
  const periods = invoices
    .filter(({ billing_reason: reason }) => reason !== 'subscription_update')
    .map(({ lines }) => lines.data[0]?.period)
    .toReversed()
  expect(periods.slice(1).map((period) => period?.start)).toEqual(
    periods.slice(0, -1).map((period) => period?.end),
  )
})
