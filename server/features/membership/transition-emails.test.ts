import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { mailTransition, type Transition } from './transition-emails.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('an email names the next payment if there is one, but not while a payment is open or if nothing renews', async () => {
  const { id: userId } = await aUser(shop)
  const next = async (id: string, more: Parameters<typeof aMembership>[0]) => {
    const before = aMembership({ userId })
    const order = { id: crypto.randomUUID(), number: 'M-1', totalMinor: 800, vatMinor: 133 }
    const invoice = { id, reason: 'renewed', paidAt: before.periodStart }
    const transition = {
      before,
      after: { ...before, ...more },
      sold: [{ order, paid: { invoice, payment: null }, plan: 4 }],
      snapshot: { failed: null },
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that the email reads
    await mailTransition(shop.db, shop, transition as unknown as Transition)
    const written = await shop.db.select().from(mails)
    return written.find(({ key }) => key === `membership_renewed:${id}`)?.data
  }
  expect(await next('renews', { nextMinor: 800 })).toMatchObject({
    next: { amountMinor: 800, at: aMembership().validUntil.toISOString() },
  })
  expect(await next('ends', { nextMinor: null })).toMatchObject({ next: null })
  // An older month was paid while the newer one is still open.
  expect(await next('open', { nextMinor: 800, status: 'past_due' })).toMatchObject({ next: null })
})
