import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, type Buyer } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { type Member, memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { thePlug } from '#tests/support/network-switch.ts'
import type { Shop } from '#server/shop.ts'
import { join } from './join.ts'
import { reconcileMemberships } from './sync-due-memberships.ts'
import { syncMembershipOfInvoice, syncSubscription } from './sync-subscription.ts'
import { syncInvoicePayment } from './membership-refunds.ts'

const LONGEST = { timeout: process.env.LONG ? 1_200_000 : 300_000 }
const ROUNDS = process.env.LONG ? 100 : 4

let all: MembersShop
const plug = thePlug()
beforeAll(async () => {
  all = await membersShop()
  // Every cut connection would log an error.
  all.shop.app.log.level = 'silent'
})
afterEach(() => void plug.disarm())
afterAll(async () => {
  plug.remove()
  await all?.close()
})

const joining = (buyer: Buyer, desk: Shop = all.shop) =>
  join(desk, {
    userId: buyer.user.id,
    plan: 4,
    code: null,
    trial: false,
    shownMinor: 800,
    startNow: true,
  })

async function expectOneBegun(buyer: Buyer): Promise<void> {
  const rows = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.user.id))
  expect(rows.map(({ status }) => status)).toEqual(['incomplete'])
  const customer = (await all.sandbox.billing.subscriptions.retrieve(rows[0]!.providerId!)).customer
  const atProvider = []
  for await (const { id } of all.sandbox.billing.subscriptions.list({ customer })) atProvider.push(id)
  expect(atProvider).toEqual([rows[0]!.providerId])
}

/** Repeats the work, each time cutting the connection one statement later, until it succeeds. */
async function cutAtEveryStatement(
  work: () => Promise<unknown>,
  again: () => Promise<unknown>,
): Promise<number> {
  for (let statements = 0; ; statements += 1) {
    plug.armAfter(statements)
    const problem = await work().catch((error: unknown) => error)
    if (!plug.disarm()) {
      if (problem instanceof Error) throw problem
      return statements
    }
    if (statements > 0 && statements % 7 === 0) await again()
  }
}

async function expectOnce(member: Member): Promise<void> {
  const { db } = all.shop
  expect(await db.$count(orders, eq(orders.userId, member.user.id))).toBe(1)
  expect(await db.$count(credits, eq(credits.subscriptionId, member.id))).toBe(1)
  expect(await all.mailsTo(member)).toEqual(['Welcome to Murmur membership'])
  expect(await member.current()).toMatchObject({ id: member.id, status: 'active' })
}

test(
  'a server killed at any statement of a join leaves one membership waiting for payment',
  LONGEST,
  async () => {
    const buyer = await aBuyer(all.shop)
    const cut = await cutAtEveryStatement(
      () => joining(buyer),
      () => joining(buyer),
    )
    expect(cut).toBeGreaterThan(8)
    const begun = await joining(buyer)
    await expectOneBegun(buyer)
    const secret = begun.clientSecret!
    await all.sandbox.confirm({ id: secret.split('_secret_')[0]!, clientSecret: secret })
    const member = memberOf(all.shop, buyer, begun.row.id)
    await member.settle()
    await expectOnce(member)
  },
)

test(
  'a server killed at any statement between charge and grant leaves one order, one grant, one email',
  LONGEST,
  async () => {
    const buyer = await aBuyer(all.shop)
    const { row, clientSecret } = await joining(buyer)
    await all.sandbox.confirm({ id: clientSecret!.split('_secret_')[0]!, clientSecret: clientSecret! })
    const member = memberOf(all.shop, buyer, row.id)
    const providerId = await member.providerId()
    const settling = () => syncSubscription(all.shop, providerId)
    const cut = await cutAtEveryStatement(settling, async () => undefined)
    expect(cut).toBeGreaterThan(12)
    await expectOnce(member)
  },
)

test(
  'the return page, events and the job for one invoice at the same time lead to one order, one grant, one email',
  LONGEST,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const buyer = await aBuyer(all.shop)
      const { row, clientSecret } = await joining(buyer)
      await all.sandbox.confirm({ id: clientSecret!.split('_secret_')[0]!, clientSecret: clientSecret! })
      const member = memberOf(all.shop, buyer, row.id)
      const providerId = await member.providerId()
      const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(providerId)
      const settled = await Promise.all([
        syncSubscription(all.shop, providerId),
        syncMembershipOfInvoice(all.shop, latestInvoice!),
        syncSubscription(all.shop, providerId),
        syncMembershipOfInvoice(all.shop, latestInvoice!),
      ])
      expect(settled[0]).toMatchObject({ status: 'active' })
      await expectOnce(member)
    }
  },
)

test(
  'the return page, repeated events and the job for one renewal at the same time lead to one order, one grant, one email',
  LONGEST,
  async () => {
    const members: Member[] = []
    for (let each = 0; each < ROUNDS; each += 1) members.push(await all.member(4))
    await all.pass('P1M')
    await all.pass('PT2H')
    const { db } = all.shop
    for (const member of members) {
      const providerId = await member.providerId()
      const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(providerId)
      const { payment } = await all.sandbox.billing.invoices.retrieve(latestInvoice!)
      // Another process of the same shop does not share this one's queue.
      const elsewhere = { ...all.shop, db: drizzle(all.shop.database.pool) }
      await Promise.all(
        [all.shop, elsewhere].flatMap((shop) => [
          syncInvoicePayment(shop, payment!),
          syncMembershipOfInvoice(shop, latestInvoice!),
          syncSubscription(shop, providerId),
          syncMembershipOfInvoice(shop, latestInvoice!),
        ]),
      )
      expect(await db.$count(orders, eq(orders.userId, member.user.id))).toBe(2)
      expect(await db.$count(credits, eq(credits.subscriptionId, member.id))).toBe(2)
    }
    await Promise.all([reconcileMemberships(all.shop), reconcileMemberships(all.shop)])
    for (const member of members) {
      expect(await db.$count(orders, eq(orders.userId, member.user.id))).toBe(2)
      expect(await db.$count(credits, eq(credits.subscriptionId, member.id))).toBe(2)
      expect(await all.mailsTo(member)).toEqual([
        'Welcome to Murmur membership',
        'Your Murmur membership has been renewed',
      ])
    }
  },
)

test('concurrent joins, here and in another process, create one subscription', LONGEST, async () => {
  const elsewhere = { ...all.shop, db: drizzle(all.shop.database.pool) }
  for (let round = 0; round < ROUNDS; round += 1) {
    const buyer = await aBuyer(all.shop)
    const begun = await Promise.allSettled(
      [all.shop, elsewhere, all.shop].map((shop) => joining(buyer, shop)),
    )
    const made = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(new Set(made.map(({ clientSecret }) => clientSecret)).size).toBe(1)
    await expectOneBegun(buyer)
  }
})

test('MEMB-38: spending one credit twice at the same time takes one title', LONGEST, async () => {
  const member = await all.member(4)
  const highlight = () => anAudioBook(all.shop, { priceMinor: 1200, secondEdition: true })
  const spent = await Promise.all(
    [await highlight(), await highlight()].map(({ slug }) =>
      member.ask('POST', `/api/audio_books/add-to-library/${slug}`, { waiver: true }),
    ),
  )
  expect(spent.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect((await member.ask('GET', '/api/logged-user')).json()).toMatchObject({ hasCredit: false })
})
