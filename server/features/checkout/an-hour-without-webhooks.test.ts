import { DAY_MS } from '#contract/durations.ts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { customers, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { priceKeyOf } from '#server/integrations/stripe/prices.ts'
import { sandboxControlOf } from '#server/integrations/stripe/sandbox-control.ts'
import { paymentSettings } from '#server/settings/payment-settings.ts'
import { aUser } from '#tests/support/builders.ts'
import { membersShop, type MembersShop } from '#tests/support/members.ts'
import { followEvents } from '../provider-events/follow-events.ts'

/** The long run has as many members as the shop hopes for, and measures time; the short one counts calls only. */
const MEMBERS = process.env.LONG ? 20_000 : 150
/** About as many of 20,000 monthly members as renew in an hour, and a few more. */
const RENEWING = process.env.LONG ? 40 : 12
const BATCH_SIZE = 200
const MOST_MS = 5 * 60_000

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await manyMembers()
}, 3_600_000)
afterAll(() => all?.close())

/** Some memberships end within the hour. The shop has not processed the last renewal of any of them. */
async function manyMembers(): Promise<void> {
  const { db, clock } = all.shop
  const { id } = await aUser(all.shop)
  const [person] = await db.select().from(users).where(eq(users.id, id))
  const monthAgo = clock.now().getTime() - 31 * DAY_MS
  const provider = sandboxControlOf(paymentSettings(all.sandbox.env))!
  for (let first = 0; first < MEMBERS; first += BATCH_SIZE) {
    const people = Array.from({ length: Math.min(BATCH_SIZE, MEMBERS - first) }, (_, at) => {
      const place = first + at
      const from = new Date(
        place < RENEWING ? monthAgo + (place + 1) * 60_000 : monthAgo + 10 * DAY_MS + place * 60_000,
      )
      return {
        user: crypto.randomUUID(),
        subscription: crypto.randomUUID(),
        from,
        email: `${place}@murmur.example`,
      }
    })
    await db.insert(users).values(people.map(({ user, email }) => ({ ...person!, id: user, email })))
    const made = await provider.members(
      people.map(({ user, subscription, from, email }) => ({
        email,
        name: 'A Reader',
        metadata: { user, subscription },
        price: priceKeyOf(4),
        method: 'card',
        startedAt: from,
        periodStart: from,
        periodEnd: null,
        isTrial: false,
        canceledAt: null,
        isRefused: false,
        discount: null,
      })),
    )
    const userOf = new Map<string, string>(people.map(({ user, subscription }) => [subscription, user]))
    await db.insert(customers).values(
      made.map(({ subscription, customer }) => ({
        userId: userOf.get(subscription)!,
        customerId: customer,
        syncedEmail: null,
        syncedName: null,
      })),
    )
    await db.insert(subscriptions).values(
      made.map(({ subscription, providerId, anchor, periodStart, periodEnd, nextMinor }) => ({
        id: subscription,
        userId: userOf.get(subscription)!,
        plan: 4 as const,
        status: 'active' as const,
        providerId,
        orderedAt: periodStart,
        anchor,
        periodStart,
        periodEnd,
        validUntil: periodEnd,
        nextMinor,
        paymentType: 'card' as const,
      })),
    )
  }
}

test(
  'catching up on an hour without webhooks takes minutes, and costs calls for its events, not for all members',
  { timeout: 3_600_000 },
  async () => {
    await followEvents(all.shop)
    await all.sandbox.control('calls')
    await all.pass('PT2H5M')
    const before = performance.now()
    await followEvents(all.shop)
    const tookMs = performance.now() - before
    const { calls } = (await all.sandbox.control('calls')) as { calls: string[] }

    // Two invoices each: the previous month was not processed here either.
    const sold = await all.shop.db
      .select({ invoices: sql<number>`count(*)::int` })
      .from(subscriptionInvoices)
      .groupBy(subscriptionInvoices.subscriptionId)
    expect(sold).toEqual(Array.from({ length: RENEWING }, () => ({ invoices: 2 })))
    const pages = calls.filter((call) => call === 'GET /v1/events').length
    // Five calls for each membership and three for its new payment; twice that if its events are on two pages.
    expect(calls.length - pages).toBeLessThanOrEqual(RENEWING * 12)
    expect(pages).toBeLessThan(20)
    expect(tookMs).toBeLessThan(MOST_MS)
  },
)
