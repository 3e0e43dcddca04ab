import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as changes from '#contract/membership-changes.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { orders, refunds } from '#server/db/schema/orders.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { type Member, memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { pence } from '../prices/pricing.ts'
import { runMembershipCalendar } from './membership-schedule.ts'
import { endClosedAccountsAtProvider } from './account-closing.ts'
import { reconcileMemberships } from './sync-due-memberships.ts'
import { syncInvoicePayment } from './membership-refunds.ts'
import { syncSetUp } from './payment-methods.ts'
import { syncSubscription } from './sync-subscription.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const on = (member: Member, path: string, payload?: object) =>
  member.ask('POST', `/api/subscriptions/${member.id}${path}`, payload ?? {})
const details = async (member: Member) =>
  (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
const ordersOf = ({ user }: Member) =>
  all.shop.db.select().from(orders).where(eq(orders.userId, user.id)).orderBy(asc(orders.paidAt))
const charged = async (member: Member) => (await ordersOf(member)).map(({ totalMinor }) => totalMinor)
const granted = (member: Member) => all.shop.db.$count(credits, eq(credits.subscriptionId, member.id))

test('MEMB-36: a membership renews automatically, with one charge for repeated events and the next audiobook', async () => {
  const member = await all.member(4)
  const before = await member.current()
  await all.pass('P31D')
  await all.pass('PT2H')
  for (let told = 0; told < 3; told += 1) await member.settle()
  await reconcileMemberships(all.shop)
  const after = await member.current()
  expect(after.status).toBe('active')
  expect(new Date(after.periodStart as string)).toEqual(new Date(before.periodEnd as string))
  expect(await charged(member)).toEqual([800, 800])
  expect(await granted(member)).toBe(2)
  expect(await all.mailsTo(member)).toEqual([
    'Welcome to Murmur membership',
    'Your Murmur membership has been renewed',
  ])
})

test('MEMB-40: an upgrade starts at once for the difference that was shown; a downgrade later, and can be undone', async () => {
  const member = await all.member(4)
  await all.pass('P10D')
  const shown = (await on(member, '/preview', { plan: 1 })).json()
  expect(misfits(changes.previewChange.reply, shown)).toEqual([])
  expect(shown).toMatchObject({ plan: 1, when: 'now', addedToNextPayment: false })
  const change = (payload: object) => member.ask('PATCH', `/api/subscriptions/${member.id}`, payload)
  expect((await change({ plan: 1, amount: 1, reckonedAt: shown.reckonedAt })).statusCode).toBe(409)
  const wish = { plan: 1, amount: shown.amount, reckonedAt: shown.reckonedAt }
  expect((await change(wish)).json()).toMatchObject({ plan: 1, status: 'active', payment: { amount: 12 } })
  expect((await charged(member)).at(-1)).toBe(pence(shown.amount))
  expect(await all.mailsTo(member)).toContain('Your membership: Avid Reader, monthly')

  expect((await on(member, '/preview', { plan: 6 })).json()).toMatchObject({ when: 'period_end', amount: 0 })
  expect((await change({ plan: 6 })).json()).toMatchObject({ plan: 1 })
  expect(await details(member)).toMatchObject({
    pendingPlan: { plan: 6 },
    nextPayment: { plan: 6, amount: 3 },
  })
  expect((await change({ plan: 1 })).json()).toMatchObject({ plan: 1 })
  expect(await details(member)).toMatchObject({ pendingPlan: null, nextPayment: { plan: 1, amount: 12 } })
  expect((await change({ plan: 6 })).statusCode).toBe(200)
  await all.pass('P31D')
  await member.settle()
  expect(await member.current()).toMatchObject({ plan: 6 })
  expect((await charged(member)).at(-1)).toBe(300)
})

test('an upgrade is charged for the whole rest of the period, even if the request names a future date', async () => {
  const member = await all.member(4)
  await all.pass('P10D')
  const shown = (await on(member, '/preview', { plan: 1 })).json()
  const { periodEnd } = await member.current()
  const reckonedAt = new Date(new Date(periodEnd as string).getTime() - 60_000).toISOString()
  await member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan: 1, reckonedAt })
  expect((await charged(member)).at(-1)).toBe(pence(shown.amount))
})

