import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { lockAccount } from '../membership/queries.ts'
import { revokeCredits } from '../membership/credit-queries.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const details = async (member: Member) =>
  (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
const choose = async (member: Member, body: object | undefined) => {
  const { slug } = await anAudioBook(all.shop, {
    priceMinor: 1200,
    secondEdition: true,
  })
  return member.ask('POST', `/api/audio_books/add-to-library/${slug}`, body)
}
const waivers = async ({ user }: Member) =>
  (await all.shop.db.select().from(orders).where(eq(orders.userId, user.id))).flatMap(({ taken, waiverAt }) =>
    taken === 'credit' ? [waiverAt !== null] : [],
  )

test('API-73: in the withdrawal period choosing a title says what stays refundable, and requires the waiver', async () => {
  const member = await all.member(1)
  expect(await details(member)).toMatchObject({
    withdrawal: { amount: 12 },
    credits: { left: 2, leavesToPayBack: 6 },
  })
  for (const body of [undefined, {}, { waiver: false }]) {
    const refused = await choose(member, body)
    expect(refused.statusCode).toBe(422)
    expect(refused.json()['hydra:description']).toBe(
      'If you choose it now, £6.00 is left to pay back should you withdraw. Please agree to that first.',
    )
  }
  expect((await details(member)).credits.left).toBe(2)
  expect((await choose(member, { waiver: true })).statusCode).toBe(200)
  expect(await details(member)).toMatchObject({
    withdrawal: { amount: 6 },
    credits: { left: 1, leavesToPayBack: 0 },
  })
  expect((await choose(member, {})).statusCode).toBe(422)
  expect((await choose(member, { waiver: true })).statusCode).toBe(200)
  expect(await details(member)).toMatchObject({
    credits: { left: 0, leavesToPayBack: null },
  })
  expect(await waivers(member)).toEqual([true, true])
})

test('after the withdrawal period, and in a trial, no waiver is required', async () => {
  const member = await all.member(4)
  await all.pass('P14D')
  await all.pass('PT1H')
  expect((await details(member)).credits).toMatchObject({
    left: 1,
    leavesToPayBack: null,
  })
  expect((await choose(member, undefined)).statusCode).toBe(200)
  expect(await waivers(member)).toEqual([false])
  const trial = await all.trial()
  await all.shop.db.update(users).set({ confirmedAt: all.shop.now() }).where(eq(users.id, trial.user.id))
  expect((await details(trial)).credits).toMatchObject({
    left: 1,
    leavesToPayBack: null,
  })
  expect((await choose(trial, undefined)).statusCode).toBe(200)
})

test('neither the waiver nor a confirmed address is required for a title that costs no free audiobook', async () => {
  for (const member of [await all.member(1), await all.trial()]) {
    const take = async (fields: Parameters<typeof anAudioBook>[1]) => {
      const { slug } = await anAudioBook(all.shop, fields)
      return member.ask('POST', `/api/audio_books/add-to-library/${slug}`, {})
    }
    expect((await take({ priceMinor: 0, edition: true })).statusCode).toBe(200)
    const paid = await take({ priceMinor: 1200 })
    expect(paid.json()['hydra:description']).toContain('This title isn’t free.')
  }
})

test('choosing a title waits for the account’s lock, as withdrawing does', async () => {
  const member = await all.member(4)
  const { slug } = await anAudioBook(all.shop, { priceMinor: 1200, secondEdition: true })
  const choosing = await all.shop.db.transaction(async (tx) => {
    await lockAccount(tx, member.user.id)
    const asked = member.ask('POST', `/api/audio_books/add-to-library/${slug}`, { waiver: true })
    // Later requests are answered first.
    for (let other = 0; other < 5; other += 1) await member.ask('GET', '/api/logged-user')
    await revokeCredits(tx, member.id, WHOLE, all.shop.clock.now())
    return { asked }
  })
  expect((await choosing.asked).statusCode).toBe(422)
})
const WHOLE = { from: new Date(0), until: new Date('2999-01-01') }
