import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aRecipient, give } from '#tests/support/gifts.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import type { Shop } from '../../shop.ts'
import { givenTitlesBy, membershipsGivenBy } from './given-gifts.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
  giver = await aBuyer(at.shop)
})
afterAll(() => at.shop.close())

/** The demo stores its emails, unless it has a server to send them through. */
const sendingShop = (): Shop => ({
  ...at.shop,
  config: { ...at.shop.config, smtpUrl: 'smtp://mail.example' },
})
const setMail = (email: string, change: { sentAt: Date | null }) =>
  at.shop.db.update(mails).set(change).where(eq(mails.recipient, email))

test('a given title is being sent until its email is, and counts as delivered once that email is deleted', async () => {
  const giftEmail = aRecipient()
  const book = { ...(await anAudioBook(at.shop, { priceMinor: 750 })), kind: 'audio_books' as const }
  const checkout = await checkOut(giver, await fillBag(giver, [{ ...book, giftEmail }]))
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  const state = async (shop = sendingShop()) => (await givenTitlesBy(shop, giver.user.id))[0]!.state
  await setMail(giftEmail, { sentAt: null })
  expect([await state(), await state(at.shop)]).toEqual(['sending', 'delivered'])
  await setMail(giftEmail, { sentAt: at.shop.now() })
  expect(await state()).toBe('delivered')
  await at.shop.db.delete(mails).where(eq(mails.recipient, giftEmail))
  expect(await state()).toBe('delivered')
})

test('a given membership is being sent until its email is or its delivery was recorded', async () => {
  const giftEmail = aRecipient()
  await give(at, giver, { giftEmail })
  const state = async (shop = sendingShop()) => (await membershipsGivenBy(shop, giver.user.id))[0]!.state
  await setMail(giftEmail, { sentAt: null })
  expect([await state(), await state(at.shop)]).toEqual(['sending', 'delivered'])
  await setMail(giftEmail, { sentAt: at.shop.now() })
  expect(await state()).toBe('delivered')
  await at.shop.db.delete(mails).where(eq(mails.recipient, giftEmail))
  expect(await state()).toBe('sending')
  await at.shop.db.update(membershipGifts).set({ deliveredAt: at.shop.clock.now() })
  expect(await state()).toBe('delivered')
})
