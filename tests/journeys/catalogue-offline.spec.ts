// Covers: sw, net
import type { Page } from '@playwright/test'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

const OPEN = [
  ['/', 'Good books, said softly'],
  ['/subscriber-selection', 'Current highlights'],
  ['/audiobooks', 'Audiobooks'],
  ['/ebooks', 'E-books'],
  ['/audiobooks/the-lamplighters-ledger', 'The Lamplighter’s Ledger'],
] as const

test('home, highlights, listings and visited book pages open offline; any other page says that it needs a network', async ({
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE })
  const page = await openPage(phone, '/audiobooks/the-lamplighters-ledger')
  // Wait for the service worker's background caching; the last request follows the last of the shelves.
  await expect.poll(() => isKept(page, '/api/e_books')).toBe(true)
  await phone.setOffline(true)
  for (const [path, heading] of OPEN) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await expect(page.getByRole('img', { name: /Lamplighter/ }).first()).toBeVisible()
  await page.goto('/faq')
  await expect(page.getByRole('heading', { level: 1, name: 'This page needs a connection' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This page needs a connection' })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Search shortcuts' }).getByRole('link').first(),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  // The page loads without a press once the connection is back.
  await phone.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Questions and answers' })).toBeVisible()
})

const NEVER_SEEN = [
  ['/browse', 'Browse'],
  ['/audiobooks?page=2', 'Audiobooks'],
  ['/ebooks', 'E-books'],
  ['/editions', 'Editions'],
  ['/publishers', 'Publishers'],
  ['/publishers/low-tide-press', 'Low Tide Press'],
  ['/people/nadim-okafor', 'Nadim Okafor'],
  ['/series/the-orrin-quay-books', 'The Orrin Quay books'],
  ['/articles/at-the-speed-of-soup', 'At the speed of soup'],
] as const

test('after one visit to home the whole catalogue opens offline, and titles added to the bag there are sent when the network is back', async ({
  device,
}) => {
  const laptop = await device({ worker: true, viewport: DESKTOP })
  const page = await openPage(laptop, '/')
  await expect.poll(() => hasCatalogue(page)).toBe(true)
  const styles = (await (await page.request.get('/api/styles?itemsPerPage=200')).json()) as {
    'hydra:member': { id: number; title: string }[]
  }
  const letters = styles['hydra:member'].find(({ title }) => title === 'Letters and diaries')!
  await laptop.setOffline(true)
  for (const [path, heading] of NEVER_SEEN) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await page.goto(`/audiobooks?styles[]=${letters.id}`)
  await expect(page.getByRole('main').getByRole('link', { name: /Salt Road Letters/ })).toBeVisible()

  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search books and articles' }).fill('salt raod')
  await expect(page.getByRole('option', { name: /Salt Road Letters/ }).first()).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/audiobooks/salt-road-letters')
  await expect(page.getByRole('heading', { level: 1, name: 'Salt Road Letters' })).toBeVisible()
  await expect(page.getByText('The sample and chapters need a connection.')).toBeVisible()
  await expect(page.getByText(/Prices as of/)).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Add to bag' }).click()
  await page.getByRole('main').getByRole('link', { name: 'See your bag' }).click()
  await expect(page.getByText('Your bag has 1 item')).toBeVisible()
  // Closing the tab while offline loses nothing.
  await page.goto('/shopping-bag')
  await expect(page.getByRole('main').getByRole('link', { name: 'Salt Road Letters' })).toBeVisible()
  await expect(page.getByText('work out your total when you’re back online')).toBeVisible()

  await laptop.setOffline(false)
  await expect(page.getByText(/Your bag has 1 item totalling £/)).toBeVisible()
  await expect(page.getByText('Total to pay')).toBeVisible()
  const cartId = await page.evaluate(() => localStorage.getItem('cartId'))
  const cart = (await (await page.request.get(`/api/carts/${cartId}`)).json()) as {
    items: { audioBook: { slug: string } }[]
  }
  expect(cart.items.map(({ audioBook }) => audioBook.slug)).toEqual(['salt-road-letters'])
})

const hasCatalogue = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('murmur-catalogue-index')).keys()).length > 1)

const isKept = (page: Page, address: string) =>
  page.evaluate(
    async (part) =>
      (await (await caches.open('murmur-catalogue')).keys()).some(({ url }) => url.includes(part)),
    address,
  )
