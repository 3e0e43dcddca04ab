import { afterAll, beforeAll, expect, test } from 'vitest'
import { payAgain, previewChange } from '#contract/membership-changes.ts'
import { leavingAnswers } from '#server/db/schema/membership.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { type MembersShop, membersShop } from '#tests/support/members.ts'

let here: MembersShop
beforeAll(async () => {
  here = await membersShop()
})
afterAll(() => here.close())

const intentOf = (clientSecret: string) => clientSecret.split('_secret_')[0]!

test('the return page names a membership to its own account only, and refuses a wrong secret', async () => {
  const buyer = await aBuyer(here.shop)
  const begun = (await buyer.ask('POST', '/api/subscriptions', { plan: 4, startNow: true })).json()
  const clientSecret: string = begun.paymentIntent
  const paymentIntent = intentOf(clientSecret)
  const back = (who: typeof buyer, proof: object) => who.ask('POST', '/api/payments/return', proof)
  expect((await back(buyer, { paymentIntent, clientSecret })).json()).toMatchObject({ outcome: 'open' })
  await here.sandbox.confirm({ id: paymentIntent, clientSecret })
  expect((await back(buyer, { paymentIntent, clientSecret })).json()).toEqual({
    outcome: 'paid',
    order: null,
    subscription: begun.id,
  })
  const stranger = await aBuyer(here.shop)
  expect((await back(stranger, { paymentIntent, clientSecret })).json().subscription).toBeNull()
  expect(
    (await back(buyer, { paymentIntent, clientSecret: `${paymentIntent}_secret_guess` })).statusCode,
  ).toBe(404)
  const other = await here.sandbox.billing.setUps.create(
    {
      customer: await here.sandbox.billing.customers.create({ email: 'a@b.c', name: 'A', metadata: {} }, 'a'),
      metadata: {},
    },
    'of nobody',
  )
  const proof = { setupIntent: other.id, clientSecret: other.clientSecret }
  expect((await stranger.ask('POST', '/api/set_ups/return', proof)).statusCode).toBe(404)
})

test('a failed card can be charged again; if the bank wants authentication, the browser finishes the payment', async () => {
  const member = await here.member()
  const again = async () => (await member.ask('POST', `/api/subscriptions/${member.id}/pay`)).json()
  expect((await member.ask('POST', `/api/subscriptions/${member.id}/pay`)).statusCode).toBe(422)
  await here.bank(member, 'generic_decline')
  await here.pass('P32D')
  await member.settle()
  expect(await again()).toEqual({ outcome: 'refused', clientSecret: null })
  await here.bank(member, 'authenticate')
  const asked = await again()
  expect(asked.outcome).toBe('authenticate')
  expect(misfits(payAgain.reply, asked)).toEqual([])
  const clientSecret: string = asked.clientSecret
  const paymentIntent = intentOf(clientSecret)
  const confirmed = await here.sandbox.confirm({ id: paymentIntent, clientSecret })
  if (confirmed.status === 'requires_action') await here.sandbox.decide(confirmed, 'approve')
  const back = await member.ask('POST', '/api/payments/return', { paymentIntent, clientSecret })
  expect(back.json()).toMatchObject({ outcome: 'paid', subscription: member.id })
  expect(await member.current()).toMatchObject({ status: 'active' })
})

test('choosing a refused card again charges it again: it may have money by now', async () => {
  const member = await here.member()
  const { method } = await here.sandbox.billing.subscriptions.retrieve(await member.providerId())
  await here.bank(member, 'generic_decline')
  await here.pass('P32D')
  await member.settle()
  const choose = async () => {
    const wish = { paymentMethod: method!.id }
    return (await member.ask('PATCH', `/api/subscriptions/${member.id}`, wish)).json().status
  }
  expect(await choose()).toBe('past_due')
  await here.bank(member, 'pass')
  expect(await choose()).toBe('active')
})

test('the preview of a change contains the next charge, less a running discount', async () => {
  const member = await here.member()
  const preview = (await member.ask('POST', `/api/subscriptions/${member.id}/preview`, { plan: 1 })).json()
  expect(misfits(previewChange.reply, preview)).toEqual([])
  expect(preview.nextPayment.amount).toBe(12)
})

test('the reason for leaving is accepted once, after cancelling, and stored without a name', async () => {
  const member = await here.member()
  const say = (reason: string) =>
    member.ask('POST', `/api/subscriptions/${member.id}/leaving-reason`, { reason })
  expect((await say('time')).statusCode).toBe(422)
  await member.ask('POST', `/api/subscriptions/${member.id}/cancel`)
  expect((await say('nonsense')).statusCode).toBe(422)
  expect([(await say('time')).statusCode, (await say('price')).statusCode]).toEqual([204, 204])
  const kept = await here.shop.db.select().from(leavingAnswers)
  expect(kept).toMatchObject([{ plan: 4, reason: 'time' }])
  expect(Object.keys(kept[0]!)).toEqual(['id', 'plan', 'day', 'reason'])
})
