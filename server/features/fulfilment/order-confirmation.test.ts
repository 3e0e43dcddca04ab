import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentRecords } from '#server/db/schema/pages.ts'
import { hearOf, payingShop, type PayingShop } from '#tests/support/purchases.ts'
import { mailedTo } from '#tests/support/gifts.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

test('the email that is a visitor’s only receipt contains the owner’s address and VAT number', async () => {
  const content = { address: ['3 Knapping Quay', 'Port Marram'], vatNumber: 'GB 000 0000 00' }
  await at.shop.db.insert(contentRecords).values({ name: 'settings', content })
  const given = await at.shop.app.inject({
    method: 'POST',
    url: '/api/subscriptions/give',
    payload: {
      plan: 4,
      giftKey: randomUUID(),
      giftEmail: 'friend@reader.example',
      startNow: true,
      giver: { email: 'vera@reader.example', firstName: 'Vera', lastName: 'Hill' },
    },
  })
  const intent: string = given.json().paymentIntent.split('_secret_')[0]
  at.payments.pay(intent)
  await hearOf(at, intent)
  const { mails } = await mailedTo(at.shop, 'vera@reader.example')
  expect(mails.map(({ text }) => text.replaceAll(/\s+/g, ' ')).join(' ')).toContain(
    'Sold by Murmur, 3 Knapping Quay, Port Marram, United Kingdom. VAT number GB 000 0000 00.',
  )
})
