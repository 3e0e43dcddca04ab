// Covers: bag, session
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'
import { line, main, expectCheckout, putIntoBag } from '#tests/support/checkout-page.ts'

const cartId = (page: Page) => page.evaluate(() => localStorage.getItem('cartId'))
const count = (page: Page, words: string) =>
  expect(page.getByRole('banner').getByRole('button', { name: words, exact: true })).toBeVisible()

test('SESS-04 SESS-05 ENT-34: a guest who logs in at the checkout pays for both bags; owned titles become gifts, with a notice, and the bag is empty after log-out', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  const before = await (await device({ of: email })).newPage()
  await putIntoBag(before, '/audiobooks/the-quiet-ferry')

  const page = await (await device()).newPage()
  await putIntoBag(page, '/ebooks/oak-gall')
  // Trap 29: a title that is already owned, which a guest's bag cannot know.
  await putIntoBag(page, '/audiobooks/the-lamplighters-ledger')
  expect(await cartId(page)).not.toBeNull()
  await page.goto('/payment')
  await expectCheckout(page)
  await page.getByRole('button', { name: 'Already have an account? Log in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('moved to your bag.')).toContainText(
    'Oak Gall and The Lamplighter’s Ledger moved to your bag. You already own The Lamplighter’s Ledger, so it’s now in your bag as a gift.',
  )
  await expect(page).toHaveURL(/\/payment$/)
  const summary = page.getByRole('complementary', { name: 'Your bag' })
  for (const title of ['The Quiet Ferry', 'Oak Gall', 'The Lamplighter’s Ledger'])
    await expect(summary).toContainText(title)
  await expect(page.getByLabel('Email', { exact: true })).toHaveCount(0)
  await expect.poll(() => cartId(page)).toBeNull()
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(
    expect.arrayContaining(['refresh_token', 'token', 'tokenRefreshedDate']),
  )

  await main(page).getByRole('link', { name: 'Back to your bag' }).click()
  await count(page, 'Shopping bag, 3 items')
  for (const title of ['The Quiet Ferry', 'Oak Gall', 'The Lamplighter’s Ledger'])
    await expect(line(page, title)).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: 'Send as a gift, The Lamplighter’s Ledger' })).toBeChecked()
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await count(page, 'Shopping bag')
  await page.goto('/shopping-bag')
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})
