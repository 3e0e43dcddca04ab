// Covers: checkout, payments, bag, joining, membership
import {
  CARD,
  chargesAt,
  fillInBuyer,
  h1,
  line,
  main,
  ordersOf,
  putIntoBag,
  shelfOf,
  typeCard,
} from '#tests/support/checkout-page.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

test('paying: a visitor adds Reader in the bag and fills in one form, and a page lost between the two payments resumes', async ({
  shop,
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/shopping-bag')
  await expect(main(page).getByText(/^£\d+\.\d\d for members\./)).toBeVisible()
  await main(page)
    .getByRole('switch', { name: /^Add Reader, monthly, £8\.00/ })
    .check()
  await expect(main(page).getByText('Total to pay today')).toBeVisible()
  await expect(line(page, 'The Quiet Ferry')).toContainText('£8.80')
  await expectAccessible(page)
  await main(page).getByRole('button', { name: 'Pay now' }).click()
  await expect(h1(page, 'Checkout')).toBeVisible()
  await expect(page).toHaveURL(/\/payment\?join=1$/)
  await expect(main(page).getByRole('switch', { name: /^Add Reader, monthly/ })).toBeChecked()
  await expectAccessible(page)

  const charged = (await chargesAt(shop.sandbox)).length
  await page.route('**/buy_after_joining', (route) => route.abort())
  await fillInBuyer(page, aNewAddress('reader'))
  await typeCard(page, CARD.good)
  await page.getByRole('checkbox', { name: /Start my membership now/ }).check()
  await main(page)
    .getByRole('button', { name: /^Pay now, £/ })
    .click()
  await expect(main(page).getByText(/^Your membership has started\. We don’t know yet/)).toBeVisible()
  expect(await chargesAt(shop.sandbox)).toHaveLength(charged + 1)
  await page.unroute('**/buy_after_joining')
  await page.reload()
  await expect(main(page).getByText(/^Your books are in your library: £\d+\.\d\d paid\.$/)).toBeVisible()
  await expect(h1(page, /^Welcome, Una\./)).toBeVisible()
  expect(await chargesAt(shop.sandbox)).toHaveLength(charged + 2)
  expect(await ordersOf(page)).toHaveLength(2)
  expect(await shelfOf(page)).toContain('audiobooks/the-quiet-ferry')
})
