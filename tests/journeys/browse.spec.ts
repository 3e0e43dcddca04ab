// Covers: catalogue, editorial
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'

interface Listed {
  'hydra:member': { slug: string; style: { title: string } | null }[]
}

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const shelf = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const style = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Style' }).getByRole('button', { name, exact: true })
const slugsIn = (page: Page, name: string) =>
  shelf(page, name)
    .getByRole('listitem')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('/').pop()!))

test('BROWSE-01 BROWSE-06: a style is in the address, filters every shelf, also after a reload, and Back removes it', async ({
  page,
  request,
}) => {
  const all = (await (await request.get('/api/audio_books?itemsPerPage=200')).json()) as Listed
  const styleOf = new Map(all['hydra:member'].map((book) => [book.slug, book.style?.title]))
  const onlyLyrical = async () => {
    for (const name of ['Editions', 'Collection', 'Current Highlights'])
      expect((await slugsIn(page, name)).filter((slug) => styleOf.get(slug) !== 'Lyrical')).toEqual([])
  }
  await page.goto('/browse')
  await expect(shelf(page, 'Collection').getByRole('listitem')).toHaveCount(12)
  const everything = await slugsIn(page, 'Collection')
  await style(page, 'Lyrical').click()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  await expect.poll(() => slugsIn(page, 'Collection')).not.toEqual(everything)
  expect(await slugsIn(page, 'Collection')).not.toEqual([])
  await onlyLyrical()
  await page.reload()
  await expect(style(page, 'Lyrical')).toHaveAttribute('aria-pressed', 'true')
  await onlyLyrical()
  await page.goBack()
  await expect(page).toHaveURL('/browse')
  await expect.poll(() => slugsIn(page, 'Collection')).toEqual(everything)
})

test('PUBL-02 BOOK-03: from the browse screen to a publisher, to one of its books, and back to the publisher', async ({
  page,
}) => {
  await page.goto('/browse')
  await shelf(page, 'Featured Publishers')
    .getByRole('link', { name: /Slate Yard/ })
    .click()
  await expect(page).toHaveURL('/publishers/slate-yard')
  await expect(h1(page)).toHaveText('Slate Yard')
  await expect(main(page).getByText('names its translators on the cover')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'slate-yard.example' })).toBeVisible()
  await main(page)
    .getByRole('link', { name: /Nine Winters/ })
    .click()
  await expect(h1(page)).toHaveText('Nine Winters')
  await main(page).getByRole('link', { name: 'Slate Yard' }).click()
  await expect(h1(page)).toHaveText('Slate Yard')
})

test('BOOK-14 LIST-18 NAV-17: a book that was opened from the editions leads back to the same position', async ({
  page,
}) => {
  await page.goto('/editions')
  await main(page).getByRole('button', { name: 'Load more' }).click()
  const entries = main(page).getByRole('list').first().getByRole('listitem')
  await expect(entries).toHaveCount(10)
  await entries.nth(8).scrollIntoViewIfNeeded()
  const top = await page.evaluate(() => window.scrollY)
  await entries.nth(8).getByRole('link').click()
  await expect(page).toHaveURL(/\/audiobooks\//)
  await main(page).getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL('/editions?_page=2&itemsPerPage=5')
  await expect(entries).toHaveCount(10)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(top - 150)
})
