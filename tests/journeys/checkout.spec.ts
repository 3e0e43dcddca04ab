// Covers: checkout, payments, orders, bag, products, feed
import type { Page } from '@playwright/test'
import { SHOP_HEADER } from '#contract/limits.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import {
  agree,
  answerBank,
  buyerAtCheckout,
  CARD,
  chargesAt,
  fillInBuyer,
  h1,
  main,
  expectCheckout,
  ordersOf,
  payByCard,
  payNow,
  putIntoBag,
  shelfOf,
  thanked,
  typeCard,
} from '#tests/support/checkout-page.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer } from '#tests/support/newcomer.ts'

const header = (page: Page) => page.getByRole('banner')

test('ROLE-28 PAY-28 NAV-24: a visitor whose card is declined still has the bag, pays with another card, and has an account and the book', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('buyer')
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/payment')
  await expectCheckout(page)
  await expect(header(page).getByRole('link')).toHaveCount(1)
  await expect(page.getByText('Test payments. No money moves.')).toBeVisible()
  const bag = page.getByRole('complementary', { name: 'Your bag' })
  await bag.getByLabel('Discount code').fill('WELCOME20')
  await bag.getByRole('button', { name: 'Apply' }).click()
  await expect(bag.getByText('20% off, total rounded up to a whole pound')).toBeVisible()
  await fillInBuyer(page, email)
  await payByCard(page, CARD.declined)

  // The account, the order and the payment: a dozen requests in sequence, as before the thanks.
  await expect(page).toHaveURL(/\/payment-problem$/, { timeout: 60_000 })
  await expect(page).toHaveTitle('Payment problem | Murmur')
  await expect(h1(page, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
  await expect(
    main(page).getByText('Your bank declined the payment. Nothing has been charged.'),
  ).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('cartId'))).toBeNull()
  expect(await ordersOf(page)).toEqual([])

  await main(page).getByRole('link', { name: 'Try again' }).click()
  await expectCheckout(page)
  await expect(bag).toContainText('The Quiet Ferry')
  // The order's discount code is applied again.
  await expect(bag.getByText('WELCOME20')).toBeVisible()
  // The buyer has an account now, so only the payment is asked for.
  await expect(page.getByLabel('Email', { exact: true })).toHaveCount(0)
  const charged = (await chargesAt(shop.sandbox)).length
  await typeCard(page, CARD.good)
  await agree(page)
  // A double click pays only once.
  await payNow(page).dblclick()
  await thanked(page)
  expect(await ordersOf(page)).toMatchObject([{ amount: 9, couponCode: 'WELCOME20', status: 'paid' }])
  expect(await chargesAt(shop.sandbox)).toHaveLength(charged + 1)
  expect(await shelfOf(page)).toEqual(['audiobooks/the-quiet-ferry'])
  await expect(header(page).getByRole('button', { name: 'Shopping bag', exact: true })).toBeVisible()
  await mailTo(shop.url, email, /order|receipt/i)
})

test('ORDER-01 NAV-25: a refused authentication is not paid; after a successful one the live stream updates the page', async ({
  shop,
  device,
}) => {
  const page = await buyerAtCheckout({ shop, device })
  await payByCard(page, CARD.authentication)
  await answerBank(page, 'Fail authentication')
  await expect(page).toHaveURL(/\/payment-problem$/)
  expect(await ordersOf(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Try again' }).click()
  await expectCheckout(page)

  // Stop the page's polling, and let the provider's events arrive late.
  await page.clock.install()
  await shop.sandbox.control('webhooks', { hold: 'true' })
  await page.route('**/api/payments/return', (route) => route.abort())
  await payByCard(page, CARD.authentication)
  const stream = page.waitForResponse((response) => response.url().includes('/.well-known/mercure'))
  await answerBank(page, 'Complete authentication')
  await stream
  await expect(h1(page, 'Checking your payment')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 1_000)
  await shop.sandbox.control('webhooks', { hold: 'false' })
  await shop.sandbox.control('webhooks/release')
  // The query cache renders after a timer of 0 ms. A millisecond at a time is too little for the next poll.
  await expect(async () => {
    await page.clock.runFor(1)
    await expect(h1(page, 'Thank you. It’s all yours.')).toBeVisible({ timeout: 500 })
  }).toPass()
  const orders = await ordersOf(page)
  expect(orders).toHaveLength(1)
  await expect(main(page).getByText(`Order ${orders[0]!.orderNumber}`).first()).toBeVisible()

  await test.step('the same by its address', async () => {
    await page.unroute('**/api/payments/return')
    await page.clock.resume()
    await page.goto('/payment-successful')
    await thanked(page)
    await expect(page).toHaveTitle('Payment successful | Murmur')
    await expectAccessible(page)
  })
})

test('trap 24: one of two checkout tabs is closed during authentication: the book is delivered, and the other tab doesn’t pay again', async ({
  shop,
  device,
}) => {
  const context = await device({ of: await aNewcomer(shop.url) })
  const [one, other] = [await context.newPage(), await context.newPage()]
  await putIntoBag(one, '/audiobooks/the-quiet-ferry')
  const [bag] = await Promise.all([other.waitForResponse('**/api/carts/own'), other.goto('/payment')])
  const json: unknown = await bag.json()
  await expectCheckout(other)
  await typeCard(other, CARD.good)
  await agree(other)
  // Answer the bag from here: without an answer the tab shows this device's copy, which can't be paid for.
  await other.route('**/api/carts/own', (route) => route.fulfill({ json, headers: { [SHOP_HEADER]: '1' } }))

  await one.goto('/payment')
  await payByCard(one, CARD.authentication)
  const decided = one.waitForRequest(
    (request) => request.url().includes('/bank/') && request.method() === 'POST',
  )
  await answerBank(one, 'Complete authentication')
  await decided
  await one.close()
  await expect.poll(() => shelfOf(other), { timeout: 60_000 }).toEqual(['audiobooks/the-quiet-ferry'])

  const charged = (await chargesAt(shop.sandbox)).length
  await other.bringToFront()
  await payNow(other).click()
  await thanked(other)
  expect(await ordersOf(other)).toHaveLength(1)
  expect(await chargesAt(shop.sandbox)).toHaveLength(charged)
  expect(await shelfOf(other)).toEqual(['audiobooks/the-quiet-ferry'])
  await other.unroute('**/api/carts/own')
  await other.goto('/shopping-bag')
  await expect(main(other).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})
