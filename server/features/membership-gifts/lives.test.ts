import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/membership-gifts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { PLANS } from '#contract/plans.ts'
import { aBuyer, type Buyer, hearOf, type PayingShop, payingShop } from '#tests/support/a-purchase.ts'
import { signedIn } from '#tests/support/builders.ts'
import { aRecipient, anAccountOf, give } from '#tests/support/given.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { keepCalendar } from '../billing/rules.ts'
import { repayGifts } from '../checkout/take-back.ts'
import { monthsAfter } from '../membership/rules.ts'
import { keepGifts } from './rules.ts'

/** Gifts of one shop, which live beside each other. */
const LIVES = process.env.LONG ? 2000 : 50
const STEPS = 12
const DAY_MS = 24 * 3_600_000

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

interface Life {
  readonly giver: Buyer
  readonly recipient: Buyer
  readonly id: string
  readonly intent: string
  closed: boolean
}

test(
  'GIFT-18 GIFT-20: however gifts live, each is delivered once, begins once, without an overlap, and its money is where it is',
  { timeout: 600_000 },
  async () => {
    const random = randomNumbers(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const { shop } = at
    const { db, clock } = shop
    const ask = async (who: Buyer, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
      shop.app.inject({
        method,
        url,
        headers: await signedIn(shop, who.user),
        ...(payload ? { payload } : {}),
      })

    /** Recipients share gifts, so that one waits behind another, and behind a membership of their own. */
    const recipients: Buyer[] = []
    for (let one = 0; one < LIVES / 2; one += 1) {
      const recipient = await anAccountOf(shop, aRecipient())
      const until = new Date(clock.now().getTime() + Math.floor(random() * 200) * DAY_MS)
      if (random() < 0.5)
        await db.insert(subscriptions).values({
          userId: recipient.user.id,
          plan: 4,
          status: 'active',
          couponCode: 'OWN',
          orderedAt: clock.now(),
          periodStart: clock.now(),
          periodEnd: until,
          validUntil: until,
        })
      recipients.push(recipient)
    }
    const lives: Life[] = []
    for (let life = 0; life < LIVES; life += 1) {
      const giver = await aBuyer(shop)
      const recipient = pick(recipients)
      const day = new Date(clock.now().getTime() + Math.floor(random() * 60) * DAY_MS)
      const { order, intent } = await give(at, giver, {
        plan: pick([1, 2, 3, 4, 5, 6, 7]),
        giftEmail: recipient.user.email,
        ...(random() < 0.4
          ? { giftDeliveryDate: day.toISOString().slice(0, 10), giftTimeZone: 'Asia/Tokyo' }
          : {}),
      })
      const gift = (await db.select().from(membershipGifts)).find(({ orderId }) => orderId === order)!
      lives.push({ giver, recipient, id: gift.id, intent, closed: false })
    }

    const act: readonly ((life: Life) => Promise<unknown>)[] = [
      ({ recipient, id }) =>
        Promise.all([
          ask(recipient, 'POST', `/api/subscriptions/gifts/${id}/claim`),
          ask(recipient, 'POST', `/api/subscriptions/gifts/${id}/claim`),
        ]),
      ({ id }) => ask(pick(recipients), 'POST', `/api/subscriptions/gifts/${id}/claim`),
      async ({ giver, id, closed }) =>
        closed ||
        ask(giver, 'PATCH', `/api/subscriptions/given/${id}`, { giftEmail: pick(recipients).user.email }),
      async ({ giver, id, closed }) =>
        closed || ask(giver, 'POST', `/api/subscriptions/given/${id}/send-again`),
      async ({ giver, id, closed }) =>
        closed || ask(giver, 'POST', `/api/subscriptions/given/${id}/take-back`),
      async ({ intent }) => {
        const { amountMinor, refundedMinor } = await at.payments.retrievePayment(intent)
        const left = amountMinor - refundedMinor
        const wished = random() < 0.3 ? 1 : random() < 0.2 ? left : 0
        if (Math.min(wished, left) > 0) at.payments.giveBack(intent, wished)
        return hearOf(at, intent, undefined, 'charge.refunded')
      },
      async ({ intent }) => random() < 0.1 && (at.payments.dispute(intent), hearOf(at, intent)),
      async (life) => {
        if (life.closed || random() < 0.8) return
        const { id, password } = life.giver.user
        life.closed =
          (await ask(life.giver, 'POST', `/api/users/${id}/delete-account`, { password })).statusCode < 300
      },
    ]
    for (let step = 0; step < STEPS; step += 1) {
      clock.advance(Math.floor(random() * 90) * 86_400 + 3600)
      await db.delete(rateLimits)
      if (random() < 0.8) await Promise.all([keepGifts(shop), keepGifts(shop)])
      if (random() < 0.8) await keepCalendar(shop)
      for (const life of lives) if (random() < 0.4) await pick(act)(life)
    }
    // Whoever slept wakes up.
    for (const work of [keepGifts, keepCalendar, keepGifts, keepCalendar, keepGifts]) await work(shop)
    await repayGifts(shop)

    const sold = new Map((await db.select().from(orders)).map((order) => [order.id, order]))
    const owned = new Map((await db.select().from(subscriptions)).map((row) => [row.id, row]))
    const posted = (await db.select().from(mails)).filter(({ kind }) => kind === 'gift_membership')
    const gifts = await db.select().from(membershipGifts)
    expect(gifts).toHaveLength(LIVES)
    expect(gifts.filter(({ begunAt }) => begunAt).length).toBeGreaterThan(LIVES / 10)
    expect(gifts.filter(({ revokedAt }) => revokedAt).length).toBeGreaterThan(0)
    for (const gift of gifts) {
      const order = sold.get(gift.orderId!)!
      // Money and gift agree: all of it went back exactly where the gift is gone, and nobody else was sold anything.
      expect(gift.revokedAt !== null).toBe(order.refundedMinor === order.totalMinor)
      expect(gift.takenBackAt === null || gift.revokedAt !== null).toBe(true)
      expect(recipients.some(({ user }) => user.id === order.userId)).toBe(false)
      const isDue = gift.deliverAt <= clock.now() && !gift.revokedAt && !gift.suspendedAt
      expect(isDue && gift.sentAt === null).toBe(false)
      expect(posted.filter(({ key }) => key.startsWith(`gift_membership:${gift.id}:`))).toHaveLength(
        gift.edition,
      )
      expect(gift.begunAt !== null).toBe(gift.subscriptionId !== null)
      const became = gift.subscriptionId === null ? null : owned.get(gift.subscriptionId)!
      if (!became) continue
      expect(became).toMatchObject({ userId: gift.claimedBy, gift: true, plan: gift.plan, providerId: null })
      expect(became.periodStart >= gift.claimedAt!).toBe(true)
      expect(became.periodEnd).toEqual(monthsAfter(became.periodStart, PLANS[gift.plan].months))
      expect(gift.revokedAt !== null && became.status !== 'canceled').toBe(false)
    }
    for (const { user } of recipients) {
      const spans = [...owned.values()]
        .filter(({ userId }) => userId === user.id)
        .toSorted((one, two) => one.periodStart.getTime() - two.periodStart.getTime())
      for (const [place, span] of spans.entries()) {
        const before = spans[place - 1]
        expect(before !== undefined && span.periodStart < before.validUntil).toBe(false)
      }
      expect(spans.filter(({ status }) => status === 'active').length).toBeLessThan(2)
    }
  },
)
