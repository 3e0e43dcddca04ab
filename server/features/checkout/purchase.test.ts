import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutCart, returnFromPayment } from '#contract/checkout.ts'
import { getOrder } from '#contract/orders.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import {
  aBuyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/a-purchase.ts'
import { misfits } from '#tests/support/fits.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const libraryOf = async (userId: string) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, userId))).map(
    ({ bookId }) => bookId,
  )

test('API-65 API-70 ORDER-08 ENT-44: a bag becomes an order, a payment, and a shelf', async () => {
  const buyer = await aBuyer(at.shop)
  const { audioBook, eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [
    { slug: audioBook.slug, kind: 'audio_books' },
    { slug: eBook.slug, kind: 'e_books' },
  ])
  const answer = await buyer.ask('POST', `/api/carts/${cart}/checkout`, {
    couponCode: null,
    amount: 17.99,
    waiver: true,
  })
  expect(misfits(checkoutCart.reply, answer.json())).toEqual([])
  expect(answer.json()).toMatchObject({ success: true, amount: 17.99, url: null })
  const { order, clientSecret } = answer.json()
  const intent = clientSecret.split('_secret_')[0]
  expect(at.payments.made.get(intent)).toMatchObject({ amountMinor: 1799, metadata: { order } })
  expect((await buyer.ask('GET', `/api/order_carts/${order}`)).json().status).toBe('awaiting_payment')

  at.payments.pay(intent)
  const back = await comeBack(buyer, { order, clientSecret, intent })
  expect(misfits(returnFromPayment.reply, back.json())).toEqual([])
  expect(back.json()).toEqual({ outcome: 'paid', order })
  const receipt = (await buyer.ask('GET', `/api/order_carts/${order}`)).json()
  expect(misfits(getOrder.reply, receipt)).toEqual([])
  expect(receipt).toMatchObject({
    status: 'paid',
    amount: 17.99,
    sumVat: 2,
    sumNet: 15.99,
    transactions: [{ id: intent, last4: '4242', type: 'card' }],
    orderItems: [
      {
        price: 12,
        vat: 2,
        vatPercent: 20,
        audioBook: { slug: audioBook.slug, inLibrary: true },
        eBook: null,
      },
      { price: 5.99, vat: 0, vatPercent: 0, audioBook: null, eBook: { slug: eBook.slug } },
    ],
  })
  expect(new Set(await libraryOf(buyer.user.id))).toEqual(new Set([audioBook.id, eBook.id]))
  expect((await buyer.ask('GET', `/api/carts/${cart}`)).json()).toMatchObject({
    itemCount: 0,
    sumCheckedForPayment: 0,
  })
  expect(await at.shop.db.$count(mails, eq(mails.key, `order_confirmed:${order}`))).toBe(1)
})

test('the webhook alone settles an order', async () => {
  const buyer = await aBuyer(at.shop)
  const { audioBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [{ slug: audioBook.slug, kind: 'audio_books' }])
  const till = await checkOut(buyer, cart)
  at.payments.pay(till.intent, { method: 'paypal' })
  const heard = await hearOf(at, till.intent)
  expect(heard.statusCode).toBe(200)
  expect((await buyer.ask('GET', `/api/order_carts/${till.order}`)).json()).toMatchObject({
    status: 'paid',
    transactions: [{ type: 'paypal', last4: null }],
  })
  expect(await libraryOf(buyer.user.id)).toEqual([audioBook.id])
  expect(await at.shop.db.$count(orders, eq(orders.userId, buyer.user.id))).toBe(1)
})
