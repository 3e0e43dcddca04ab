import { DAY_MS } from '#contract/durations.ts'
import { and, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { PLANS } from '#contract/plans.ts'
import { aBuyer, type Buyer, hearOf, payingShop } from '#tests/support/purchases.ts'
import { signedIn } from '#tests/support/builders.ts'
import { aRecipient, anAccountOf, give } from '#tests/support/gifts.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { runMembershipCalendar } from '../membership/membership-schedule.ts'
import { reconcile } from '../checkout/reconcile-payments.ts'
import { sendDueRefunds } from '../checkout/refund-order-lines.ts'
import { monthsAfter } from '../membership/months.ts'
import { runGiftCalendar } from './gift-delivery.ts'

/**
 * The number of gifts that one shop simulates together over three years, and the number of seeds, one after the other.
 */
const LIVES = process.env.LONG ? 50 : 30
const SEEDS = process.env.LONG ? 40 : 1
/** Events that chance may leave out; the first gifts go through them with every seed. */
const FATES = ['begins', 'is taken back', 'is paid back', 'is lost in a dispute'] as const
const STEPS = 16
const LONGEST_STEP_DAYS = 140

interface Life {
  readonly giver: Buyer
  readonly recipient: Buyer
  readonly id: string
  readonly intent: string
}

test.each(Array.from({ length: SEEDS }, (_, one) => seed + one))(
  'GIFT-18 GIFT-20: after random events each gift is delivered once, begins once, without gap or overlap, and its money is accounted for (seed %i)',
  { timeout: 300_000 },
  async (from) => {
    const random = randomNumbers(from)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
    const at = await payingShop()
    const { shop } = at
    const { db, clock } = shop
    const closed = new Set<Buyer>()
    const ask = async (who: Buyer, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
      closed.has(who)
        ? undefined
        : shop.app.inject({
            method,
            url,
            headers: await signedIn(shop, who.user),
            ...(payload ? { payload } : {}),
          })
    const close = async (who: Buyer) => {
      const { id, password } = who.user
      const answer = await ask(who, 'POST', `/api/users/${id}/delete-account`, { password })
      if (answer && answer.statusCode < 300) closed.add(who)
    }

    /** Recipients get several gifts, so that one waits behind another and behind a membership of their own. */
    const recipients: Buyer[] = []
    for (let one = 0; one < LIVES / 2; one += 1) {
      const recipient = await anAccountOf(shop, aRecipient())
      const until = new Date(clock.now().getTime() + Math.floor(random() * 200) * DAY_MS)
      if (one >= FATES.length && random() < 0.5)
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
      const isArranged = life < FATES.length
      const recipient = isArranged ? recipients[life]! : pick(recipients)
      const day = new Date(clock.now().getTime() + Math.floor(random() * 60) * DAY_MS)
      const { order, intent } = await give(at, giver, {
        plan: pick([1, 2, 3, 4, 5, 6, 7]),
        giftEmail: recipient.user.email,
        ...(!isArranged && random() < 0.4
          ? { giftDeliveryDate: day.toISOString().slice(0, 10), giftTimeZone: 'Asia/Tokyo' }
          : {}),
      })
      const gift = (await db.select().from(membershipGifts)).find(({ orderId }) => orderId === order)!
      lives.push({ giver, recipient, id: gift.id, intent })
    }

    /** Webhook events arrive at once, or late and in any order, and some twice. */
    const untold: string[] = []
    const note = async (intent: string) => {
      if (random() < 0.6) await hearOf(at, intent, undefined, 'charge.refunded')
      if (random() < 0.6) untold.push(intent)
    }
    const tellUntold = async () => {
      for (const intent of untold.splice(0).toSorted(() => random() - 0.5)) await hearOf(at, intent)
    }
    const claim = ({ recipient, id }: Life) =>
      Promise.all([
        ask(recipient, 'POST', `/api/subscriptions/gifts/${id}/claim`),
        ask(recipient, 'POST', `/api/subscriptions/gifts/${id}/claim`),
      ])
    const takeBack = ({ giver, id }: Life) => ask(giver, 'POST', `/api/subscriptions/given/${id}/take-back`)
    const fates: Record<(typeof FATES)[number], (life: Life) => Promise<unknown>> = {
      begins: claim,
      'is taken back': takeBack,
      async 'is paid back'({ intent }) {
        at.payments.giveBack(intent, (await at.payments.retrievePayment(intent)).amountMinor)
        await hearOf(at, intent, undefined, 'charge.refunded')
      },
      async 'is lost in a dispute'({ intent }) {
        at.payments.dispute(intent)
        at.payments.closeDispute(intent, 'lost')
        untold.push(intent)
      },
    }
    const act: readonly ((life: Life) => Promise<unknown>)[] = [
      claim,
      ({ id }) => ask(pick(recipients), 'POST', `/api/subscriptions/gifts/${id}/claim`),
      ({ giver, id }) =>
        ask(giver, 'PATCH', `/api/subscriptions/given/${id}`, { giftEmail: pick(recipients).user.email }),
      ({ giver, id }) => ask(giver, 'POST', `/api/subscriptions/given/${id}/send-again`),
      takeBack,
      ({ recipient }) => withdraw(recipient),
      ({ recipient }) => ask(recipient, 'GET', '/api/get-current-subscription'),
      async ({ intent }) => {
        const { amountMinor, refundedMinor } = await at.payments.retrievePayment(intent)
        // The provider's dashboard refuses to refund a payment that is disputed.
        if (['open', 'lost'].includes(await at.payments.disputeOf(intent))) return
        const left = amountMinor - refundedMinor
        const wished = random() < 0.3 ? 1 : random() < 0.2 ? left : 0
        if (Math.min(wished, left) > 0) at.payments.giveBack(intent, wished)
        return note(intent)
      },
      async ({ intent }) => random() < 0.2 && (at.payments.dispute(intent), note(intent)),
      async ({ intent }) => {
        if ((await at.payments.disputeOf(intent)) !== 'open') return
        at.payments.closeDispute(intent, random() < 0.6 ? 'won' : 'lost')
        await note(intent)
      },
      async ({ giver }) => random() < 0.2 && close(giver),
      async ({ recipient }) => random() < 0.1 && close(recipient),
    ]
    const withdraw = async (member: Buyer) => {
      const { id } = (await ask(member, 'GET', '/api/get-current-subscription'))?.json() ?? {}
      if (!id) return
      const { withdrawal } = (await ask(member, 'GET', `/api/subscriptions/${id}/details`))!.json()
      if (withdrawal)
        await ask(member, 'POST', `/api/subscriptions/${id}/withdraw`, { amount: withdrawal.amount })
    }
    for (const [life, fate] of FATES.entries()) await fates[fate](lives[life]!)
    for (let step = 0; step < STEPS; step += 1) {
      clock.advance(Math.floor(random() * LONGEST_STEP_DAYS) * 86_400 + 3600)
      await db.delete(rateLimits)
      if (random() < 0.8) await Promise.all([runGiftCalendar(shop), runGiftCalendar(shop)])
      if (random() < 0.8) await runMembershipCalendar(shop)
      if (random() < 0.3) await tellUntold()
      for (const life of lives) if (random() < 0.4) await pick(act)(life)
    }
    // Catch up on everything that is still pending.
    await reconcile(shop)
    await tellUntold()
    for (const work of [
      runGiftCalendar,
      runMembershipCalendar,
      runGiftCalendar,
      runMembershipCalendar,
      runGiftCalendar,
    ])
      await work(shop)
    await sendDueRefunds(shop)

    const sold = new Map((await db.select().from(orders)).map((order) => [order.id, order]))
    const owned = new Map((await db.select().from(subscriptions)).map((row) => [row.id, row]))
    const posted = (await db.select().from(mails)).filter(({ kind }) => kind === 'gift_membership')
    const free = await db
      .select()
      .from(credits)
      .where(and(isNull(credits.spentAt), isNull(credits.revokedAt)))
    const gifts = await db.select().from(membershipGifts)
    expect(gifts).toHaveLength(LIVES)
    const [begun, ...gone] = FATES.map((_, life) => gifts.find(({ id }) => id === lives[life]!.id)!)
    expect(begun!.begunAt).not.toBeNull()
    for (const [life, { revokedAt }] of gone.entries()) expect(revokedAt, FATES[life + 1]).not.toBeNull()
    const books = { in: 0, claimed: 0, unclaimed: 0, lapsed: 0, repaid: 0 }
    for (const gift of gifts) {
      const order = sold.get(gift.orderId!)!
      const life = lives.find(({ id }) => id === gift.id)!
      const payment = await at.payments.retrievePayment(life.intent)
      const dispute = await at.payments.disputeOf(life.intent)
      // Money and gift agree: the price was refunded in full exactly where the gift is revoked, and no recipient was
      // charged.
      expect(gift.revokedAt !== null).toBe(order.refundedMinor === order.totalMinor)
      expect(order.refundedMinor).toBe(dispute === 'lost' ? order.totalMinor : payment.refundedMinor)
      expect(gift.revokedAt !== null || (gift.suspendedAt !== null) === (dispute === 'open')).toBe(true)
      expect(gift.takenBackAt === null || gift.revokedAt !== null).toBe(true)
      expect(recipients.some(({ user }) => user.id === order.userId)).toBe(false)
      books.in += order.totalMinor
      books[fateOf(gift)] += gift.paidMinor
      expect([gift.lapsedAt, gift.claimedAt].filter((when) => when !== null).length).toBeLessThan(2)
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
      expect(became.validUntil <= became.periodEnd).toBe(true)
      expect(gift.revokedAt !== null && became.status !== 'canceled').toBe(false)
      const isOver = became.status === 'canceled' && became.validUntil < became.periodEnd
      expect(isOver && free.some(({ subscriptionId }) => subscriptionId === became.id)).toBe(false)
    }
    expect(books.claimed + books.unclaimed + books.lapsed + books.repaid).toBe(books.in)
    for (const { user } of recipients) {
      const spans = [...owned.values()]
        .filter(({ userId }) => userId === user.id)
        .toSorted((one, two) => one.periodStart.getTime() - two.periodStart.getTime())
      for (const [place, span] of spans.entries()) {
        const ended = spans.slice(0, place).map(({ validUntil }) => validUntil.getTime())
        const gift = gifts.find(({ subscriptionId }) => subscriptionId === span.id)
        // A gift begins when the earlier memberships have ended or when it was claimed, whichever is later.
        const begins = gift ? Math.max(gift.claimedAt!.getTime(), ...ended) : span.periodStart.getTime()
        expect(span.periodStart.getTime()).toBe(begins)
      }
      const isWaiting = gifts.some(
        ({ claimedBy, begunAt, revokedAt, suspendedAt }) =>
          claimedBy === user.id && !begunAt && !revokedAt && !suspendedAt,
      )
      const running = spans.filter(({ status }) => status === 'active')
      expect(running.length).toBeLessThan(2)
      expect(isWaiting && running.length === 0).toBe(false)
    }
    await shop.close()
  },
)

function fateOf({ revokedAt, lapsedAt, claimedAt }: typeof membershipGifts.$inferSelect) {
  if (revokedAt !== null) return 'repaid'
  if (lapsedAt !== null) return 'lapsed'
  return claimedAt !== null ? 'claimed' : 'unclaimed'
}
