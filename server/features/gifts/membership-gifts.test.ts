import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formerAddresses, users } from '#server/db/schema/accounts.ts'
import { gifts, membershipGifts } from '#server/db/schema/gifts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBuyer, type Buyer, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { startTakingBack } from './given-gifts.ts'
import { nextGiftDay, runGiftCalendar } from './gift-delivery.ts'
import { claimableUntil, sendMembershipGiftOfLineAgain, suspendMembership } from './membership-gifts.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
  giver = await aBuyer(at.shop)
})
afterAll(() => at.shop.close())

async function given(wish: object = {}) {
  const { order } = await give(at, giver, { giftEmail: aRecipient(), ...wish })
  const [gift] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.orderId, order))
  return gift!
}

test('a gift that was not sent yet, or is opened, refunded, taken back or lapsed, is not sent again', async () => {
  const sendsAgain = (orderLineId: string | null) =>
    sendMembershipGiftOfLineAgain(at.shop.db, at.shop, orderLineId!)
  expect(await sendsAgain((await given()).orderLineId)).toBe(true)
  for (const field of ['claimedAt', 'revokedAt', 'takenBackAt', 'lapsedAt'] as const) {
    const { id, orderLineId } = await given()
    await at.shop.db
      .update(membershipGifts)
      .set({ [field]: at.shop.clock.now() })
      .where(eq(membershipGifts.id, id))
    expect(await sendsAgain(orderLineId), field).toBe(false)
  }
  expect(await sendsAgain((await given({ giftDeliveryDate: '2026-06-01' })).orderLineId)).toBe(false)
})

test('GIFT-20: a corrected day keeps the giver’s time zone, and a corrected time zone keeps the day', async () => {
  const { id } = await given({ giftDeliveryDate: '2026-06-01', giftTimeZone: 'Asia/Tokyo' })
  const deliverAt = async (correction: object) => {
    await giver.ask('PATCH', `/api/subscriptions/given/${id}`, correction)
    const [gift] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.id, id))
    return gift!.deliverAt.toISOString()
  }
  expect(await deliverAt({ giftDeliveryDate: '2026-06-03' })).toBe('2026-06-02T23:00:00.000Z')
  expect(await deliverAt({ giftTimeZone: 'Europe/Paris' })).toBe('2026-06-03T06:00:00.000Z')
})

test('opening a gift confirms the address that it was sent to, and no other', async () => {
  const { db } = at.shop
  const isConfirmedBy = async (recipient: Buyer, email: string) => {
    const { token } = await mailedTo(at.shop, email)
    const answer = await recipient.ask('POST', `/api/subscriptions/claim/${token}`)
    expect(answer.json(), answer.body).toMatchObject({ state: 'begun' })
    const [account] = await db.select().from(users).where(eq(users.id, recipient.user.id))
    return account!.confirmedAt !== null
  }
  const { email } = await given()
  expect(await isConfirmedBy(await anAccountOf(at.shop, email, false), email)).toBe(true)
  const { email: former } = await given()
  const moved = await anAccountOf(at.shop, aRecipient(), false)
  await db.insert(formerAddresses).values({ userId: moved.user.id, email: former, givenUpAt: at.shop.now() })
  expect(await isConfirmedBy(moved, former)).toBe(false)
})

test('GIFT-20: a correction sends a gift whose day has come at once, and one whose day is still to come not yet', async () => {
  const correct = async (id: string, correction: object) =>
    giver.ask('PATCH', `/api/subscriptions/given/${id}`, correction)
  const sentTo = async (email: string) => (await mailedTo(at.shop, email)).subjects.length
  const [early, wrong, right] = [aRecipient(), aRecipient(), aRecipient()]
  const { id } = await given({ giftEmail: wrong, giftDeliveryDate: '2026-06-01' })
  await correct(id, { giftEmail: early })
  expect([await sentTo(wrong), await sentTo(early)]).toEqual([0, 0])
  // The job has not run yet.
  await at.shop.db
    .update(membershipGifts)
    .set({ deliverAt: at.shop.clock.now() })
    .where(eq(membershipGifts.id, id))
  await correct(id, { giftEmail: right })
  expect([await sentTo(early), await sentTo(right)]).toEqual([0, 1])
  // Nothing has changed, so nothing is sent.
  await correct(id, { giftEmail: right })
  expect(await sentTo(right)).toBe(1)
  const late = await correct(id, { giftDeliveryDate: '2026-07-01' })
  expect(`${late.statusCode} ${late.json()['hydra:description']}`).toMatch(/^422 .*already on its way/)

  const now = aRecipient()
  const { id: other } = await given({ giftEmail: now, giftDeliveryDate: '2026-06-01' })
  await correct(other, { giftDeliveryDate: null })
  expect(await sentTo(now)).toBe(1)
})

test('GIFT-22: a Christmas gift can be corrected to another first name, not to none; other gifts need none', async () => {
  const name = async (id: string, giftRecipientFirstName: string | null) =>
    (await giver.ask('PATCH', `/api/subscriptions/given/${id}`, { giftRecipientFirstName })).statusCode
  const christmas = {
    christmas: true,
    plan: 2,
    giftRecipientFirstName: 'Ann',
    giftDeliveryDate: '2026-06-01',
  }
  const { id } = await given(christmas)
  expect([await name(id, ' '), await name(id, null), await name(id, 'Anna')]).toEqual([422, 422, 200])
  const { id: plain } = await given({ giftDeliveryDate: '2026-06-01' })
  expect(await name(plain, ' ')).toBe(200)
})

