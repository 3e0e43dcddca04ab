import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#contract/durations.ts'
import { mails } from '#server/db/schema/mails.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { mailFailedPayment } from './failed-payments.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('the email about a failed charge says that the benefits are over from the very moment at which grace ends', async () => {
  const failedAt = new Date('2026-11-01T10:00:00Z')
  const graceEnds = failedAt.getTime() + 7 * DAY_MS
  const mailedAt = async (at: number) => {
    await mailFailedPayment(shop.db, {
      to: 'reader@example.com',
      firstName: 'Ada',
      plan: 'Murmur monthly',
      subscriptionId: 'sub_1',
      failedAt,
      invoiceId: `invoice-${at}`,
      dueMinor: 800,
      needsBuyer: false,
      now: new Date(at),
    })
    const written = await shop.db.select().from(mails)
    return written.find(({ key }) => key === `payment_failed:invoice-${at}`)?.data
  }
  expect(await mailedAt(graceEnds - 1)).toMatchObject({ over: false, last: false })
  expect(await mailedAt(graceEnds)).toMatchObject({
    over: true,
    benefitsUntil: new Date(graceEnds).toISOString(),
  })
})