test('API-81 API-97 MEMB-44: a cancelled membership runs to its end without a charge, and can be resumed', async () => {
  const member = await all.member(4)
  expect((await member.ask('GET', `/api/subscriptions/${member.id}/cancel`)).statusCode).toBe(405)
  const cancelled = (await on(member, '/cancel')).json()
  expect(cancelled).toMatchObject({
    status: 'active',
    canceledAt: expect.any(String),
    payment: { amount: 0 },
  })
  expect((await on(member, '/cancel')).json()).toEqual(cancelled)
  const resumed = await member.ask('PATCH', `/api/subscriptions/${member.id}`, { canceledAt: null })
  expect(resumed.json()).toMatchObject({ status: 'active', canceledAt: null, payment: { amount: 8 } })
  await all.pass('PT1H')
  await on(member, '/cancel')
  await all.pass('P32D')
  await reconcileMemberships(all.shop)
  expect(await member.current()).toBeNull()
  expect(await charged(member)).toEqual([800])
  expect(await all.mailsTo(member)).toEqual([
    'Welcome to Murmur membership',
    'Your membership is cancelled',
    'Your membership continues',
    'Your membership is cancelled',
    'Your Murmur membership has ended',
  ])
})

async function inArrears(): Promise<Member> {
  const member = await all.member(4)
  await all.bank(member, 'generic_decline')
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  return member
}

/** A card that the bank has confirmed, but that the shop does not know yet. */
async function anotherCard(member: Member): Promise<string> {
  const { setup_intent } = (await member.ask('GET', '/api/setup-intent')).json()
  const id: string = setup_intent.client_secret.split('_secret_')[0]
  await all.sandbox.confirmSetUp({ id, clientSecret: setup_intent.client_secret }, '5555555555554444')
  return id
}

test('a failed card is reported, benefits last seven more days, and the account can’t join a second time', async () => {
  const member = await inArrears()
  // The current month is not paid, and the month before it is another order.
  expect(await member.current()).toMatchObject({ status: 'past_due', orderItem: null })
  expect(await details(member)).toMatchObject({ failedPayment: { amount: 8 } })
  expect(await granted(member)).toBe(1)
  const user = (await member.ask('GET', '/api/logged-user')).json()
  expect(user).toMatchObject({
    currentSubscription: { status: 'past_due' },
    subscriptions: [{ paymentFailed: true, amount: 8 }],
  })
  expect((await member.ask('POST', '/api/subscriptions', { plan: 1, startNow: true })).json()).toMatchObject({
    'hydra:description': 'User already has an payment failed subscription',
    reason: 'membership_payment_failed',
  })
  expect(await all.mailsTo(member)).toContain('Your membership payment didn’t go through')
})

test('API-85 API-87: both routes for a new card return the same client secret', async () => {
  const member = await all.member(4)
  const intents = (await member.ask('GET', '/api/subscription_intents')).json()
  const secret: string = intents['hydra:member'][0].clientSecret
  expect(secret).toMatch(/^seti_.+_secret_/)
  expect((await member.ask('GET', '/api/setup-intent')).json()).toMatchObject({
    setup_intent: { client_secret: secret },
    payment_method: null,
  })
})

test('API-82 PAY-24: a new card pays the open invoice, dated by the day of the payment', async () => {
  const member = await inArrears()
  await all.pass('P2D')
  const paymentMethod = await anotherCard(member)
  const stranger = await all.member(6)
  const pay = (who: Member) =>
    who.ask('POST', `/api/subscriptions/${member.id}/update-payment-method`, { paymentMethod })
  expect((await pay(stranger)).statusCode).toBe(404)
  expect((await pay(member)).json()).toMatchObject({ status: 'active', cardLast4: '4444' })
  expect(await charged(member)).toEqual([800, 800])
  const [, renewal] = await ordersOf(member)
  expect(Math.abs(renewal!.paidAt!.getTime() - all.shop.clock.now().getTime())).toBeLessThan(3_600_000)
  expect(await granted(member)).toBe(2)
})

test('API-86: set-payment-method does the same, and another account’s membership is not found', async () => {
  const [member, stranger] = [await all.member(4), await all.member(6)]
  const paymentMethod = await anotherCard(member)
  const set = (who: Member) => who.ask('POST', `/api/set-payment-method/${member.id}`, { paymentMethod })
  expect((await set(stranger)).statusCode).toBe(404)
  expect((await set(member)).json()).toMatchObject({ cardLast4: '4444' })
  expect(await charged(member)).toEqual([800])
})

