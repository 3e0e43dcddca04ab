import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { thePlug } from '#tests/support/network-switch.ts'
import { settleOrder } from '../checkout/settle-payment.ts'
import { sendDueRefunds } from '../checkout/refund-order-lines.ts'
import { claimMembershipGift } from './claim-membership-gift.ts'
import { runGiftCalendar } from './gift-delivery.ts'
import { startTakingBack } from './given-gifts.ts'

const LONGEST = { timeout: process.env.LONG ? 1_200_000 : 300_000 }

let at: PayingShop
const plug = thePlug()
beforeAll(async () => {
  at = await payingShop()
  // Every simulated crash would be logged at length.
  at.shop.app.log.level = 'silent'
})
afterEach(() => void plug.disarm())
afterAll(async () => {
  plug.remove()
  await at?.shop.close()
})

/** Repeats the work, each time killed one statement later, until it completes. Returns the number of statements. */
async function cutAtEveryStatement(work: () => Promise<unknown>): Promise<number> {
  for (let statements = 0; ; statements += 1) {
    plug.armAfter(statements)
    const problem = await work().catch((error: unknown) => error)
    if (plug.disarm()) continue
    if (problem instanceof Error) throw problem
    return statements
  }
}
const gifts = (orderId: string) =>
  at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.orderId, orderId))

test(
  'GIFT-18: killed at any statement between charge and membership: one gift, one email, one membership',
  LONGEST,
  async () => {
    const giver = await aBuyer(at.shop)
    const email = aRecipient()
    const wish = { gift: true, giftKey: randomUUID(), plan: 4, giftEmail: email, startNow: true }
    const { id: order, paymentIntent } = (await giver.ask('POST', '/api/subscriptions', wish)).json()
    const intent = paymentIntent.split('_secret_')[0]
    at.payments.pay(intent)
    expect(await cutAtEveryStatement(() => settleOrder(at.shop, intent))).toBeGreaterThan(10)
    expect(await gifts(order)).toHaveLength(1)
    const { mails: sent, token } = await mailedTo(at.shop, email)
    expect(sent).toHaveLength(1)

    const recipient = await anAccountOf(at.shop, email)
    const opening = { token, address: '127.0.0.1' }
    await at.shop.database.pool.query('delete from rate_limits')
    const cut = await cutAtEveryStatement(async () => {
      await at.shop.database.pool.query('delete from rate_limits')
      return claimMembershipGift(at.shop, recipient.user.id, opening)
    })
    expect(cut).toBeGreaterThan(10)
    const rows = await at.shop.db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, recipient.user.id))
    expect(rows).toHaveLength(1)
    expect(await at.shop.db.$count(credits, eq(credits.userId, recipient.user.id))).toBe(1)
  },
)

test(
  'GIFT-20: a job that is killed at any statement continues where it stopped, and sends once',
  LONGEST,
  async () => {
    const giver = await aBuyer(at.shop)
    const email = aRecipient()
    await give(at, giver, { giftEmail: email, giftDeliveryDate: '2026-04-01' })
    at.shop.clock.set('2026-04-01T07:00:00Z')
    await cutAtEveryStatement(() => runGiftCalendar(at.shop))
    await runGiftCalendar(at.shop)
    expect((await mailedTo(at.shop, email)).subjects).toHaveLength(1)
  },
)

test(
  'taking back that is killed at any statement refunds once, and the job completes it',
  LONGEST,
  async () => {
    const giver = await aBuyer(at.shop)
    const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
    const [gift] = await gifts(order)
    await cutAtEveryStatement(() => startTakingBack(at.shop, { userId: giver.user.id }, gift!.id))
    await cutAtEveryStatement(() => {
      // A day later, so that the interrupted refund is due again.
      at.shop.clock.advance(86_400)
      return sendDueRefunds(at.shop)
    })
    await sendDueRefunds(at.shop)
    expect(await at.payments.retrievePayment(intent)).toMatchObject({ refundedMinor: 8000 })
    const [back] = await at.shop.db.select().from(orders).where(eq(orders.id, order))
    expect(back).toMatchObject({ refundedMinor: 8000 })
    expect((await gifts(order))[0]!.revokedAt).not.toBeNull()
  },
)

test(
  'claiming and taking back at the same time gives either the membership or the refund, and both sides see the same',
  LONGEST,
  async () => {
    for (let round = 0; round < (process.env.LONG ? 100 : 6); round += 1) {
      const giver = await aBuyer(at.shop)
      const email = aRecipient()
      const { order, intent } = await give(at, giver, { giftEmail: email })
      const [gift] = await gifts(order)
      const recipient = await anAccountOf(at.shop, email)
      const { token } = await mailedTo(at.shop, email)
      const claim = () => recipient.ask('POST', `/api/subscriptions/claim/${token}`)
      const back = () => giver.ask('POST', `/api/subscriptions/given/${gift!.id}/take-back`, {})
      const [first, second] = await Promise.all(round % 2 ? [claim(), back()] : [back(), claim()])
      const [opened, paidBack] = round % 2 ? [first, second] : [second, first]

      const member = (await recipient.ask('GET', '/api/get-current-subscription')).json()
      const { refundedMinor } = await at.payments.retrievePayment(intent)
      const wasOpened = opened.statusCode === 200
      expect([opened.statusCode, paidBack.statusCode, member?.status, refundedMinor]).toEqual(
        wasOpened ? [200, 422, 'active', 0] : [404, 200, undefined, 8000],
      )
    }
  },
)

/** One instance must send all of them within ten minutes. */
const MANY = process.env.LONG ? 10_000 : 40

test(
  `${MANY} gifts that are due in the same minute are each sent once, although the job is killed midway`,
  { timeout: 600_000 },
  async () => {
    const { db, clock } = at.shop
    const giver = await aBuyer(at.shop)
    const row = {
      plan: 5 as const,
      giverId: giver.user.id,
      giverName: 'Gwen',
      paidMinor: 8000,
      givenAt: clock.now(),
      zone: 'Europe/London',
      deliverAt: clock.now(),
    }
    for (let many = 0; many < MANY; many += 1000)
      await db.insert(membershipGifts).values(
        Array.from({ length: Math.min(1000, MANY - many) }, (_, n) => ({
          ...row,
          email: `due-${many + n}@murmur.example`,
        })),
      )
    const sent = async () =>
      (await db.select().from(mails)).filter(({ recipient }) => recipient.startsWith('due-')).length
    plug.armAfter(MANY)
    await runGiftCalendar(at.shop).catch(() => undefined)
    expect(plug.disarm()).toBe(true)
    const before = await sent()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(MANY)
    await Promise.all([runGiftCalendar(at.shop), runGiftCalendar(at.shop)])
    expect(await sent()).toBe(MANY)
    // Sending a gift again would have invalidated its earlier link.
    const due = await db.select().from(membershipGifts).where(like(membershipGifts.email, 'due-%'))
    expect(due.filter(({ edition }) => edition !== 1)).toEqual([])
  },
)
