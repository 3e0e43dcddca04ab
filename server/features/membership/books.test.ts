import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanId } from '#contract/plans.ts'
import { credits, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import type { Payment } from '#server/integrations/stripe/payments.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { invoicesOf, promised, sum } from '#tests/support/membership-books.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { pence } from '../prices/pricing.ts'
import { runMembershipCalendar } from './membership-schedule.ts'
import { reconcileMemberships } from './sync-due-memberships.ts'
import { syncInvoicePayment } from './membership-refunds.ts'

const [MEMBERS, MONTHS] = process.env.LONG ? [200, 24] : [6, 6]
const SOLD: readonly PlanId[] = [1, 2, 4, 5, 6, 7]

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await all.sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' })
})
afterAll(() => all?.close())

interface Account {
  readonly member: Member
  readonly subscription: string
  /** The number of titles taken with a credit. */
  taken: number
}

/** The VAT within a sum, calculated independently of the shop's code: one sixth at 20%, half a penny rounded up. */
const sixth = (minor: number) => Math.floor(minor / 6 + 0.5)

test(
  'MEMB-36 MEMB-39: after months of failures, changes and refunds charges equal invoices, orders and receipts, and credits what was paid for',
  { timeout: 7_200_000 },
  async () => {
    const random = randomNumbers(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    await all.pass(`P${Math.floor(random() * 365)}D`)
    const accounts: Account[] = []
    for (let account = 0; account < MEMBERS; account += 1) {
      const member = await all.member(SOLD[account % SOLD.length])
      accounts.push({ member, subscription: await member.providerId(), taken: 0 })
    }
    const paymentsOf = async (subscription: string): Promise<Payment[]> => {
      const found: Payment[] = []
      for (const { state, payment } of await invoicesOf(all.sandbox, subscription))
        if (state === 'paid' && payment) found.push(await all.sandbox.payments.retrievePayment(payment))
      return found
    }
    const turns: readonly ((account: Account) => Promise<unknown>)[] = [
      ({ member }) => all.bank(member, 'generic_decline'),
      ({ member }) => all.bank(member, 'pass'),
      ({ member }) => member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan: pick(SOLD) }),
      ({ member }) => member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan: pick(SOLD) }),
      async (account) => {
        const { slug } = await anAudioBook(all.shop, { priceMinor: 1200, secondEdition: true })
        const path = `/api/audio_books/add-to-library/${slug}`
        if ((await account.member.ask('POST', path, {})).statusCode === 200) account.taken += 1
      },
      async ({ subscription }) => {
        const left = (await paymentsOf(subscription)).filter((one) => one.amountMinor > one.refundedMinor)
        if (left.length === 0) return
        const { id, amountMinor, refundedMinor } = pick(left)
        const rest = amountMinor - refundedMinor
        const back = random() < 0.15 ? rest : 1 + Math.floor((random() * rest) / 2)
        await all.sandbox.payments.refundPayment(id, { amountMinor: back }, `${id}:${refundedMinor}`)
        // Otherwise the webhook event is lost, and the job finds the refund.
        if (random() < 0.5) await syncInvoicePayment(all.shop, id)
      },
      ({ member }) => member.ask('POST', `/api/subscriptions/${member.id}/cancel`, {}),
      ({ member }) => member.ask('PATCH', `/api/subscriptions/${member.id}`, { canceledAt: null }),
      ({ member }) => member.settle(),
    ]
    for (let month = 0; month < MONTHS; month += 1) {
      for (const account of accounts)
        for (let turn = Math.floor(random() * 3); turn > 0; turn -= 1)
          await pick(turns)(account).catch(() => undefined)
      await reconcileMemberships(all.shop)
      // The events of this time arrive late and all at once.
      await all.pass(pick(['P1M', 'P1M', 'P5W']))
      await runMembershipCalendar(all.shop)
    }
    await reconcileMemberships(all.shop)

    const now = all.shop.clock.now()
    for (const { member, subscription, taken } of accounts) {
      const invoices = (await invoicesOf(all.sandbox, subscription)).filter(({ state }) => state === 'paid')
      const charged = await paymentsOf(subscription)
      const sold = await all.shop.db
        .select({ order: orders, invoiceId: subscriptionInvoices.invoiceId })
        .from(subscriptionInvoices)
        .innerJoin(orders, eq(orders.id, subscriptionInvoices.orderId))
        .where(eq(subscriptionInvoices.subscriptionId, member.id))
        .orderBy(asc(orders.paidAt))
      const bill = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
      const { invoices: shown }: { invoices: { order: string; amount: number; refunded: number }[] } = bill

      expect(sold.map(({ invoiceId }) => invoiceId).toSorted()).toEqual(
        invoices.map(({ id }) => id).toSorted(),
      )
      const taking = charged.map(({ amountMinor }) => amountMinor)
      expect(sum(invoices.map(({ paidMinor }) => paidMinor))).toBe(sum(taking))
      expect(sum(sold.map(({ order }) => order.totalMinor))).toBe(sum(taking))
      expect(sum(shown.map(({ amount }) => pence(amount)))).toBe(sum(taking))
      const back = sum(charged.map(({ refundedMinor }) => refundedMinor))
      expect(sum(sold.map(({ order }) => order.refundedMinor))).toBe(back)
      expect(sum(shown.map(({ refunded }) => pence(refunded)))).toBe(back)
      for (const { order, invoiceId } of sold) {
        const receipt = (await member.ask('GET', `/api/order_carts/${order.id}`)).json()
        const { paidMinor } = invoices.find(({ id }) => id === invoiceId)!
        expect([pence(receipt.amount), pence(receipt.sumVat)]).toEqual([paidMinor, sixth(paidMinor)])
        expect(pence(receipt.sumNet)).toBe(paidMinor - sixth(paidMinor))
        expect(pence(receipt.refundedAmount)).toBe(order.refundedMinor)
      }

      const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
      const granted = await all.shop.db.select().from(credits).where(eq(credits.subscriptionId, member.id))
      expect(granted, JSON.stringify({ anchor: row!.anchor, invoices })).toHaveLength(
        promised(invoices, row!.anchor),
      )
      const spent = granted.filter(({ spentAt }) => spentAt !== null)
      const unspent = granted.filter(({ spentAt }) => spentAt === null)
      const gone = unspent.filter(({ revokedAt, usableUntil }) => revokedAt !== null || usableUntil <= now)
      const later = unspent.filter(({ revokedAt, usableFrom }) => revokedAt === null && usableFrom > now)
      const { credits: left } = (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
      expect(spent).toHaveLength(taken)
      expect(spent.length + gone.length + later.length + left.left).toBe(granted.length)
    }
  },
)
