import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { sendDueRefunds } from '#server/features/checkout/refund-order-lines.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { settlePayment } from '../checkout/settle-payment.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

async function paymentOf(member: Member): Promise<string> {
  for await (const { payment } of all.sandbox.billing.invoices.list({
    subscription: await member.providerId(),
  }))
    if (payment !== null) return payment
  throw new Error('never charged')
}
async function dispute(member: Member) {
  const payment = await paymentOf(member)
  const made = await all.sandbox.control(`payment_intents/${payment}/dispute`)
  await settlePayment(all.shop, payment)
  const close = async (fields: Record<string, string>) => {
    await all.sandbox.control(`disputes/${String(made.id)}/close`, fields)
    await settlePayment(all.shop, payment)
  }
  return { payment, close }
}
const details = async (member: Member) =>
  (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
const refundsMailedTo = async ({ user }: Member) =>
  (await all.shop.db.select().from(mails).where(eq(mails.recipient, user.email)))
    .filter(({ kind }) => kind === 'membership_refunded')
    .map(({ data }) => data)
const withdraw = (member: Member, amount: number) =>
  member.ask('POST', `/api/subscriptions/${member.id}/withdraw`, { amount })

test('MEMB-27: during an open dispute the membership is shown as on hold and without a refund', async () => {
  const member = await all.member(4)
  const { payment } = await dispute(member)
  // A repeated webhook event changes nothing.
  await settlePayment(all.shop, payment)
  // It has no benefits, so it is not the current membership; its page finds it in the list.
  expect(await member.current()).toBeNull()
  expect((await member.ask('GET', '/api/subscriptions')).json()['hydra:member']).toMatchObject([
    { id: member.id, status: 'active', giftEmail: null },
  ])
  expect(await details(member)).toMatchObject({
    disputedSince: expect.any(String),
    withdrawal: { amount: 0, disputed: true },
  })
  expect((await member.ask('GET', '/api/logged-user')).json().currentSubscription).toBeNull()
  expect(await all.mailsTo(member)).toContainEqual(
    expect.stringMatching(/^Your bank has a question about order M-/),
  )
  const letters = await all.lettersTo(member)
  expect(letters.some(({ text }) => text.includes('we’ve refunded'))).toBe(false)
})

test('MEMB-27: after a won dispute a withdrawal is refunded if the dispute says that its charge can be refunded', async () => {
  const member = await all.member(4)
  const { payment, close } = await dispute(member)
  await close({ outcome: 'won' })
  expect(await all.mailsTo(member)).toContainEqual(
    expect.stringMatching(/^Your payment for order M-\d+ stands$/),
  )
  expect(await details(member)).toMatchObject({
    disputedSince: null,
    withdrawal: { amount: 8, disputed: false, blocked: false },
  })
  expect((await withdraw(member, 8)).statusCode).toBe(200)
  await sendDueRefunds(all.shop)
  expect((await all.sandbox.payments.retrievePayment(payment)).refundedMinor).toBe(800)
})

test('MEMB-27: a refund that the provider refuses after a dispute is not offered: the page says why, the call fails', async () => {
  const member = await all.member(4)
  const { close } = await dispute(member)
  await close({ outcome: 'won', refundable: 'false' })
  expect(await details(member)).toMatchObject({ withdrawal: { amount: 0, disputed: false, blocked: true } })
  const refusal = await withdraw(member, 0)
  expect(refusal.statusCode).toBe(422)
  expect(refusal.json()['hydra:description']).toContain('payment provider')
})

test('MEMB-27: after a lost dispute, no email says that the shop refunded the charge', async () => {
  const member = await all.member(4)
  const { close } = await dispute(member)
  await close({ outcome: 'lost' })
  expect((await member.ask('GET', '/api/subscriptions')).json()['hydra:member']).toMatchObject([
    { id: member.id, status: 'canceled' },
  ])
  expect(await refundsMailedTo(member)).toEqual([])
})

test('each refund of a part of a charge is emailed with its own amount, and does not end the membership', async () => {
  const member = await all.member(4)
  const payment = await paymentOf(member)
  for (const amountMinor of [100, 250]) {
    await all.sandbox.payments.refundPayment(payment, { amountMinor }, `part-${amountMinor}`)
    for (let time = 0; time < 2; time += 1) await settlePayment(all.shop, payment)
  }
  const refunds = await refundsMailedTo(member)
  expect(refunds).toHaveLength(2)
  for (const amountMinor of [100, 250])
    expect(refunds).toContainEqual(expect.objectContaining({ amountMinor, ended: false }))
  expect(await member.current()).toMatchObject({ id: member.id, status: 'active' })
})
