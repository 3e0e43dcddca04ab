import { DAY_MS } from '#contract/durations.ts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits } from '#server/db/schema/membership.ts'
import { BUSINESS } from '#server/jobs/business-jobs.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { anAudioBook, aUser } from '#tests/support/builders.ts'
import { aCover } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
})
beforeEach(async () => {
  await shop.db.delete(credits)
  await shop.db.delete(mails)
})
afterAll(() => shop.close())

const inDays = (days: number) => new Date(shop.clock.now().getTime() + days * DAY_MS)
const { run, next } = BUSINESS.audiobooks
const twice = async () => {
  for (let done = 0; done < 2; done += 1) await run(shop)
}
const lettersTo = async (email: string): Promise<{ subject: string; text: string; html: string }[]> =>
  (await shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json()

test('month: an unused free audiobook is announced by email a week before it expires, once, with its last day and covers', async () => {
  for (const [coverId, more] of Object.entries({
    aaa1: { secondEdition: true },
    aaa2: { secondEdition: true, published: false },
    aaa3: { secondEdition: true, blockedCountries: ['US'] },
    aaa4: {},
  }))
    await anAudioBook(shop, { coverId: await aCover(shop, coverId), ...more })
  const { user } = await aBuyer(shop)
  const usableUntil = new Date('2026-04-01T10:00:00Z')
  await shop.db.insert(credits).values({ userId: user.id, usableUntil })
  await twice()
  expect(await lettersTo(user.email)).toEqual([])
  expect(await next(shop, shop.clock.now())).toEqual(new Date('2026-03-25T10:00:00Z'))
  shop.clock.set(new Date('2026-03-25T10:00:00Z'))
  await twice()
  const [letter, ...more] = await lettersTo(user.email)
  expect(more).toEqual([])
  expect(letter!.subject).toBe('Your free audiobook is waiting until 1st April 2026')
  expect(letter!.text).toContain('/subscriber-selection')
  expect(letter!.html.match(/aaa\d-330\.jpg/g)).toEqual(['aaa1-330.jpg'])
  expect(await next(shop, shop.clock.now())).toBeNull()
  await shop.db.insert(credits).values({ userId: user.id, usableUntil: new Date('2026-04-30T23:00:00Z') })
  shop.clock.set(new Date('2026-04-28T00:00:00Z'))
  await twice()
  const letters = await lettersTo(user.email)
  expect(letters).toHaveLength(2)
  expect(letters.some(({ subject }) => subject.endsWith('until 30th April 2026'))).toBe(true)
})

test('two credits share one email; spent, revoked, held, future and expired ones get none', async () => {
  const { user } = await aBuyer(shop)
  const usableUntil = inDays(3)
  const values = { userId: user.id, usableUntil }
  await shop.db.insert(credits).values([values, values, { ...values, spentAt: inDays(-1) }])
  const without = await Promise.all(
    [
      { spentAt: inDays(-1) },
      { revokedAt: inDays(-1) },
      { usableFrom: inDays(1) },
      { heldUntil: inDays(1) },
      { usableUntil: inDays(-1) },
    ].map(async (more) => {
      const other = await aBuyer(shop)
      await shop.db.insert(credits).values({ userId: other.user.id, usableUntil, ...more })
      return other.user.email
    }),
  )
  await twice()
  expect((await lettersTo(user.email)).map(({ text }) => text)).toEqual([
    expect.stringContaining('two free audiobooks are still yours to choose'),
  ])
  for (const email of without) expect(await lettersTo(email)).toEqual([])
})

test('all accounts with expiring credits get the email, however many there are', async () => {
  await aUser(shop)
  const [sample] = await shop.db.select().from(users).limit(1)
  const people = await shop.db
    .insert(users)
    .values(
      Array.from({ length: 230 }, (_, at) => ({
        ...sample!,
        id: crypto.randomUUID(),
        email: `lapsing-${at}@murmur.example`,
      })),
    )
    .returning({ id: users.id })
  await shop.db.insert(credits).values(people.map(({ id }) => ({ userId: id, usableUntil: inDays(2) })))
  await twice()
  expect(await shop.db.$count(mails, eq(mails.kind, 'audiobook_lapsing'))).toBe(230)
})
