import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders, refunds } from '#server/db/schema/orders.ts'
import { syncInvoicePayment } from '#server/features/membership/membership-refunds.ts'
import { closeAccountsAtProvider, reconcile } from '#server/features/checkout/reconcile-payments.ts'
import { settleOrder } from '#server/features/checkout/settle-payment.ts'
import { aBuyer, checkOut, fillBag } from '#tests/support/purchases.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { type Member, memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const path = ({ user }: Pick<Member, 'user'>) => `/api/users/${user.id}/delete-account`
const preview = async (of: Pick<Member, 'user' | 'ask'>) => (await of.ask('GET', path(of))).json()
const remove = (of: Pick<Member, 'user' | 'ask'>, more: object = {}) =>
  of.ask('POST', path(of), { password: of.user.password, ...more })

/** The refunds of a membership's payments according to the provider, in pence. */
async function backOf(providerId: string): Promise<number> {
  let back = 0
  for await (const { payment } of all.sandbox.billing.invoices.list({ subscription: providerId }))
    if (payment !== null) back += (await all.sandbox.payments.retrievePayment(payment)).refundedMinor
  return back
}
const goodbye = async (of: Pick<Member, 'user'>) =>
  (await all.lettersTo(of)).find(({ subject }) => subject.includes('has been deleted'))!.text

test('API-17 MEMB-27: deleting the account within 14 days refunds what a withdrawal would, and says so before and after', async () => {
  const member = await all.member(1)
  const providerId = await member.providerId()
  expect(await preview(member)).toEqual({
    amount: 12,
    memberships: [{ plan: 1, gift: false, trial: false, outcome: 'back' }],
    freeAudiobooks: 2,
  })
  // An amount that differs from the page is refused, and nothing changes.
  expect((await remove(member, { amount: 6 })).statusCode).toBe(409)
  expect(await preview(member)).toMatchObject({ amount: 12 })
  expect((await remove(member, { amount: 12 })).statusCode).toBe(204)
  await closeAccountsAtProvider(all.shop)
  expect((await all.sandbox.billing.subscriptions.retrieve(providerId)).endedAt).not.toBeNull()
  expect(await backOf(providerId)).toBe(1200)
  expect(await goodbye(member)).toContain('Avid Reader, monthly')
  expect(await goodbye(member)).toContain('£12.00')
  // Refunded once, even if the job runs again.
  await closeAccountsAtProvider(all.shop)
  expect(await backOf(providerId)).toBe(1200)
  const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
  expect(row).toMatchObject({ userId: null, status: 'canceled', forgottenAt: expect.any(Date) })
})

test('API-17: refunds both the charge for joining and the one for upgrading, also when the request names no amount', async () => {
  const member = await all.member(4)
  const providerId = await member.providerId()
  await member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan: 1 })
  await member.settle()
  const { amount } = await preview(member)
  expect(amount).toBeGreaterThan(8)
  expect((await remove(member)).statusCode).toBe(204)
  await closeAccountsAtProvider(all.shop)
  expect(await backOf(providerId)).toBe(Math.round(amount * 100))
})

test('API-17: refunds PayPal like a card', async () => {
  const buyer = await aBuyer(all.shop)
  const joined = (await buyer.ask('POST', '/api/subscriptions', { plan: 4, startNow: true })).json()
  const secret: string = joined.paymentIntent
  const intent = { id: secret.split('_secret_')[0]!, clientSecret: secret }
  await all.sandbox.decide(await all.sandbox.confirmPayPal(intent, 'https://shop.example/back'), 'approve')
  const member = memberOf(all.shop, buyer, joined.id)
  await member.settle()
  const providerId = await member.providerId()
  expect(await preview(member)).toMatchObject({ amount: 8 })
  expect((await remove(member, { amount: 8 })).statusCode).toBe(204)
  await closeAccountsAtProvider(all.shop)
  expect(await backOf(providerId)).toBe(800)
})

