import { DAY_MS } from '#contract/durations.ts'
import { eq } from 'drizzle-orm'
import { DateTime } from 'luxon'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectClockOffset } from '#server/db/shared-clock.ts'
import { cardTitles, outletStatements } from '#server/db/schema/cards.ts'
import { credits } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { activate } from '#server/features/cards/point-of-sale.ts'
import { aBuyer, payingShop } from '#tests/support/purchases.ts'
import { anAudioBook, signedIn } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { aRecipient, give, mailedTo } from '#tests/support/gifts.ts'
import { type MembersShop, membersShop } from '#tests/support/members.ts'
import { advance } from './advance-clock.ts'

/** More than half a year, so that a renewal reminder is sent; the long run covers a whole year. */
const [DAYS, CHARGES, REMINDERS] = process.env.LONG ? [364, 12, 2] : [200, 7, 1]

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await all.sandbox.tell(await all.shop.app.listen({ host: '127.0.0.1', port: 0 }))
})
afterAll(() => all?.close())

const zone = 'Europe/London'
const move = (advance: unknown) =>
  all.shop.app.inject({ method: 'POST', url: '/dev/clock', payload: { advance } })

test('a monthly member is charged each month, receives free audiobooks and emails, each at its time', async () => {
  const member = await all.member(4)
  const headers = await signedIn(all.shop, member.user)
  const began = all.shop.clock.now()
  expect((await move(`P${DAYS}D`)).json().stops).toBeGreaterThan(DAYS)
  expect(all.shop.clock.now().getTime() - began.getTime()).toBeGreaterThanOrEqual(DAYS * DAY_MS)

  const bought = await all.shop.db.select().from(orders).where(eq(orders.userId, member.user.id))
  expect(bought.map(({ totalMinor }) => totalMinor)).toEqual(Array.from({ length: CHARGES }, () => 800))
  const months = new Set(bought.map(({ paidAt }) => paidAt!.toISOString().slice(0, 7)))
  expect(months.size).toBe(CHARGES)
  expect(await all.shop.db.$count(credits, eq(credits.userId, member.user.id))).toBe(CHARGES)
  const subjects = await all.mailsTo(member)
  const count = (subject: string) => subjects.filter((each) => each === subject).length
  expect(count('Your Murmur membership has been renewed')).toBe(CHARGES - 1)
  // Every six months, before the renewal that they announce.
  const reminders = subjects.flatMap((subject, place) => (/renews on/.test(subject) ? [place] : []))
  expect(reminders).toHaveLength(REMINDERS)
  const renewed = subjects.slice(0, reminders[0]).filter((subject) => /been renewed/.test(subject))
  expect(renewed).toHaveLength(5)

  // The user is still logged in: sessions use the real time.
  const asked = await all.shop.app.inject({ url: '/api/logged-user', headers })
  expect(asked.statusCode).toBe(200)
  expect(asked.json().currentSubscription).toMatchObject({ status: 'active' })
  expect(await selectClockOffset(all.shop.db)).toBe(all.shop.clock.aheadMs)
})

test('a trial becomes a membership after two reminders; a declined card is explained by email', async () => {
  const trial = await all.trial()
  const member = await all.member(4)
  await all.bank(member, 'generic_decline')
  await move('P31D')
  expect(await trial.current()).toMatchObject({ status: 'active' })
  const letters = await all.mailsTo(trial)
  expect(letters.map((subject) => subject.replace(/ (on|until) .*/, ''))).toEqual([
    'Your free trial has started',
    'Your free trial ends',
    'Your free audiobook is waiting',
    'Your free trial ends in three days',
    'Your Murmur membership has been renewed',
  ])
  await move('P6D')
  expect(await member.current()).toMatchObject({ status: 'past_due' })
  await move('P30D')
  expect(await member.current()).toBeNull()
})

test('the clock reports the time, only moves forward, and rejects invalid durations', async () => {
  const told = (await all.shop.app.inject('/dev/clock')).json()
  expect(told.now).toBe(all.shop.clock.now().toISOString())
  for (const wrong of ['P-1D', 'soon', 'PT0S', 'P9Y', 5, undefined])
    expect((await move(wrong)).statusCode).toBe(422)
})

test('GIFT-20: a gift for a chosen day is sent when the clock passes eight on that day, and not before', async () => {
  const at = await payingShop()
  try {
    const email = aRecipient()
    const day = DateTime.fromJSDate(at.shop.clock.now(), { zone: 'Europe/London' }).plus({ days: 3 })
    const wish = { giftEmail: email, giftDeliveryDate: day.toISODate(), giftTimeZone: 'Europe/London' }
    await give(at, await aBuyer(at.shop), wish)
    const eight = day.set({ hour: 8, minute: 0, second: 0, millisecond: 0 })

    await advance(at.shop, null, eight.toMillis() - at.shop.clock.now().getTime() - 60_000)
    expect((await mailedTo(at.shop, email)).token).toBe('')
    await advance(at.shop, null, DAY_MS)
    expect((await mailedTo(at.shop, email)).token).not.toBe('')
    const [gift] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.email, email))
    expect(gift!.sentAt!.getTime() - eight.toMillis()).toBeLessThan(60_000)
  } finally {
    await at.shop.close()
  }
})

test('a bookshop’s month ends at midnight in its time zone, with the title added that evening', async () => {
  const { shop } = all
  await anAudioBook(shop, { availableAsCard: true })
  const desk = await aBookshop(shop)
  const midnight = DateTime.fromJSDate(shop.clock.now(), { zone }).startOf('month').plus({ months: 2 })
  const evening = midnight.minus({ hours: 4 })
  await move(`PT${Math.round((evening.toMillis() - shop.clock.now().getTime()) / 1000)}S`)
  const card = await aCard(shop)
  const { outletId, user } = desk
  const sale = { token: card.number, outletId, userId: user.id, address: '2001:db8::4', buyerEmail: null }
  await activate(shop, sale)
  await move('P2D')
  const [statement] = await shop.db
    .select()
    .from(outletStatements)
    .where(eq(outletStatements.outletId, outletId))
  expect(statement).toMatchObject({ from: evening.startOf('month').toISODate(), madeAt: midnight.toJSDate() })
  const [added] = await shop.db.select().from(cardTitles).where(eq(cardTitles.bookId, card.book.id))
  expect(added!.since.getTime()).toBeLessThan(midnight.toMillis())
})
