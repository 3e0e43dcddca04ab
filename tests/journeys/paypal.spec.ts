// Covers: checkout, payments
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'
import {
  agree,
  buyerAtCheckout,
  h1,
  main,
  expectCheckout,
  ordersOf,
  payNow,
  shelfOf,
  thanked,
} from '#tests/support/checkout-page.ts'

async function toPayPal(page: Page): Promise<void> {
  await expectCheckout(page)
  // Wait for the provider: only then does choosing PayPal redirect at once (PAY-11).
  const cvc = page.frameLocator('iframe[title="Secure CVC input frame"]').getByRole('textbox')
  await expect(cvc).toBeVisible()
  await agree(page)
  await page.getByRole('radio', { name: 'PayPal' }).check({ noWaitAfter: true })
}

/** The form is as it was left, with PayPal chosen and the box ticked, so one press redirects again. */
async function toPayPalAgain(page: Page): Promise<void> {
  await expectCheckout(page)
  await expect(page.getByRole('radio', { name: 'PayPal' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /I want my books now/ })).toBeChecked()
  await payNow(page).click({ noWaitAfter: true })
}

test('PAY-47 ROLE-23 NAV-26: closing PayPal leads back to the unchanged checkout, a refusal is shown, and an approval is one paid order that strangers can’t see', async ({
  page: stranger,
  shop,
  device,
}) => {
  const page = await buyerAtCheckout({ shop, device })
  await toPayPal(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/payment$/)
  await expectCheckout(page)
  await expect(page.getByRole('complementary', { name: 'Your bag' })).toContainText('The Quiet Ferry')
  expect(await ordersOf(page)).toEqual([])

  await toPayPalAgain(page)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(h1(page, 'Oops, looks like there was a problem with Paypal.')).toBeVisible()
  await expect(main(page).getByText('Please try again or another card.')).toBeVisible()
  expect(await ordersOf(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Try again' }).click()

  await toPayPalAgain(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await thanked(page)
  await expect(page).toHaveURL(/\/payment-successful/)
  const proof = new URL(page.url()).search
  expect(await ordersOf(page)).toMatchObject([{ amount: 11, status: 'paid' }])
  expect(await shelfOf(page)).toEqual(['audiobooks/the-quiet-ferry'])

  await test.step('trap 26: Back after paying shows the paid order, and asks for no payment', async () => {
    await page.goBack()
    await thanked(page)
    await page.goto('/payment')
    await expect(page).not.toHaveURL(/\/payment$/)
    expect(await ordersOf(page)).toHaveLength(1)
  })

  await test.step('the page about a missing order opens by its address for its buyer', async () => {
    await page.goto('/payment-successful-problem')
    await expect(h1(page, 'Oops, looks like there was a problem with order confirmation')).toBeVisible()
    await expect(page).toHaveTitle('Order problem | Murmur')
    await stranger.goto('/payment-successful-problem')
    await expect(stranger).toHaveURL(/\/access-denied/)
  })
  await test.step('a stranger with the payment’s id only learns that it was paid', async () => {
    await stranger.goto('/payment-successful' + proof)
    await expect(h1(stranger, 'Your payment went through.')).toBeVisible()
    await expect(main(stranger)).not.toContainText('The Quiet Ferry')
    await expect(main(stranger)).not.toContainText('£')
  })
})
