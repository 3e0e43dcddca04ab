import { DAY_MS } from '#contract/durations.ts'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { aUser } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { runMembershipCalendar, nextOfMembershipCalendar } from './membership-schedule.ts'

/** More than one page of the job. */
const MANY = 130

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('all trials that end within a week are reminded, once each, however many there are', async () => {
  const { id } = await aUser(shop)
  const [sample] = await shop.db.select().from(users).limit(1)
  const people = await shop.db
    .insert(users)
    .values(
      Array.from({ length: MANY }, (_, at) => ({
        ...sample!,
        id: crypto.randomUUID(),
        email: `trial-${at}@murmur.example`,
      })),
    )
    .returning({ id: users.id })
  expect(id).toBe(sample!.id)
  const from = shop.clock.now()
  const ends = new Date(from.getTime() + 5 * DAY_MS)
  await shop.db.insert(subscriptions).values(
    people.map((person) => ({
      userId: person.id,
      plan: 4 as const,
      status: 'trialing' as const,
      periodStart: from,
      periodEnd: ends,
      validUntil: ends,
      trialEndsAt: ends,
    })),
  )
  await runMembershipCalendar(shop)
  await runMembershipCalendar(shop)
  expect(await shop.db.$count(mails, like(mails.key, 'trial_ending:%'))).toBe(MANY)
})

test('the schedule knows when it has work next, and that it has none left', async () => {
  await shop.db.delete(subscriptions)
  const from = shop.clock.now()
  expect(await nextOfMembershipCalendar(shop, from)).toBeNull()
  const { id: userId } = await aUser(shop)
  const inDays = (days: number) => new Date(from.getTime() + days * DAY_MS)
  const ends = inDays(30)
  await shop.db.insert(subscriptions).values({
    userId,
    plan: 4,
    status: 'trialing',
    periodStart: from,
    periodEnd: ends,
    validUntil: ends,
    trialEndsAt: ends,
  })
  expect(await nextOfMembershipCalendar(shop, from)).toEqual(inDays(23))
  expect(await nextOfMembershipCalendar(shop, inDays(23))).toEqual(inDays(27))
  expect(await nextOfMembershipCalendar(shop, inDays(27))).toBeNull()
})

test('a membership without a provider lapses if it was given or paid by a code; others may still be paid', async () => {
  const ended = new Date(shop.clock.now().getTime() - DAY_MS)
  const after = async (more: Partial<typeof subscriptions.$inferInsert>) => {
    const { id: userId } = await aUser(shop)
    const period = { periodStart: ended, periodEnd: ended, validUntil: ended }
    const row = { userId, plan: 4, status: 'active', paymentType: 'card', ...period, ...more } as const
    const [stored] = await shop.db.insert(subscriptions).values(row).returning()
    await runMembershipCalendar(shop)
    const [now] = await shop.db.select().from(subscriptions).where(eq(subscriptions.id, stored!.id))
    return now!.status
  }
  expect(await after({ gift: true })).toBe('canceled')
  expect(await after({ paymentType: null })).toBe('canceled')
  expect(await after({})).toBe('active')
})

test('the email about a membership that ended normally does not call it unpaid', async () => {
  const { id: userId } = await aUser(shop)
  const ended = new Date(shop.now().getTime() - DAY_MS)
  const [row] = await shop.db
    .insert(subscriptions)
    .values({ userId, plan: 5, status: 'active', periodStart: ended, periodEnd: ended, validUntil: ended })
    .returning({ id: subscriptions.id })
  await runMembershipCalendar(shop)
  const [mail] = await shop.db
    .select()
    .from(mails)
    .where(like(mails.key, `membership_ended:${row!.id}`))
  expect(mail!.data).toMatchObject({ unpaid: false })
})

test('the reminder of a yearly charge names the amount that the provider said, or else the price', async () => {
  const from = shop.clock.now()
  const ends = new Date(from.getTime() + 10 * DAY_MS)
  const remindedOf = async (nextMinor: number | null) => {
    const { id: userId } = await aUser(shop)
    const period = { periodStart: from, periodEnd: ends, validUntil: ends, anchor: from }
    const [row] = await shop.db
      .insert(subscriptions)
      .values({ userId, plan: 5, status: 'active', providerId: `sub_${userId}`, nextMinor, ...period })
      .returning({ id: subscriptions.id })
    await runMembershipCalendar(shop)
    const [mail] = await shop.db
      .select()
      .from(mails)
      .where(like(mails.key, `membership_reminder:${row!.id}:%`))
    return mail?.data
  }
  expect(await remindedOf(6400)).toMatchObject({ amountMinor: 6400 })
  expect(await remindedOf(null)).toMatchObject({ amountMinor: 8000 })
})

test('shortly before the end of grace, the open charge is fetched and emailed once, also if the schedule runs again', async () => {
  const { id: userId } = await aUser(shop)
  const from = shop.clock.now()
  const failedAt = new Date(from.getTime() - 6 * DAY_MS)
  const [row] = await shop.db
    .insert(subscriptions)
    .values({
      ...{ userId, plan: 4, status: 'past_due', providerId: 'sub_late', paymentFailedAt: failedAt },
      ...{ periodStart: failedAt, periodEnd: from, validUntil: from },
    })
    .returning({ id: subscriptions.id })
  const fake = fakeBilling()
  const listed: unknown[] = []
  const list = async function* list(of: object) {
    listed.push(of)
    yield* [{ state: 'paid', dueMinor: 0 } as never, { state: 'open', dueMinor: 750 } as never]
  }
  const late = { ...shop, billing: { ...fake, invoices: { ...fake.invoices, list } } }
  await runMembershipCalendar(late)
  await runMembershipCalendar(late)
  expect(listed).toEqual([{ subscription: 'sub_late' }])
  const sent = await shop.db
    .select()
    .from(mails)
    .where(like(mails.key, `payment_failed_again:${row!.id}:%`))
  expect(sent.map(({ data }) => data)).toEqual([expect.objectContaining({ amountMinor: 750, last: true })])
})