test('of two cards the one given last is used, even if the event of the first arrives later', async () => {
  const member = await all.member(4)
  const setUps: string[] = []
  for (const card of ['5555555555554444', '378282246310005']) {
    const { setup_intent } = (await member.ask('GET', '/api/setup-intent')).json()
    const id: string = setup_intent.client_secret.split('_secret_')[0]
    await all.sandbox.confirmSetUp({ id, clientSecret: setup_intent.client_secret }, card)
    await syncSetUp(all.shop, id)
    setUps.push(id)
  }
  for (const id of setUps.toReversed()) await syncSetUp(all.shop, id)
  expect(await member.current()).toMatchObject({ cardLast4: '0005' })
  await member.ask('GET', '/api/setup-intent')
  await syncSetUp(all.shop, setUps[1]!)
  expect(await member.current()).toMatchObject({ cardLast4: '0005' })
})

test('two days before the benefits end an email names the open amount, less the discount', async () => {
  await all.shop.db
    .insert(discounts)
    .values({ code: 'ALWAYSHALF', type: 'subscription', percent: 50, duration: 'forever' })
  const buyer = await aBuyer(all.shop)
  const wish = { plan: 4, startNow: true, couponCode: 'ALWAYSHALF', paymentMethod: 'pm_card_visa' }
  const { id } = (await buyer.ask('POST', '/api/subscriptions', wish)).json()
  const member = memberOf(all.shop, buyer, id)
  // A sixth of it is 66⅔ pence.
  const [{ uuid: order }] = (await member.ask('GET', '/api/order_carts')).json()['hydra:member']
  expect((await member.ask('GET', `/api/order_carts/${order}`)).json()).toMatchObject({ sumVat: 0.67 })
  await all.bank(member, 'generic_decline')
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  await all.pass('P5D')
  for (let run = 0; run < 2; run += 1) await runMembershipCalendar(all.shop)
  const mails: { subject: string; text: string }[] = (
    await all.shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(buyer.user.email)}`)
  ).json()
  const last = mails.filter(({ subject }) => subject === 'Your member prices end in two days')
  expect(last).toHaveLength(1)
  expect(last[0]!.text).toContain('we couldn’t take £4.00 for Reader, monthly')
})

test('MEMB-37: a trial becomes Reader after 30 days, with emails 7 and 3 days before; cancelled, it is never charged', async () => {
  const trial = async () => {
    const member = await all.trial()
    expect(await member.current()).toMatchObject({ status: 'trialing' })
    return member
  }
  const [goesOn, stops] = [await trial(), await trial()]
  await on(stops, '/cancel')
  await all.pass('P24D')
  await runMembershipCalendar(all.shop)
  await all.pass('P4D')
  await runMembershipCalendar(all.shop)
  await all.pass('P3D')
  await reconcileMemberships(all.shop)
  expect(await goesOn.current()).toMatchObject({ status: 'active', plan: 4 })
  expect(await charged(goesOn)).toEqual([800])
  expect(await charged(stops)).toEqual([])
  expect(await stops.current()).toBeNull()
  const ends = (await all.mailsTo(goesOn)).filter((subject) => subject.startsWith('Your free trial ends'))
  expect(ends).toEqual([
    expect.stringMatching(/^Your free trial ends on /),
    'Your free trial ends in three days',
  ])
})

test('withdrawing within 14 days refunds the remaining days, and ends the membership with its unspent credits', async () => {
  const member = await all.member(4)
  await all.pass('P10D')
  const { withdrawal } = await details(member)
  expect(withdrawal.amount).toBeGreaterThan(5)
  expect((await on(member, '/withdraw', { amount: 8 })).statusCode).toBe(409)
  expect((await on(member, '/withdraw', { amount: withdrawal.amount })).json()).toMatchObject({
    status: 'canceled',
  })
  expect(await member.current()).toBeNull()
  expect((await member.ask('GET', '/api/logged-user')).json()).toMatchObject({ hasCredit: false })
  const { invoices } = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
  expect(invoices).toMatchObject([{ amount: 8, refunded: withdrawal.amount }])
  const letter = (await all.lettersTo(member)).at(-1)!
  expect(letter.subject).toBe('You’ve withdrawn from your membership')
  expect(letter.text).toContain('(Reader, monthly)')
})

test('an unfinished withdrawal of an earlier release refunds the sum of its day, and nothing more', async () => {
  const member = await all.member(4)
  await all.pass('P5D')
  const { withdrawal } = await details(member)
  await all.shop.db
    .update(subscriptions)
    .set({ withdrawnAt: all.shop.clock.now() })
    .where(eq(subscriptions.id, member.id))
  await all.pass('P12D')
  for (const amount of [withdrawal.amount, 8])
    expect((await on(member, '/withdraw', { amount })).json()).toMatchObject({ status: 'canceled' })
  const { invoices } = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
  expect(invoices).toMatchObject([{ amount: 8, refunded: withdrawal.amount }])
  const { refundedMinor } = await all.sandbox.payments.retrievePayment(await paymentOf(member))
  expect(refundedMinor).toBe(pence(withdrawal.amount))
})

test('a deleted account is not charged again; later charges are refunded, and the card is deleted', async () => {
  const member = await all.member(4)
  const providerId = await member.providerId()
  const gone = await member.ask('POST', `/api/users/${member.user.id}/delete-account`, {
    password: member.user.password,
  })
  expect(gone.statusCode).toBeLessThan(300)
  // The job did not run on the day of the renewal.
  await all.pass('P31D')
  await all.pass('PT2H')
  await reconcileMemberships(all.shop)
  const { billing } = all.sandbox
  expect((await billing.subscriptions.retrieve(providerId)).state).toBe('ended')
  const invoices = []
  for await (const invoice of billing.invoices.list({ subscription: providerId })) invoices.push(invoice)
  expect(invoices.map(({ reason, creditedMinor }) => [reason, creditedMinor])).toEqual([
    ['renewed', 800],
    // Deleting the account on the first day counted as a withdrawal.
    ['joined', 800],
  ])
  await all.pass('P31D')
  await reconcileMemberships(all.shop)
})

test('deleting the account of a trial refunds nothing, because nothing was charged', async () => {
  const member = await all.trial()
  const before = await all.shop.db.$count(refunds)
  await member.ask('POST', `/api/users/${member.user.id}/delete-account`, { password: member.user.password })
  await endClosedAccountsAtProvider(all.shop)
  expect(await all.shop.db.$count(refunds)).toBe(before)
  const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
  expect(row!.forgottenAt).not.toBeNull()
})

test('charges after an account was deleted are refunded even if the provider was unavailable the first time', async () => {
  const member = await all.member(4)
  const providerId = await member.providerId()
  await member.ask('POST', `/api/users/${member.user.id}/delete-account`, { password: member.user.password })
  await all.pass('P31D')
  await all.pass('PT2H')
  const payments = { ...all.shop.payments }
  all.shop.payments.refundPayment = async () => {
    throw new PaymentsUnavailable('away')
  }
  await endClosedAccountsAtProvider(all.shop)
  Object.assign(all.shop.payments, payments)
  // Meanwhile the event that it ended arrives.
  await syncSubscription(all.shop, providerId)
  for (let twice = 0; twice < 2; twice += 1) {
    await all.pass('PT10M')
    await endClosedAccountsAtProvider(all.shop)
  }
  const invoices = []
  for await (const invoice of all.sandbox.billing.invoices.list({ subscription: providerId }))
    invoices.push(invoice)
  expect(invoices.map(({ reason, creditedMinor }) => [reason, creditedMinor])).toEqual([
    ['renewed', 800],
    // Deleting the account on the first day counted as a withdrawal.
    ['joined', 800],
  ])
  const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
  expect(row!.forgottenAt).not.toBeNull()
})

const paymentOf = async (member: Member): Promise<string> => {
  const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(await member.providerId())
  return (await all.sandbox.billing.invoices.retrieve(latestInvoice!)).payment!
}
const standing = async (member: Member) => {
  const { currentSubscription, hasCredit } = (await member.ask('GET', '/api/logged-user')).json()
  return { isMember: currentSubscription !== null, hasCredit }
}

test('a dispute suspends the membership and its unspent credits until it is won', async () => {
  const member = await all.member(4)
  const payment = await paymentOf(member)
  const dispute = await all.sandbox.control(`payment_intents/${payment}/dispute`)
  await syncInvoicePayment(all.shop, payment)
  expect(await standing(member)).toEqual({ isMember: false, hasCredit: false })
  await all.sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome: 'won' })
  await syncInvoicePayment(all.shop, payment)
  expect(await standing(member)).toEqual({ isMember: true, hasCredit: true })
})

test('with two disputes, winning one restores nothing while the other is open', async () => {
  const member = await all.member(4)
  const payments = [await paymentOf(member)]
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  payments.push(await paymentOf(member))
  const disputes: string[] = []
  for (const payment of payments) {
    disputes.push(String((await all.sandbox.control(`payment_intents/${payment}/dispute`)).id))
    await syncInvoicePayment(all.shop, payment)
  }
  const after: object[] = []
  for (const [index, dispute] of disputes.entries()) {
    await all.sandbox.control(`disputes/${dispute}/close`, { outcome: 'won' })
    await syncInvoicePayment(all.shop, payments[index]!)
    after.push(await standing(member))
  }
  expect(after).toEqual([
    { isMember: false, hasCredit: false },
    { isMember: true, hasCredit: true },
  ])
})

test('a dispute won after weeks restores what it revoked, without an event', async () => {
  const member = await all.member(4)
  const payment = await paymentOf(member)
  const dispute = await all.sandbox.control(`payment_intents/${payment}/dispute`)
  await syncInvoicePayment(all.shop, payment)
  await all.pass('P45D')
  await reconcileMemberships(all.shop)
  expect(await standing(member)).toMatchObject({ isMember: false })
  await all.sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome: 'won' })
  await reconcileMemberships(all.shop)
  expect(await standing(member)).toMatchObject({ isMember: true })
})

test('a lost dispute counts as a full refund: the membership ends, and the provider charges nothing more', async () => {
  const member = await all.member(4)
  const payment = await paymentOf(member)
  const dispute = await all.sandbox.control(`payment_intents/${payment}/dispute`)
  await syncInvoicePayment(all.shop, payment)
  await all.sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome: 'lost' })
  // Its event is lost, and the bank took its time.
  await all.pass('P20D')
  for (let looked = 0; looked < 2; looked += 1) await reconcileMemberships(all.shop)
  await all.pass('P2M')
  await reconcileMemberships(all.shop)
  expect(await standing(member)).toEqual({ isMember: false, hasCredit: false })
  expect(await charged(member)).toEqual([800])
  const { invoices } = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
  expect(invoices).toMatchObject([{ amount: 8, refunded: 8 }])
  expect(await all.mailsTo(member)).toEqual([
    'Welcome to Murmur membership',
    expect.stringMatching(/^Your bank has a question about order M-/),
    expect.stringMatching(/^Your bank has paid you back for order M-/),
    'Your Murmur membership has ended',
  ])
})

test('a partial refund changes nothing else; a full refund ends the membership and revokes its unspent credits', async () => {
  const member = await all.member(4)
  const payment = await paymentOf(member)
  await all.sandbox.payments.refundPayment(payment, { amountMinor: 300 }, `part:${payment}`)
  for (let told = 0; told < 2; told += 1) await syncInvoicePayment(all.shop, payment)
  expect(await standing(member)).toEqual({ isMember: true, hasCredit: true })
  await all.sandbox.payments.refundPayment(payment, {}, `rest:${payment}`)
  await syncInvoicePayment(all.shop, payment)
  expect(await standing(member)).toEqual({ isMember: false, hasCredit: false })
  const { invoices } = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
  expect(invoices).toMatchObject([{ amount: 8, refunded: 8 }])
  const letters = (await all.lettersTo(member)).filter(({ subject }) => subject.startsWith('Your money back'))
  expect(letters).toHaveLength(2)
  for (const { text } of letters) expect(text).toContain('(Reader, monthly)')
})

test('a change that the provider does not accept any more, because an event is late, is refused as outdated', async () => {
  const member = await all.member(4)
  const change = (plan: number) => member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan })
  expect((await change(5)).statusCode).toBe(200)
  await all.pass('P32D')
  // It is a yearly plan at the provider by now, and still a monthly one here.
  expect((await on(member, '/preview', { plan: 1 })).statusCode).toBe(409)
  expect((await change(1)).statusCode).toBe(409)
  await member.settle()
  expect((await on(member, '/preview', { plan: 2 })).statusCode).toBe(200)
})

test('if the shop stops selling memberships, members are renewed, get emails and can cancel; new ones can’t join', async () => {
  const member = await all.member(4)
  const { details: said } = all.shop.config
  said.replace({ file: { name: 'Harbour', parts: { membership: false } }, pictures: {}, version: 'off' })
  try {
    await all.pass('P31D')
    await all.pass('PT2H')
    await member.settle()
    expect(await charged(member)).toEqual([800, 800])
    expect(await granted(member)).toBe(2)
    expect(await all.mailsTo(member)).toContain('Your Harbour membership has been renewed')
    const other = await aBuyer(all.shop)
    expect((await other.ask('POST', '/api/subscriptions', { plan: 4, startNow: true })).statusCode).toBe(404)
    const cancelled = await on(member, '/cancel')
    expect(cancelled.statusCode).toBe(200)
    expect((await details(member)).subscription.canceledAt).not.toBeNull()
  } finally {
    said.replace(undefined)
  }
})