test('API-17: a trial, a membership past its 14 days and a disputed one get no refund, and the preview says why', async () => {
  const trial = await all.trial()
  const disputed = await all.member(4)
  const { payment } = await newest(await disputed.providerId())
  await all.sandbox.control(`payment_intents/${payment}/dispute`)
  await disputed.settle()
  await syncInvoicePayment(all.shop, payment!)
  expect(await preview(trial)).toMatchObject({
    amount: 0,
    memberships: [{ outcome: 'no_charge', trial: true }],
  })
  expect(await preview(disputed)).toMatchObject({ amount: 0, memberships: [{ outcome: 'disputed' }] })
  for (const member of [trial, disputed]) {
    expect((await remove(member, { amount: 0 })).statusCode).toBe(204)
    await closeAccountsAtProvider(all.shop)
  }
  expect(await goodbye(trial)).toContain('nothing is charged')
  expect(await goodbye(disputed)).toContain('Your bank is still looking into a payment')

  const old = await all.member(4)
  await all.pass('P15D')
  expect(await preview(old)).toMatchObject({ amount: 0, memberships: [{ outcome: 'too_late' }] })
  const providerId = await old.providerId()
  expect((await remove(old, { amount: 0 })).statusCode).toBe(204)
  await closeAccountsAtProvider(all.shop)
  expect(await backOf(providerId)).toBe(0)
  expect(await goodbye(old)).toContain('14 days for a refund were over')
})

const newest = async (providerId: string) => {
  for await (const invoice of all.sandbox.billing.invoices.list({ subscription: providerId })) return invoice
  throw new Error('no invoice')
}

test('API-17: a deleted account’s open payments can no longer be paid; a payment made at that moment is refunded', async () => {
  const { slug } = await anAudioBook(all.shop, { priceMinor: 1200 })
  const checkout = async () => {
    const buyer = await aBuyer(all.shop)
    const cart = await fillBag(buyer, [{ slug, kind: 'audio_books' }])
    const { intent, clientSecret } = await checkOut(buyer, cart)
    return { buyer, intent: { id: intent, clientSecret } }
  }
  const [waits, races] = [await checkout(), await checkout()]
  const joining = await aBuyer(all.shop)
  const joined = (await joining.ask('POST', '/api/subscriptions', { plan: 1, startNow: true })).json()
  const join: string = joined.paymentIntent
  for (const each of [waits.buyer, races.buyer, joining])
    expect((await remove(each)).statusCode, each.user.email).toBe(204)
  await all.sandbox.confirm(races.intent)
  await closeAccountsAtProvider(all.shop)
  expect((await all.sandbox.payments.retrievePayment(waits.intent.id)).state).toBe('cancelled')
  expect((await all.sandbox.payments.retrievePayment(join.split('_secret_')[0]!)).state).toBe('cancelled')
  await settleOrder(all.shop, races.intent.id)
  await reconcile(all.shop)
  expect((await all.sandbox.payments.retrievePayment(races.intent.id)).refundedMinor).toBe(1200)
  expect(await all.shop.db.select().from(orders).where(eq(orders.state, 'awaiting_payment'))).toEqual([])
  expect((await all.shop.db.select().from(refunds)).every(({ state }) => state === 'done')).toBe(true)
})

test('while the provider is down, cancelling the payments of deleted accounts waits for the next run', async () => {
  const { slug } = await anAudioBook(all.shop, { priceMinor: 1200 })
  const intents: string[] = []
  for (let number = 0; number < 3; number += 1) {
    const buyer = await aBuyer(all.shop)
    const cart = await fillBag(buyer, [{ slug, kind: 'audio_books' }])
    intents.push((await checkOut(buyer, cart)).intent)
    expect((await remove(buyer)).statusCode).toBe(204)
  }
  const { cancelPayment } = all.shop.payments
  let asked = 0
  all.shop.payments.cancelPayment = async () => {
    asked += 1
    throw new PaymentsUnavailable('down')
  }
  await closeAccountsAtProvider(all.shop)
  expect(asked).toBe(3)
  all.shop.payments.cancelPayment = cancelPayment
  await all.pass('P1D')
  await closeAccountsAtProvider(all.shop)
  for (const id of intents) expect((await all.sandbox.payments.retrievePayment(id)).state).toBe('cancelled')
})
