import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { aPaidMembership } from '#tests/support/paid-membership.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { countUsableCredits, selectCreditStates } from './credit-queries.ts'
import {
  defaultCreditEnd,
  endMembership,
  giveCredits,
  giveMonths,
  takeBackCredits,
  whyCreditsStay,
} from './owner-actions.ts'
import { selectAnySubscription } from './queries.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const inAnHour = () => new Date(shop.clock.now().getTime() + 3_600_000)

test('free months and free audiobooks go only to an account that exists', async () => {
  const userId = randomUUID()
  await expect(giveMonths(shop, { userId, plan: 1, months: 2 })).rejects.toThrow('Not Found')
  await expect(giveCredits(shop, { userId, ids: [randomUUID()], until: inAnHour() })).rejects.toThrow(
    'Not Found',
  )
})

test('a free audiobook is given until a moment in the future', async () => {
  const { user } = await aBuyer(shop)
  const now = shop.clock.now()
  const clock = vi.spyOn(shop.clock, 'now').mockReturnValue(now)
  await expect(giveCredits(shop, { userId: user.id, ids: [randomUUID()], until: now })).rejects.toThrow(
    'That day is over.',
  )
  clock.mockRestore()
  await giveCredits(shop, { userId: user.id, ids: [randomUUID(), randomUUID()], until: inAnHour() })
  expect(await countUsableCredits(shop.db, user.id, shop.clock.now())).toBe(2)
})

test('only a user with a usable free audiobook counts as having one, also in a batch', async () => {
  const [one, other] = [await aBuyer(shop), await aBuyer(shop)]
  await giveCredits(shop, { userId: one.user.id, ids: [randomUUID()], until: inAnHour() })
  const ids = [other.user.id, one.user.id]
  expect(
    (await selectCreditStates(shop.db, ids, shop.clock.now())).map(({ hasCredit }) => hasCredit),
  ).toEqual([false, true])
})

test('a free audiobook can be chosen for two months by default, and its email names the last of its days', async () => {
  const clock = vi.spyOn(shop.clock, 'now').mockReturnValue(new Date('2026-11-15T10:00:00Z'))
  expect(defaultCreditEnd(shop)).toEqual(new Date('2027-01-15T10:00:00Z'))
  clock.mockRestore()
  const { user } = await aBuyer(shop)
  const until = new Date(shop.clock.now())
  until.setUTCFullYear(until.getUTCFullYear() + 1, 0, 2)
  until.setUTCHours(0, 0, 0, 0)
  await giveCredits(shop, { userId: user.id, ids: [randomUUID()], until })
  const [mail] = await shop.db.select().from(mails).where(eq(mails.recipient, user.email))
  expect(mail!.data).toMatchObject({
    lastDay: `${until.getUTCFullYear()}-01-01T23:59:59.999Z`,
  })
})

test('a membership that was ended keeps its end when it is ended again', async () => {
  const { id, userId } = await aPaidMembership(shop, { providerId: null, gift: true })
  await endMembership(shop, userId, id)
  const ended = await selectAnySubscription(shop.db, id)
  expect(ended).toMatchObject({ status: 'canceled', endedAt: expect.any(Date) })
  shop.clock.advance(60)
  await endMembership(shop, userId, id)
  expect((await selectAnySubscription(shop.db, id))!.endedAt).toEqual(ended!.endedAt)
})

test('free audiobooks can be taken back once, while the account exists', async () => {
  const { user } = await aBuyer(shop)
  const given = { userId: user.id, ids: [randomUUID(), randomUUID()] }
  await giveCredits(shop, { ...given, until: inAnHour() })
  expect(await whyCreditsStay(shop.db, given.ids)).toBeNull()
  expect(await whyCreditsStay(shop.db, [...given.ids, randomUUID()])).toBe('The account is closed.')
  await takeBackCredits(shop, given)
  expect(await whyCreditsStay(shop.db, given.ids)).toBe('It was taken back already.')
})
