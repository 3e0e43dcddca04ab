import { asc, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { credits, subscriptionInvoices } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import type { Invoice } from '#server/outside/stripe/invoices.ts'
import { planOfKey } from '#server/outside/stripe/membership-prices.ts'
import { PLANS } from '#contract/plans.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { vatIn } from '../prices/rules.ts'
import { reconcileMemberships, settleInvoice, settleSubscription } from './rules.ts'

/** Members of one shop, who live beside each other for two years; so many shops, one after the other. */
const LIVES = process.env.LONG ? 50 : 10
const SHOPS = process.env.LONG ? 100 : 1
const STEPS = 14

let all: MembersShop
beforeEach(async () => {
  all = await membersShop()
  await all.sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' })
})
afterEach(() => all?.close())

const invoicesOf = async (member: Member): Promise<Invoice[]> => {
  const found: Invoice[] = []
  const subscription = await member.providerId()
  const { invoices } = all.sandbox.billing
  for await (const { id } of invoices.list({ subscription })) found.push(await invoices.retrieve(id))
  return found.reverse()
}

test.each(Array.from({ length: SHOPS }, (_, one) => seed + one))(
  'MEMB-36: whatever becomes of many memberships, and however their notices come, what was charged is what was sold and granted (seed %i)',
  { timeout: process.env.LONG ? 600_000 : 300_000 },
  async (from) => {
    const random = randomNumbers(from)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    // On any day of a year, the last of a month too.
    await all.pass(`P${Math.floor(random() * 365)}D`)
    const members: Member[] = []
    for (let life = 0; life < LIVES; life += 1) members.push(await all.member(pick([1, 2, 4, 5, 6, 7])))
    const changed = new Set<string>()

    /** Notices are lost, told twice, and told in any order. */
    const tell = async (member: Member) => {
      const subscription = await member.providerId()
      const notices = [
        () => settleSubscription(all.shop, subscription),
        ...(await invoicesOf(member)).map(
          ({ id }) =>
            () =>
              settleInvoice(all.shop, id),
        ),
      ]
      for (const notice of notices.toSorted(() => random() - 0.5).slice(0, Math.floor(random() * 4)))
        await notice()
    }

    for (let step = 0; step < STEPS; step += 1) {
      await all.pass(`P${5 + Math.floor(random() * 95)}D`)
      for (const member of members) {
        const on = (path: string, payload?: object) =>
          member.ask('POST', `/api/subscriptions/${member.id}${path}`, payload)
        const wish = pick([
          'nothing',
          'nothing',
          'fails',
          'pays',
          'cancel',
          'resume',
          'change',
          'tell',
        ] as const)
        if (wish === 'fails') await all.bank(member, 'generic_decline').catch(() => undefined)
        if (wish === 'pays') await all.bank(member, 'pass').catch(() => undefined)
        if (wish === 'cancel') await on('/cancel')
        if (wish === 'resume')
          await member.ask('PATCH', `/api/subscriptions/${member.id}`, { canceledAt: null })
        if (wish === 'change') {
          const plan = pick([1, 2, 4, 5, 6, 7])
          const answer = await member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan })
          if (answer.statusCode === 200) changed.add(member.id)
        }
        if (wish === 'tell') await tell(member)
      }
    }
    await reconcileMemberships(all.shop)
    // Nothing is left to be told: the same again changes nothing.
    for (const member of members) {
      await member.settle()
      const paid = (await invoicesOf(member)).filter(
        ({ state, paidMinor }) => state === 'paid' && paidMinor > 0,
      )
      const sold = await all.shop.db
        .select({ invoiceId: subscriptionInvoices.invoiceId, total: orders.totalMinor, vat: orders.vatMinor })
        .from(subscriptionInvoices)
        .innerJoin(orders, eq(orders.id, subscriptionInvoices.orderId))
        .where(eq(subscriptionInvoices.subscriptionId, member.id))
        .orderBy(asc(orders.paidAt))
      const bySale = sold.filter(({ total }) => total > 0)
      expect(Object.fromEntries(bySale.map(({ invoiceId, total }) => [invoiceId, total]))).toEqual(
        Object.fromEntries(paid.map(({ id, paidMinor }) => [id, paidMinor])),
      )
      for (const { total, vat } of bySale) expect(vat).toBe(vatIn(total, 20))
      expect(await all.shop.db.$count(orders, eq(orders.userId, member.user.id))).toBe(sold.length)
      if (changed.has(member.id)) continue
      const promised = paid
        .filter(({ reason }) => reason !== 'changed')
        .map(({ lines }) => PLANS[planOfKey(lines.findLast(({ price }) => price !== null)?.price ?? '')!])
        .reduce((sum, { months, creditsPerMonth }) => sum + months * creditsPerMonth, 0)
      expect(await all.shop.db.$count(credits, eq(credits.subscriptionId, member.id))).toBe(promised)
    }
  },
)
