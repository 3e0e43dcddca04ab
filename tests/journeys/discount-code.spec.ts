// Covers: discounts, checkout
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'
import { h1, main, expectCheckout, ordersOf, putIntoBag, shelfOf } from '#tests/support/checkout-page.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'

const summary = (page: Page) => page.getByRole('complementary', { name: 'Your bag' })
const total = (page: Page) => summary(page).getByRole('definition').last()

async function enterCode(page: Page, code: string) {
  await summary(page).getByLabel('Discount code').fill(code)
  await summary(page).getByRole('button', { name: 'Apply' }).click()
}

test('PAY-29 PAY-49 DISC-04: a code for the cheapest book reduces the amount and survives a reload; a code for everything hides the card and completes a free order', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await putIntoBag(page, '/ebooks/nine-winters')
  await page.goto('/payment')
  await expectCheckout(page)
  const number = page.locator('iframe[title="Secure card number input frame"]')
  await enterCode(page, 'NOSUCHCODE')
  await expect(summary(page).getByText('This discount code is not valid')).toBeVisible()
  await expect(total(page)).toHaveText('£19.49')
  await enterCode(page, 'CHEAPEST')
  await expect(total(page)).toHaveText('Was £19.49£11.00')
  await expect(number).toBeVisible()

  await page.reload()
  await expect(total(page)).toHaveText('Was £19.49£11.00')
  await expect(number).toBeVisible()
  await summary(page)
    .getByRole('button', { name: /^Remove code/ })
    .click()
  await expect(total(page)).toHaveText('£19.49')
  await enterCode(page, 'BOOKGIFT')
  await expect(total(page)).toHaveText('Was £19.49£0.00')
  await expect(page.getByLabel('Name on card')).toBeHidden()
  await expect(number).toBeHidden()
  await page.getByRole('button', { name: 'Complete free order' }).click()
  await expect(page).toHaveURL(/\/payment-successful$/)
  await expect(h1(page, /Thank you/)).toBeVisible()
  expect(await ordersOf(page)).toMatchObject([{ amount: 0, status: 'paid', couponCode: 'BOOKGIFT' }])
  expect((await shelfOf(page)).sort()).toEqual(['audiobooks/the-quiet-ferry', 'ebooks/nine-winters'])
  await page.goto('/shopping-bag')
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})
