import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { anAccountOf, aRecipient } from '#tests/support/gifts.ts'
import { aBuyer, checkOut, comeBack, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { restoreGift, takeBackGift } from './title-gifts.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

async function givenTitle(giftEmail: string) {
  const giver = await aBuyer(at.shop)
  const book = { ...(await anAudioBook(at.shop, { priceMinor: 750 })), kind: 'audio_books' as const }
  const checkout = await checkOut(giver, await fillBag(giver, [{ ...book, giftEmail }]))
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  const [gift] = await at.shop.db.select().from(gifts).where(eq(gifts.email, giftEmail))
  const line = { orderLineId: gift!.orderLineId!, title: 'Given' }
  const work = (change: typeof takeBackGift) =>
    at.shop.db.transaction((tx) => change(tx, line, at.shop.clock.now()))
  return { takeBack: () => work(takeBackGift), restore: () => work(restoreGift), bookId: book.id }
}
const mailsTo = async (email: string) =>
  (await at.shop.db.select().from(mails).where(eq(mails.recipient, email))).map(({ kind }) => kind)

test('an opened gift leaves the recipient’s library while it is refunded, and returns to it', async () => {
  const email = aRecipient()
  const { takeBack, restore, bookId } = await givenTitle(email)
  const friend = await anAccountOf(at.shop, email)
  const [mail] = await at.shop.db.select().from(mails).where(eq(mails.recipient, email))
  const { token } = mail!.data as { token: string }
  expect((await friend.ask('POST', `/api/audio_books/claim/${token}`)).statusCode).toBe(200)
  const library = async () =>
    (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, friend.user.id))).map(
      (entry) => entry.bookId,
    )
  expect(await library()).toEqual([bookId])
  expect([await takeBack(), await library()]).toEqual([friend.user.id, []])
  expect(await takeBack()).toBeUndefined()
  expect([await restore(), await library()]).toEqual([friend.user.id, [bookId]])
})

test('a gift that is refunded before its email was sent is not emailed', async () => {
  const email = aRecipient()
  const { takeBack } = await givenTitle(email)
  await at.shop.db.update(mails).set({ sentAt: null }).where(eq(mails.recipient, email))
  expect(await mailsTo(email)).toEqual(['gift_book'])
  expect(await takeBack()).toBeUndefined()
  expect(await mailsTo(email)).toEqual([])
})
