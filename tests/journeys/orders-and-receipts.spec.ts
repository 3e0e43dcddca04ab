// Covers: orders, print
import type { Page } from '@playwright/test'
import { drawn } from '#tests/support/animation-frames.ts'
import { expect, test } from '#tests/support/journey.ts'
import { h1, main, ordersOf } from '#tests/support/checkout-page.ts'

const SHELF = { of: 'shelf@murmur.example' }
const entries = (page: Page) => main(page).getByRole('article')

test('ORDER-06 NAV-27: orders are listed five to a page, newest first, with number, date, amount, items and receipt, for their buyer only', async ({
  device,
}) => {
  const page = await (await device(SHELF)).newPage()
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Orders' }).click()
  await expect(page).toHaveURL(/\/orders$/)
  await expect(h1(page, 'Orders')).toBeVisible()
  await expect(page).toHaveTitle('Orders | Murmur')
  await expect(entries(page)).toHaveCount(5)
  const all = await ordersOf(page)
  expect(all.length).toBeGreaterThan(10)
  await expect(entries(page).getByRole('heading')).toHaveText(
    all.slice(0, 5).map(({ orderNumber }) => `Order ${orderNumber}`),
  )
  for (const [place, order] of all.slice(0, 5).entries()) {
    const entry = entries(page).nth(place)
    await expect(entry).toContainText(`£${order.amount.toFixed(2)}`)
    await expect(entry.getByRole('time')).toHaveText(/^\d{1,2}(st|nd|rd|th) \w+ \d{4}$/)
    for (const { title } of order.orderItems) await expect(entry).toContainText(title)
  }

  const receipts = main(page).getByRole('link', { name: /^Receipt for order/ })
  await test.step('a receipt shows items and VAT, and prints nothing else', async () => {
    await receipts.first().click()
    await expect(h1(page, 'Receipt')).toBeVisible()
    const receipt = main(page).getByRole('article')
    await expect(receipt).toContainText(all[0]!.orderNumber)
    for (const { title } of all[0]!.orderItems) await expect(receipt).toContainText(title)
    await expect(receipt).toContainText(/VAT \d+%/)
    await page.emulateMedia({ media: 'print' })
    await expect(receipt).toBeVisible()
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    await expect(main(page).getByRole('button')).toHaveCount(0)
    await page.emulateMedia({ media: 'screen' })
  })

  await page.goBack()
  await main(page).getByRole('link', { name: 'Page 2', exact: true }).click()
  await expect(entries(page).first().getByRole('heading')).toHaveText(`Order ${all[5]!.orderNumber}`)
})

test('LIB-03 LIB-04: the library drawer shows titles of both formats, and loads more within 150 px of its end', async ({
  device,
}) => {
  // Low enough that ten titles extend well beyond the window.
  const viewport = { width: 1280, height: 480 }
  const page = await (await device({ ...SHELF, viewport })).newPage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/libraries')) asked.push(new URL(request.url()).searchParams.get('page')!)
  })
  await page.goto('/faq')
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Peek at your shelf' }).click()
  const drawer = page.getByRole('dialog', { name: 'Your shelf' })
  await expect(drawer.getByRole('listitem')).toHaveCount(10)
  await expect(drawer.getByRole('listitem').filter({ hasText: 'Audiobook' }).first()).toBeVisible()
  await expect(drawer.getByRole('listitem').filter({ hasText: 'E-book' }).first()).toBeAttached()
  const more = drawer.getByRole('button', { name: 'Load more' })
  const scrollTo = (before: number) =>
    more.evaluate((button, distance) => {
      let box: HTMLElement = button.parentElement!
      while (!/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement!
      const mark = button.parentElement!.getBoundingClientRect().top
      box.scrollTop += mark - box.getBoundingClientRect().bottom - distance
    }, before)
  await scrollTo(170)
  await drawn(page, 10)
  expect(asked).not.toContain('2')
  await scrollTo(140)
  await expect(drawer.getByRole('listitem')).toHaveCount(20)

  await drawer.getByRole('listitem').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/(audiobooks|ebooks)\//)
  await expect(drawer).toBeHidden()
})
