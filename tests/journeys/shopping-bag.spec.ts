// Covers: bag, prices, catalogue
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { h1, line, main } from '#tests/support/checkout-page.ts'

const header = (page: Page) => page.getByRole('banner')
const cartId = (page: Page) => page.evaluate(() => localStorage.getItem('cartId'))
const counted = (page: Page, words: string) =>
  expect(header(page).getByRole('button', { name: words, exact: true })).toBeVisible()

test('SESS-02 BOOK-20 HDR-09: a visitor fills a bag that the browser remembers, opens it from the header and another tab, and empties it', async ({
  device,
}) => {
  const context = await device()
  const [page, other] = [await context.newPage(), await context.newPage()]
  const nothing = (tab: Page) => main(tab).getByText('Your bag is empty. The shelves aren’t.')
  const add = main(page).getByRole('button', { name: 'Add to bag' })
  const inBag = main(page).getByRole('button', { name: 'IN BAG' })
  await other.goto('/shopping-bag')
  await expect(nothing(other)).toBeVisible()

  await test.step('the button is reset on another book’s page', async () => {
    await page.goto('/audiobooks/nine-winters')
    expect(await cartId(page)).toBeNull()
    const added = Promise.withResolvers<void>()
    await page.route('**/api/cart_items', async (route) => {
      await added.promise
      await route.continue()
    })
    await add.click()
    await expect(add).toHaveAttribute('aria-busy', 'true')
    const nearby = main(page).getByRole('region', { name: 'Shelved nearby' }).getByRole('listitem').first()
    const another = await nearby.getByRole('heading').innerText()
    await nearby.getByRole('link').click()
    await expect(h1(page, another)).toBeVisible()
    await expect(h1(page, 'Nine Winters')).toHaveCount(0)
    await expect(add).toBeEnabled()
    added.resolve()
    await counted(page, 'Shopping bag, 1 item')
    await expect(add).toBeEnabled()
    await header(page).getByRole('link', { name: 'Murmur', exact: true }).click()
    await expect(page).toHaveTitle('Good books, said softly | Murmur')
    await expect(h1(page, another)).toHaveCount(0)
    await page.goBack()
    await page.goBack()
    await expect(h1(page, 'Nine Winters')).toBeVisible()
    await expect(inBag).toBeVisible()
  })
  await test.step('the bag is there after a reload, and in another tab', async () => {
    const id = await cartId(page)
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    await page.reload()
    await expect(inBag).toBeDisabled()
    await counted(page, 'Shopping bag, 1 item')
    expect(await cartId(page)).toBe(id)
    await other.bringToFront()
    await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(line(other, 'Nine Winters')).toBeVisible()
    await page.bringToFront()
  })
  await main(page)
    .getByRole('link', { name: /£8\.49/ })
    .click()
  await expect(page).toHaveURL(/\/ebooks\/nine-winters/)
  await expect(main(page).getByText('The audiobook is already in your bag.')).toBeVisible()
  await add.click()

  await header(page).getByRole('button', { name: 'Shopping bag, 2 items' }).click()
  await header(page).getByRole('link', { name: 'Checkout' }).click()
  await expect(page).toHaveURL(/\/shopping-bag$/)
  await expect(h1(page, 'Shopping bag')).toBeVisible()
  await expect(main(page).getByText('Your bag has 2 items totalling £24.49')).toBeVisible()
  const summary = main(page).getByRole('region', { name: 'Order summary' })
  // £16.00 including VAT, £8.49 without VAT.
  await expect(summary).toContainText('Sub total£21.82')
  await expect(summary).toContainText('VAT 20%, audiobooks£2.67')
  await expect(summary).toContainText('VAT 0%, e-books£0.00')
  await main(page).getByRole('button', { name: 'Remove Nine Winters' }).first().click()
  await expect(line(page, 'Nine Winters')).toHaveCount(1)
  await counted(page, 'Shopping bag, 1 item')
  await main(page).getByRole('button', { name: 'Remove Nine Winters' }).click()
  await expect(nothing(page)).toBeVisible()
  await counted(page, 'Shopping bag')
  await main(page).getByRole('link', { name: 'Back to the shop' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('ROLE-08 ROLE-29: a user without a membership gets a free title at once, and one for a credit, which is then spent', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: shop.someone('reader') })).newPage()
  await page.goto('/ebooks/harbour-lights-annual')
  await main(page).getByRole('button', { name: 'ADD TO LIBRARY' }).click()
  await expect(main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
  await counted(page, 'Shopping bag')

  await page.goto('/audiobooks/salt-road-letters')
  await main(page).getByRole('button', { name: 'Choose as free audiobook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Choose it' }).click()
  await expect(main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.goto('/audiobooks/the-orchard-at-low-tide')
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toBeVisible()

  await page.goto('/library')
  for (const name of ['Harbour Lights Annual', 'Salt Road Letters'])
    await expect(main(page).getByRole('heading', { name })).toBeVisible()
})

test('MEMB-51: from the month’s email to sound it is three presses, after a log-in on a new device', async ({
  shop,
  device,
}) => {
  const page = await (await device()).newPage()
  await page.setViewportSize(PHONE)
  const email = shop.someone('reader')
  await page.goto('/subscriber-selection?choose=salt-road-letters')
  await expect(page).toHaveURL(/\/login\?/)
  await main(page).getByLabel('Email', { exact: true }).fill(email)
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Choose Salt Road Letters as your free audiobook?' })
  await expect(question).toContainText('Free this month, £12 otherwise.')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Choose it' }).click()
  const yours = page.getByRole('dialog', { name: 'Salt Road Letters is yours' })
  await yours.getByRole('button', { name: 'Listen now' }).click()
  await expect(page.getByRole('button', { name: 'Pause' }).first()).toBeVisible()
})