test('a gift that a code paid for is taken back without a refund, once, and opens nothing any more', async () => {
  await at.shop.db.insert(discounts).values({ code: 'PAID-FOR', type: 'all', percent: 100 })
  const email = aRecipient()
  const { id, orderId } = await given({ giftEmail: email, couponCode: 'paid-for' })
  const { token } = await mailedTo(at.shop, email)
  const takeBack = () => startTakingBack(at.shop, { userId: giver.user.id }, id)
  const revokedAt = async () =>
    (await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.id, id)))[0]!.revokedAt
  expect([orderId, await takeBack()]).toEqual([orderId, null])
  const first = await revokedAt()
  expect(first).not.toBeNull()
  at.shop.clock.advance(60)
  expect(await takeBack()).toBeNull()
  expect(await revokedAt()).toEqual(first)
  const recipient = await anAccountOf(at.shop, email)
  expect((await recipient.ask('POST', `/api/subscriptions/claim/${token}`)).statusCode).toBe(404)
})

test('a dispute suspends a gift once, and not one that was taken back', async () => {
  const suspended = async ({ id, orderLineId }: { id: string; orderLineId: string | null }) => {
    const now = at.shop.clock.now()
    await at.shop.db.transaction((tx) => suspendMembership(tx, { orderLineId: orderLineId! }, now))
    const [gift] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.id, id))
    return gift!.suspendedAt
  }
  const kept = await given()
  const first = await suspended(kept)
  expect(first).not.toBeNull()
  at.shop.clock.advance(60)
  expect(await suspended(kept)).toEqual(first)
  const returned = await given()
  await at.shop.db
    .update(membershipGifts)
    .set({ revokedAt: at.shop.clock.now() })
    .where(eq(membershipGifts.id, returned.id))
  expect(await suspended(returned)).toBeNull()
})

test('a gift that waits begins at once when the recipient withdraws from the one before it', async () => {
  const email = aRecipient()
  const recipient = await anAccountOf(at.shop, email)
  for (const plan of [7, 5]) {
    await give(at, giver, { giftEmail: email, plan })
    await recipient.ask('POST', `/api/subscriptions/claim/${(await mailedTo(at.shop, email)).token}`)
  }
  const current = async () => (await recipient.ask('GET', '/api/get-current-subscription')).json()
  const { id } = await current()
  const { withdrawal } = (await recipient.ask('GET', `/api/subscriptions/${id}/details`)).json()
  await recipient.ask('POST', `/api/subscriptions/${id}/withdraw`, { amount: withdrawal.amount })
  expect(await current()).toMatchObject({ status: 'active', plan: 5, id: expect.not.stringMatching(id) })
})

test('GIFT-22: a correction of one field leaves the others as they are', async () => {
  const { id } = await given({ giftRecipientFirstName: 'Una', giftMessage: 'For the train' })
  const corrected = async (change: object) => {
    const { giftRecipientFirstName, giftMessage } = (
      await giver.ask('PATCH', `/api/subscriptions/given/${id}`, change)
    ).json()
    return [giftRecipientFirstName, giftMessage]
  }
  expect(await corrected({ giftMessage: 'For the ferry' })).toEqual(['Una', 'For the ferry'])
  expect(await corrected({ giftRecipientFirstName: 'Ona' })).toEqual(['Ona', 'For the ferry'])
  expect(await corrected({ giftRecipientFirstName: null })).toEqual([null, 'For the ferry'])
})

test('the next delivery is that of the membership or of the title, whichever comes first', async () => {
  const now = new Date('2026-12-01T09:00:00Z')
  const next = async () => (await nextGiftDay(at.shop, now))?.toISOString()
  expect(await next()).toBeUndefined()
  await given({ giftDeliveryDate: '2027-01-10' })
  expect(await next()).toBe('2027-01-10T08:00:00.000Z')
  const { id: bookId } = await anAudioBook(at.shop)
  const secrets = { tokenHash: 'next-token', codeHash: 'next-code' }
  const title = { bookId, giverName: 'Ada', email: aRecipient(), ...secrets }
  for (const [deliverAt, first] of [
    ['2027-01-20T08:00:00.000Z', '2027-01-10T08:00:00.000Z'],
    ['2027-01-05T08:00:00.000Z', '2027-01-05T08:00:00.000Z'],
  ] as const) {
    await at.shop.db.delete(gifts).where(eq(gifts.tokenHash, secrets.tokenHash))
    await at.shop.db.insert(gifts).values({ ...title, deliverAt: new Date(deliverAt) })
    expect(await next()).toBe(first)
  }
})

test('the giver’s email names the recipient of a membership by first name, or else by address', async () => {
  const recipientIn = async ({ id }: { id: string }) => {
    const key = `gift_membership_given:${id}`
    const [mail] = await at.shop.db.select().from(mails).where(eq(mails.key, key))
    return (mail!.data as { recipient: string }).recipient
  }
  const email = aRecipient()
  expect(await recipientIn(await given({ giftEmail: email }))).toBe(email)
  expect(await recipientIn(await given({ giftRecipientFirstName: 'Joost' }))).toBe('Joost')
})

test('an unopened gift lapses at the very end of the time in which it can be claimed', async () => {
  const gift = await given()
  const end = claimableUntil(gift)
  const lapsedAfterRunAt = async (now: Date) => {
    at.shop.clock.set(now)
    await runGiftCalendar(at.shop)
    const [row] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.id, gift.id))
    return row!.lapsedAt
  }
  expect(await lapsedAfterRunAt(new Date(end.getTime() - 1))).toBeNull()
  expect(await lapsedAfterRunAt(end)).toEqual(end)
})
