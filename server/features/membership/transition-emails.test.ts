import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { daysAfter } from './months.ts'
import { mailTransition, type Transition } from './transition-emails.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('an email names the next payment if there is one, but not while a payment is open or if nothing renews', async () => {
  const { id: userId } = await aUser(shop)
  const next = async (id: string, more: Parameters<typeof aMembership>[0]) => {
    const before = aMembership({ userId })
    const order = { id: crypto.randomUUID(), number: 'M-1', totalMinor: 800, vatMinor: 133 }
    const invoice = { id, reason: 'renewed', paidAt: before.periodStart }
    const transition = {
      before,
      after: { ...before, ...more },
      sold: [{ order, paid: { invoice, payment: null }, plan: 4 }],
      snapshot: { failed: null },
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that the email reads
    await mailTransition(shop.db, shop, transition as unknown as Transition)
    const written = await shop.db.select().from(mails)
    return written.find(({ key }) => key === `membership_renewed:${id}`)?.data
  }
  expect(await next('renews', { nextMinor: 800 })).toMatchObject({
    next: { amountMinor: 800, at: aMembership().validUntil.toISOString() },
  })
  expect(await next('ends', { nextMinor: null })).toMatchObject({ next: null })
  // An older month was paid while the newer one is still open.
  expect(await next('open', { nextMinor: 800, status: 'past_due' })).toMatchObject({ next: null })
})

type Membership = Transition['before']

/** The emails of a change, by kind. */
async function written(before: Partial<Membership>, after: Partial<Membership>, more: object = {}) {
  const { id: userId } = await aUser(shop)
  const row = aMembership({ userId, id: crypto.randomUUID() })
  const transition = {
    before: { ...row, ...before },
    after: { ...row, ...after },
    ...{ sold: [], snapshot: { failed: null, subscription: { endReason: null } } },
    ...more,
  }
  await shop.db.delete(mails)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that the emails read
  await mailTransition(shop.db, shop, transition as unknown as Transition)
  return new Map((await shop.db.select().from(mails)).map(({ kind, data }) => [kind, data]))
}

test('a trial is confirmed once, with its end, its days and the price after it', async () => {
  const from = aMembership().periodStart
  const ends = daysAfter(from, 30)
  const begun = async (more: Partial<Membership>) =>
    (await written({ status: 'incomplete' }, { status: 'trialing', ...more })).get('trial_started')
  expect(await begun({ trialEndsAt: ends, nextMinor: 640 })).toMatchObject({
    ...{ endsAt: ends.toISOString(), days: 30, amountMinor: 640, yearly: false },
  })
  // The provider has not said yet when it ends and what it costs then.
  expect(await begun({ trialEndsAt: null, nextMinor: null })).toMatchObject({
    ...{ endsAt: aMembership().periodEnd.toISOString(), days: 31, amountMinor: 800 },
  })
  const goesOn = await written({ status: 'trialing' }, { status: 'trialing', trialEndsAt: ends })
  expect([...goesOn.keys()]).toEqual([])
  expect([...(await written({ status: 'incomplete' }, { status: 'active' })).keys()]).toEqual([])
})

test('a paid invoice is confirmed by what it was for: joining, another plan or another month', async () => {
  const sold = (reason: string, paidAt: Date | null, plan = 1) => {
    const order = { id: crypto.randomUUID(), number: 'M-1', totalMinor: 800, vatMinor: 133 }
    return { sold: [{ order, paid: { invoice: { id: reason, reason, paidAt }, payment: null }, plan }] }
  }
  const paidAt = new Date('2026-03-05T09:00:00Z')
  const joined = await written({ status: 'incomplete' }, {}, sold('joined', paidAt))
  expect([...joined.keys()]).toEqual(['membership_started'])
  expect(joined.get('membership_started')).toMatchObject({
    ...{ amountMinor: 800, next: null, withdrawUntil: daysAfter(paidAt, 14).toISOString() },
  })
  const unknown = await written({}, { nextMinor: 1200 }, sold('joined', null))
  expect(unknown.get('membership_started')).toMatchObject({
    ...{ withdrawUntil: daysAfter(shop.clock.now(), 14).toISOString(), next: { amountMinor: 1200 } },
  })
  const upgraded = await written({ plan: 4 }, { plan: 1 }, sold('changed', paidAt, 1))
  expect(upgraded.get('plan_changed')).toMatchObject({ more: 1, at: null })
  const downgraded = await written({ plan: 1 }, { plan: 4 }, sold('changed', paidAt, 4))
  expect(downgraded.get('plan_changed')).toMatchObject({ more: 0 })
  expect([...(await written({}, {}, sold('renewed', paidAt))).keys()]).toEqual(['membership_renewed'])
})

test('the end of a membership is told once, says whether it was unpaid, and not after a withdrawal', async () => {
  const snapshot = (endReason: string | null) => ({ snapshot: { failed: null, subscription: { endReason } } })
  const ended = { status: 'canceled' } as const
  const paymentFailedAt = shop.clock.now()
  expect((await written({}, ended, snapshot('cancelled'))).get('membership_ended')).toMatchObject({
    unpaid: false,
  })
  expect(
    (await written({ status: 'past_due' }, { ...ended, paymentFailedAt }, snapshot('not_paid'))).get(
      'membership_ended',
    ),
  ).toMatchObject({
    unpaid: true,
  })
  const kinds = async (...change: Parameters<typeof written>) => [...(await written(...change)).keys()]
  expect(await kinds(ended, ended)).toEqual([])
  expect(await kinds({ status: 'incomplete' }, ended)).toEqual([])
  expect(await kinds({}, { ...ended, withdrawnAt: shop.clock.now() })).toEqual([])
  expect(await kinds({}, {})).toEqual([])
})

test('a failed payment is to be confirmed if the bank asks for that, and otherwise needs another card', async () => {
  const kinds = async (payment: object | null) => {
    const failed = { payment, invoiceId: 'in_failed', dueMinor: 800 }
    const after = { status: 'past_due', paymentFailedAt: shop.clock.now() } as const
    return [...(await written({}, after, { snapshot: { failed, subscription: { endReason: null } } })).keys()]
  }
  expect(await kinds({ state: 'open', refusal: null })).toEqual(['payment_needs_you'])
  expect(await kinds({ state: 'open', refusal: { code: 'generic_decline' } })).toEqual(['payment_failed'])
  expect(await kinds(null)).toEqual(['payment_failed'])
})
