import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formerAddresses, users } from '#server/db/schema/accounts.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { aBuyer, type Buyer, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { sendMembershipGiftOfLineAgain } from './membership-gifts.ts'

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
