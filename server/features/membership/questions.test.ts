import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBuyer } from '#tests/support/purchases.ts'
import { type Member, memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { syncSubject } from '../provider-events/webhook.ts'
import { syncSubscription } from './sync-subscription.ts'

/** The most calls to the provider for one event: they are slow and rate-limited. */
const MOST = 4

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

/** Handles every event of `happening` as if it were the first. Returns the calls to the provider by type of event. */
async function asked(happening: () => Promise<unknown>): Promise<Record<string, string[]>> {
  const { payments } = all.sandbox
  const known = new Set<string>()
  for await (const { id } of payments.listEvents({})) known.add(id)
  await happening()
  const events = []
  for await (const event of payments.listEvents({})) if (!known.has(event.id)) events.push(event)
  const calls: Record<string, string[]> = {}
  for (const { type, subject } of events.reverse()) {
    await all.sandbox.control('calls')
    if (subject) await syncSubject(all.shop, subject)
    calls[type] = (await all.sandbox.control('calls')).calls as string[]
  }
  return calls
}

const tooMany = (calls: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(calls).filter(([, made]) => made.length > MOST))

const renewal = async () => {
  await all.pass('P31D')
  await all.pass('PT2H')
}
const latest = async (member: Member) => {
  const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(await member.providerId())
  return all.sandbox.billing.invoices.retrieve(latestInvoice!)
}

test('an event of a join or a renewal needs at most four calls to the provider, one without news two', async () => {
  let id = ''
  const buyer = await aBuyer(all.shop)
  const joining = await asked(async () => {
    const joined = (await buyer.ask('POST', '/api/subscriptions', { plan: 4, startNow: true })).json()
    id = joined.id
    const secret: string = joined.paymentIntent
    await all.sandbox.confirm({ id: secret.split('_secret_')[0]!, clientSecret: secret })
  })
  expect(joining['invoice.paid']).toBeDefined()
  expect(tooMany(joining)).toEqual({})

  const renewing = await asked(renewal)
  expect(tooMany(renewing)).toEqual({})
  expect(Object.keys(renewing)).toEqual(
    expect.arrayContaining(['customer.subscription.updated', 'invoice.paid', 'payment_intent.succeeded']),
  )
  expect(renewing['invoice.paid']!.length).toBeLessThanOrEqual(2)

  const member = memberOf(all.shop, buyer, id)
  await all.sandbox.control('calls')
  await syncSubscription(all.shop, await member.providerId())
  expect((await all.sandbox.control('calls')).calls).toEqual([
    'GET /v1/subscriptions/:id',
    'GET /v1/invoices',
  ])
  await all.forget(member)
})

test('so does an event of a refused payment, a plan change, a refund or a dispute', async () => {
  const member = await all.member(4)
  const { billing, payments } = all.sandbox
  expect(
    tooMany(
      await asked(async () => {
        await all.bank(member, 'generic_decline')
        await renewal()
      }),
    ),
  ).toEqual({})
  expect(
    tooMany(
      await asked(async () => {
        await all.bank(member, 'pass')
        const { id } = await latest(member)
        await billing.invoices.pay(id, `mend:${id}`)
      }),
    ),
  ).toEqual({})
  const upgrading = await asked(async () =>
    member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan: 1 }),
  )
  expect(tooMany(upgrading)).toEqual({})
  const { payment } = await latest(member)
  expect(
    tooMany(await asked(async () => payments.refundPayment(payment!, { amountMinor: 100 }, 'part'))),
  ).toEqual({})
  expect(
    tooMany(await asked(async () => all.sandbox.control(`payment_intents/${payment!}/dispute`))),
  ).toEqual({})
  await all.forget(member)
})
