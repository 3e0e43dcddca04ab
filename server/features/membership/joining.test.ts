import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { membersShop, type MembersShop } from '#tests/support/members.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { syncSubscription } from './sync-subscription.ts'

const PEOPLE = process.env.LONG ? 2_000 : 12
const STEPS = 14
const ALREADY = 'User already has an active subscription'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await all.shop.db.insert(discounts).values({ code: 'FREEMONTH', type: 'subscription', percent: 100 })
})
afterAll(() => all?.close())

/** A checkout tab: it can be submitted, left and submitted again at any age. */
interface Tab {
  readonly id: string
  readonly clientSecret: string
}

test(
  'in many tabs, left, refused and submitted again: no two memberships, no payment that was not submitted, no lock-out',
  { timeout: process.env.LONG ? 1_200_000 : 300_000 },
  async () => {
    const random = randomNumbers(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    for (let person = 0; person < PEOPLE; person += 1) {
      const buyer = await aBuyer(all.shop)
      const tabs: Tab[] = []
      const done: string[] = []
      let pressedMinor = 0
      const own = () =>
        all.shop.db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.user.id))
      const running = async () =>
        (await own()).filter(({ status }) => ['trialing', 'active', 'past_due'].includes(status))
      const settle = async () => {
        for (const { providerId } of await own())
          if (providerId !== null) await syncSubscription(all.shop, providerId)
      }
      const begin = async (path: string, body: object) => {
        const answer = await buyer.ask('POST', `/api/subscriptions${path}`, { startNow: true, ...body })
        const { paymentIntent, 'hydra:description': refusal } = answer.json()
        done.push(`${path} ${answer.statusCode} ${refusal ?? ''}`)
        if (paymentIntent) tabs.push({ id: paymentIntent.split('_secret_')[0], clientSecret: paymentIntent })
        if (refusal !== ALREADY) return
        await settle()
        expect(await running(), done.join('\n')).toHaveLength(1)
      }
      const steps = {
        trial: () => begin('/create_trial_subscription', {}),
        join: () => begin('', { plan: pick([1, 4]) }),
        free: () => begin('/create-without-payment', { plan: 4, couponCode: 'FREEMONTH' }),
        async press() {
          const tab = pick(tabs)
          if (!tab) return
          const card = pick(['4242424242424242', '4242424242424242', '4000000000000002'])
          const isSetUp = tab.id.startsWith('seti_')
          const before = await all.sandbox.payments.retrievePayment(tab.id).catch(() => null)
          await (isSetUp ? all.sandbox.confirmSetUp(tab, card) : all.sandbox.confirm(tab, card))
          const after = await all.sandbox.payments.retrievePayment(tab.id).catch(() => null)
          if (before?.state !== 'paid' && after?.state === 'paid') pressedMinor += after.amountMinor
          done.push(`press ${isSetUp ? 'set-up' : 'payment'} ${tab.id} ${card.slice(-4)}`)
        },
        async comeBack() {
          const tab = pick(tabs)
          if (!tab) return
          const { id, clientSecret } = tab
          const answer = id.startsWith('seti_')
            ? await buyer.ask('POST', '/api/set_ups/return', { setupIntent: id, clientSecret })
            : await buyer.ask('POST', '/api/payments/return', { paymentIntent: id, clientSecret })
          done.push(`came back ${id} ${answer.statusCode} ${answer.json().outcome}`)
        },
        async told() {
          const { providerId } = pick(await own()) ?? {}
          if (providerId) await syncSubscription(all.shop, providerId)
        },
      }
      for (let step = 0; step < STEPS; step += 1)
        await steps[pick(['trial', 'join', 'join', 'free', 'press', 'press', 'comeBack', 'told'] as const)]()
      await settle()
      const left = done.join('\n')
      expect((await running()).length, left).toBeLessThanOrEqual(1)
      const paid = await all.shop.db.select().from(orders).where(eq(orders.userId, buyer.user.id))
      const soldMinor = paid.reduce((sum, { totalMinor }) => sum + totalMinor, 0)
      expect(soldMinor, left).toBe(pressedMinor)
    }
  },
)
