// Walks through: sw, net
import type { Page } from '@playwright/test'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const OPEN = [
  ['/', 'Good books, said softly'],
  ['/subscriber-selection', 'Current highlights'],
  ['/audiobooks', 'Audiobooks'],
  ['/ebooks', 'E-books'],
  ['/audiobooks/the-lamplighters-ledger', 'The Lamplighter’s Ledger'],
] as const

test('home, highlights and shelves that were never seen and a book’s page that was open without a network; any other says that it needs one', async ({
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE })
  const page = await openPage(phone, '/audiobooks/the-lamplighters-ledger')
  // The worker fetches behind the page; the last address it asks for is behind the last of the shelves.
  await expect.poll(() => isKept(page, '/api/e_books')).toBe(true)
  await phone.setOffline(true)
  for (const [path, heading] of OPEN) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await expect(page.getByRole('img', { name: /Lamplighter/ }).first()).toBeVisible()
  await page.goto('/audiobooks/salt-road-letters')
  await expect(page.getByRole('heading', { level: 1, name: 'This page needs a connection' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This page needs a connection' })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Search shortcuts' }).getByRole('link').first(),
  ).toBeVisible()
  await page.getByRole('combobox', { name: 'Search books and articles' }).fill('ferry')
  await expect(page.getByText('Searching needs a connection.')).toBeVisible()
  await page.keyboard.press('Escape')
  // Nobody needs to press anything once there is a connection again.
  await phone.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Salt Road Letters' })).toBeVisible()
})

const isKept = (page: Page, address: string) =>
  page.evaluate(
    async (part) =>
      (await (await caches.open('murmur-catalogue')).keys()).some(({ url }) => url.includes(part)),
    address,
  )
