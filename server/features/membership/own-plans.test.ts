import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShopFile } from '#contract/shop-details.ts'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { type Buyer, aBuyer } from '#tests/support/purchases.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { wrongPrices } from './join.ts'
import { runMembershipCalendar } from './membership-schedule.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const DECKHAND = { key: 'reader-month', name: 'Deckhand', price: '7.99', freeAudiobooks: 1 } as const
const CAPTAIN = { key: 'avid-month', name: 'Captain', price: '14.49', freeAudiobooks: 3 } as const
const OURS: ShopFile = { name: 'Harbour Lane', plans: [DECKHAND, CAPTAIN], trial: { days: 14 } }

let version = 0
/** What every server has shortly after the owner saved the file. */
const say = (file: ShopFile) => {
  version += 1
  all.shop.config.details.replace({ file, pictures: {}, version: String(version) })
  all.shop.answers.clear()
}
const setUp = () => all.sandbox.billing.prices.setUp(membershipPrices(all.shop.config.details.plans))
const details = async (member: Member) =>
  (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
const charged = async (member: Member): Promise<number[]> => {
  const { invoices }: { invoices: { amount: number }[] } = (
    await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)
  ).json()
  return invoices.map(({ amount }) => amount).toReversed()
}
const join = (buyer: Buyer, plan: number, more: object = {}) =>
  buyer.ask('POST', '/api/subscriptions', { plan, startNow: true, ...more })
const words = (answer: { json(): Record<string, string> }) => answer.json()['hydra:description']
const aMonthPasses = async (...members: Member[]) => {
  await all.pass('P31D')
  await all.pass('PT2H')
  for (const member of members) await member.settle()
}

test('an owner’s two plans are joined, renewed and changed at their own prices to the penny; a plan that is not sold, or has no price at the provider, can’t be joined', async () => {
  say(OURS)
  expect(await wrongPrices(all.shop)).toEqual(['Captain Monthly', 'Deckhand Monthly'])
  const early = await aBuyer(all.shop)
  expect(words(await join(early, 4))).toMatch(/can’t start this plan at the moment/)
  expect([...(await setUp()).entries()]).toEqual([
    ['plan_1', 'replaced'],
    ['plan_4', 'replaced'],
  ])
  expect(await wrongPrices(all.shop)).toEqual([])
  const { plans } = (await all.shop.app.inject('/api/plan_prices')).json()
  expect(plans).toEqual([
    { plan: 1, price: 14.49, vatPercent: 20, vat: 2.42 },
    { plan: 4, price: 7.99, vatPercent: 20, vat: 1.33 },
  ])
  expect(words(await join(early, 5))).toBe('plan: This plan isn’t sold any more. Please choose another one.')
  expect((await join(early, 4, { amount: 8 })).statusCode).toBe(409)

  const member = await all.member(4)
  expect(await details(member)).toMatchObject({ nextPayment: { amount: 7.99 }, credits: { left: 1 } })
  expect((await all.lettersTo(member)).map(({ text }) => text).join()).toContain('Deckhand, monthly')
  await aMonthPasses(member)
  expect(await charged(member)).toEqual([7.99, 7.99])

  await all.pass('P10D')
  const path = `/api/subscriptions/${member.id}`
  const shown = (await member.ask('POST', `${path}/preview`, { plan: 1 })).json()
  const { periodStart, periodEnd } = (await details(member)).subscription
  const [from, until] = [Date.parse(periodStart), Date.parse(periodEnd)]
  const left = (until - Date.parse(shown.reckonedAt)) / (until - from)
  // The rest of the month at the new price, less the rest at the old one; each rounded to the penny.
  expect(Math.round(shown.amount * 100)).toBe(Math.round(1449 * left) - Math.round(799 * left))
  expect(shown.nextPayment.amount).toBe(14.49)
  const { amount, reckonedAt } = shown
  expect((await member.ask('PATCH', path, { plan: 1, amount, reckonedAt })).statusCode).toBe(200)
  expect(await details(member)).toMatchObject({ subscription: { plan: 1 }, credits: { left: 3 } })
  expect(await charged(member)).toEqual([7.99, 7.99, shown.amount])
})

test('after a price increase members keep the price at which they joined; new members pay the new one', async () => {
  say(OURS)
  await setUp()
  const old = await all.member(4)
  const waits = await aBuyer(all.shop)
  const begun = (await join(waits, 4, { amount: 7.99 })).json()
  say({ ...OURS, plans: [{ ...DECKHAND, price: '8.99' }, CAPTAIN] })
  expect((await setUp()).get('plan_4')).toBe('replaced')

  // A buyer at the checkout is told before paying, and a new attempt is charged what it shows.
  expect((await join(waits, 4, { amount: 7.99 })).statusCode).toBe(409)
  const again = (await join(waits, 4, { amount: 8.99 })).json()
  expect(again).toMatchObject({ amount: 8.99, done: false })
  expect(again.id).not.toBe(begun.id)

  const young = await all.member(4)
  await aMonthPasses(old, young)
  expect([await charged(old), await charged(young)]).toEqual([
    [7.99, 7.99],
    [8.99, 8.99],
  ])
  const shownTo = async (member: Member) => ({
    own: (await member.ask('GET', '/api/logged-user')).json().currentSubscription?.price,
    details: (await details(member)).subscription.price,
    next: (await details(member)).nextPayment.amount,
  })
  expect(await shownTo(old)).toEqual({ own: 7.99, details: 7.99, next: 7.99 })
  expect(await shownTo(young)).toEqual({ own: undefined, details: undefined, next: 8.99 })
  say({ ...OURS, plans: [{ ...DECKHAND, sold: false }, CAPTAIN] })
  await aMonthPasses(young)
  expect(await charged(young)).toEqual([8.99, 8.99, 8.99])
  expect(await wrongPrices(all.shop)).toEqual([])
  expect(words(await join(await aBuyer(all.shop), 4))).toMatch(/isn’t sold any more/)
})

test('the trial has the owner’s length and plan', async () => {
  say({ ...OURS, trial: { days: 14, plan: 'avid-month' } })
  await setUp()
  const late = await aBuyer(all.shop)
  const path = '/api/subscriptions/create_trial_subscription'
  expect((await late.ask('POST', path, { startNow: true, days: 30, price: 8 })).statusCode).toBe(409)
  const trial = await all.trial()
  const { subscription, nextPayment } = await details(trial)
  expect(subscription).toMatchObject({ plan: 1, status: 'trialing' })
  const days = (Date.parse(subscription.validUntil) - Date.parse(subscription.orderDate)) / 86_400_000
  expect(Math.round(days)).toBe(14)
  expect(nextPayment).toMatchObject({ plan: 1, amount: 14.49 })
  const [letter] = await all.lettersTo(trial)
  expect(letter?.text).toContain('For 14 days you have Captain, free of charge.')
})

test('a trial of a week is announced three days before it ends, and not on its first day as well', async () => {
  say({ ...OURS, trial: { days: 7 } })
  await setUp()
  const trial = await all.trial()
  const reminders = async () => {
    await runMembershipCalendar(all.shop)
    return (await all.lettersTo(trial)).filter(({ subject }) => /trial/.test(subject) && /ends/.test(subject))
  }
  const atFirst = (await reminders()).length
  await all.pass('P3D')
  expect(await reminders()).toHaveLength(atFirst)
  await all.pass('P2D')
  expect(await reminders()).toHaveLength(atFirst + 1)
})
