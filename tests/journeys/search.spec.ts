// Covers: search
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { drawn } from '#tests/support/animation-frames.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

const main = (page: Page) => page.getByRole('main')
const books = (page: Page) => main(page).getByRole('list', { name: 'Titles' }).getByRole('listitem')
const count = (page: Page) => main(page).getByRole('status').first()
const field = (page: Page) => page.getByRole('combobox', { name: 'Search books and articles' })

async function lookFor(page: Page, keyword: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(field(page)).toBeFocused()
  await field(page).fill(keyword)
}

test('HDR-05 SEARCH-03 SEARCH-04: the header’s search offers shortcuts, finds four books and two articles, and leads to all results', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/search-articles')
  await lookFor(page, 'ha')
  for (const name of ['Group 1', 'Group 2'])
    await expect(page.getByRole('list', { name }).getByRole('link').first()).toBeVisible()
  await field(page).pressSequentially('rbour')
  await expect(page.getByRole('group', { name: /^Books, \d\d/ }).getByRole('option')).toHaveCount(4)
  await expect(page.getByRole('group', { name: /^Articles, \d/ }).getByRole('option')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Search' })).toBeFocused()
  await lookFor(page, 'harbour')
  await page.getByRole('link', { name: /^Show all \d+ books$/ }).click()
  await expect(page).toHaveURL('/search-books?keyword=harbour')
  await expect(main(page).getByRole('heading', { level: 1, name: 'Search books' })).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  await expect(books(page)).toHaveCount(12)
})

test('SEARCH-09 SEARCH-12 SEARCH-13: query, order, filters and loaded pages are in the address, until a new search in the header', async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP)
  await page.goto('/search-books')
  await page.getByRole('searchbox', { name: 'Search books' }).pressSequentially('harbuor')
  await expect(page).toHaveURL('/search-books?keyword=harbuor')
  await expect(count(page)).toContainText('Here’s what we have for “harbour”.')
  await page.getByRole('searchbox', { name: 'Search books' }).fill('harbour')
  await expect(count(page)).toHaveText(/^\d+ titles$/)
  const all = (await count(page).textContent())!

  await page.getByRole('button', { name: 'Sort by name' }).click()
  await expect(page).toHaveURL('/search-books?keyword=harbour&sort=name&direction=asc')
  await expect
    .poll(async () => {
      const titles = await books(page).getByRole('heading').allTextContents()
      return (
        titles.length === 12 &&
        titles.every((title, at) => at === 0 || title.toLowerCase() >= titles[at - 1]!.toLowerCase())
      )
    })
    .toBe(true)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page).toHaveURL(/page=2/)
  const loaded = await books(page).count()
  expect(loaded).toBeGreaterThan(12)
  await page.reload()
  await expect(books(page)).toHaveCount(loaded)

  await page.getByRole('button', { name: 'Show filters' }).click()
  const filters = page.getByRole('complementary', { name: 'Filters' })
  await filters.getByRole('button', { name: '9 hours or less' }).click()
  await expect(page).toHaveURL('/search-books?keyword=harbour&sort=name&direction=asc&lengthHours[lte]=9')
  await expect(count(page)).not.toHaveText(all)
  // Wait for the results: until then they may take the focus, which closes the header's search.
  await expect(page.getByRole('button', { name: 'Remove 9 hours or less' })).toBeVisible()
  await expect(count(page)).toHaveText(/^\d+ titles$/)
  await drawn(page)
  await lookFor(page, 'harbour')
  await page.getByRole('link', { name: /^Show all \d+ books$/ }).click()
  await expect(page).toHaveURL('/search-books?keyword=harbour')
  await expect(count(page)).toHaveText(all)

  await test.step('the person and the journal are found beside the titles, and a sample plays in its row', async () => {
    await page.goto('/search-books?keyword=tarrant')
    await expect(main(page).getByRole('link', { name: /^Imogen Tarrant Author/ })).toBeVisible()
    await expect(main(page).getByRole('region', { name: 'Journal' }).getByRole('link').first()).toBeVisible()
    await expectAccessible(page)
    const sample = main(page)
      .getByRole('button', { name: /^Play a sample of/ })
      .first()
    await sample.click()
    await expect(sample).toHaveAttribute('aria-pressed', 'true')
    await expect(sample).toContainText(/\d left$/)
  })
})
