import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BusinessClock } from '#server/clock.ts'
import { postpone } from '#server/due-work/queries.ts'
import { rateLimits, sessions } from '#server/db/schema/accounts.ts'
import { carts } from '#server/db/schema/bag.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { postponedWork } from '#server/db/schema/jobs.ts'
import { listeningEvents } from '#server/db/schema/listening.ts'
import { mails } from '#server/db/schema/mails.ts'
import { providerEvents } from '#server/db/schema/orders.ts'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { cleanUp } from './clean-up.ts'
import { untilNightMs } from './business-jobs.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('the clean-up deletes what has expired and keeps the rest, however often it runs', async () => {
  const { id: userId } = await aUser(shop)
  const now = shop.now().getTime()
  const daysFromNow = (days: number) => new Date(now + days * 24 * 3_600_000)
  const session = (days: number) => ({
    userId,
    tokenHash: `ends in ${days}`,
    expiresAt: daysFromNow(days),
    endsAt: daysFromNow(days),
  })
  await shop.db.insert(sessions).values([session(-1), session(1)])
  await shop.db.insert(rateLimits).values([
    { key: 'over', hits: 5, windowEndsAt: daysFromNow(-1) },
    { key: 'counting', hits: 5, windowEndsAt: daysFromNow(1) },
  ])
  const old = Array.from({ length: 12_000 }, () => ({
    userId,
    eventId: randomUUID(),
    receivedAt: daysFromNow(-31),
  }))
  for (let from = 0; from < old.length; from += 4_000)
    await shop.db.insert(listeningEvents).values(old.slice(from, from + 4_000))
  await shop.db
    .insert(listeningEvents)
    .values({ userId, eventId: randomUUID(), receivedAt: daysFromNow(-29) })

  for (let run = 0; run < 2; run++) {
    await cleanUp(shop)
    expect(await shop.db.$count(listeningEvents)).toBe(1)
    expect((await shop.db.select().from(rateLimits)).map(({ key }) => key)).toEqual(['counting'])
    expect((await shop.db.select().from(sessions)).map(({ tokenHash }) => tokenHash)).toEqual(['ends in 1'])
  }
})

test('the nightly run is always in the future, at 03:17 UTC', () => {
  const nextAfter = (instant: string) =>
    new Date(Date.parse(instant) + untilNightMs(new Date(instant))).toISOString()
  expect(nextAfter('2026-03-02T01:00:00.000Z')).toBe('2026-03-02T03:17:00.000Z')
  expect(nextAfter('2026-03-02T03:17:00.000Z')).toBe('2026-03-03T03:17:00.000Z')
  expect(nextAfter('2026-03-02T23:59:59.999Z')).toBe('2026-03-03T03:17:00.000Z')
})

test('the clean-up deletes abandoned guest bags, old feed messages and old provider events', async () => {
  const { id: userId } = await aUser(shop)
  const daysAgo = (days: number) => new Date(shop.now().getTime() - days * 24 * 3_600_000)
  const bag = (days: number, owner: string | null = null) => ({ userId: owner, updatedAt: daysAgo(days) })
  await shop.db.insert(carts).values([bag(100), bag(80), bag(100, userId)])
  const data = { type: 'library' }
  await shop.db.insert(feedEvents).values([
    { userId, data, createdAt: daysAgo(2) },
    { userId, data, createdAt: daysAgo(0.5) },
  ])
  await shop.db.insert(providerEvents).values([
    { id: 'evt_old', type: 'x', receivedAt: daysAgo(31) },
    { id: 'evt_new', type: 'x', receivedAt: daysAgo(29) },
  ])
  for (let run = 0; run < 2; run++) {
    await cleanUp(shop)
    expect(await shop.db.$count(carts)).toBe(2)
    expect(await shop.db.$count(feedEvents)).toBe(1)
    expect((await shop.db.select().from(providerEvents)).map(({ id }) => id)).toEqual(['evt_new'])
  }
})

test('a failing step of the clean-up does not stop the others, and is reported', async () => {
  const now = shop.now().getTime()
  await shop.db.insert(rateLimits).values({ key: 'long over', hits: 1, windowEndsAt: new Date(now - 1000) })
  await shop.db.execute(sql`alter table listening_events rename to away`)
  try {
    await expect(cleanUp(shop)).rejects.toThrow('1 of ')
  } finally {
    await shop.db.execute(sql`alter table away rename to listening_events`)
  }
  expect((await shop.db.select().from(rateLimits)).map(({ key }) => key)).not.toContain('long over')
})

test('mails are deleted 400 days after they were sent or given up, never while they wait', async () => {
  const daysAgo = (days: number) => new Date(shop.now().getTime() - days * 24 * 3_600_000)
  const mail = (key: string, at: object) => ({
    key,
    kind: 'x',
    recipient: '',
    data: {},
    queuedAt: daysAgo(500),
    ...at,
  })
  await shop.db
    .insert(mails)
    .values([
      mail('sent long ago', { sentAt: daysAgo(401) }),
      mail('given up long ago', { failedAt: daysAgo(401) }),
      mail('sent', { sentAt: daysAgo(399) }),
      mail('waits', {}),
    ])
  await cleanUp(shop)
  expect((await shop.db.select().from(mails)).map(({ key }) => key).sort()).toEqual(['sent', 'waits'])
})

test('postponed work is deleted 90 days after it was due, by business time', async () => {
  const soon = { work: 'withdrawal' as const, id: randomUUID() }
  await postpone(shop.db, soon, () => ({ failures: 1, until: shop.clock.now() }))
  const cleanUpAfter = (days: number) =>
    cleanUp({
      ...shop,
      clock: new BusinessClock(() => new Date(shop.clock.now().getTime() + days * 24 * 3_600_000)),
    })
  await cleanUpAfter(89)
  expect(await shop.db.$count(postponedWork)).toBe(1)
  await cleanUpAfter(91)
  expect(await shop.db.$count(postponedWork)).toBe(0)
})
