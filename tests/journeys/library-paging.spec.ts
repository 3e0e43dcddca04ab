// Covers: library
import type { Page } from '@playwright/test'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const SHELF = 'shelf@murmur.example'
/** Only the shelf's titles have headings, not those offered above it. */
const titles = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })

const pageOf = (search: string) => {
  const asked = new URLSearchParams(search)
  return `${asked.get('page')} of ${asked.get('itemsPerPage')}`
}

test('LIB-01 LIB-02: the library loads ten titles at a time, when its end comes near or by its button', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE, of: SHELF })).newPage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/libraries')) asked.push(new URL(request.url()).search)
  })
  await page.goto('/library')
  await expect(titles(page)).toHaveCount(10)
  const firstCover = titles(page).first().locator('img').first()
  expect((await firstCover.boundingBox())!.y, 'covers begin near the top').toBeLessThan(130)
  for (const count of [20, 24]) {
    await titles(page).last().scrollIntoViewIfNeeded()
    await expect(titles(page)).toHaveCount(count)
  }
  // A page may be requested again for revalidation. The data of all titles is loaded a hundred at a time.
  expect(new Set(asked.map(pageOf))).toEqual(new Set(['1 of 10', '2 of 10', '3 of 10', '1 of 100']))
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()
  const links = titles(page).getByRole('heading').getByRole('link')
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(addresses).size).toBe(24)

  await test.step('listening: on return all titles are shown at once, also without a network', async () => {
    await page.reload()
    await expect(titles(page)).toHaveCount(24)
    await page.context().setOffline(true)
    await page.getByRole('searchbox', { name: 'Search your library' }).fill('orchad')
    await expect(titles(page)).toHaveText([/The Orchard at Low Tide/])
    await expect(page).toHaveURL(/q=orchad/)
    await page.context().setOffline(false)
  })

  await test.step('the button loads more if the browser doesn’t report the end', async () => {
    const page = await (await device({ viewport: PHONE, of: SHELF })).newPage()
    await page.addInitScript(() => Reflect.deleteProperty(window, 'IntersectionObserver'))
    await page.goto('/library')
    await expect(titles(page)).toHaveCount(10)
    const more = page.getByRole('button', { name: 'Load more' })
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(titles(page)).toHaveCount(20)
    await more.click()
    await expect(titles(page)).toHaveCount(24)
    await expect(more).toBeHidden()
  })
})
