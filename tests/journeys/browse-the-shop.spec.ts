import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { expect, test } from '#tests/support/journey.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

interface Listed {
  'hydra:totalItems': number
  'hydra:member': { id: number; slug: string; title: string; name: string; style: { title: string } | null }[]
}

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const h2s = (page: Page) => main(page).getByRole('heading', { level: 2 })
const styles = (page: Page) => page.getByRole('group', { name: 'Style' })
const shelf = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const linksIn = (page: Page, name: string) =>
  shelf(page, name)
    .getByRole('listitem')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('/').pop()!))

test('BROWSE-02 BROWSE-05 BROWSE-03 BROWSE-04 NAV-44: editions, collection, highlights, then the visible categories by weight', async ({
  page,
}) => {
  await page.goto('/browse')
  await expect(page).toHaveTitle('Browse | Murmur')
  const titles = await h2s(page).allInnerTexts()
  expect(titles.slice(0, 3)).toEqual(['Editions', 'Collection', 'Current Highlights'])
  const categories = demoFile('categories.json')
    .filter(({ visible }) => visible)
    .sort((a, b) => a.weight - b.weight)
    .map(({ name }) => name)
  const shown = titles.slice(3).filter((title) => categories.includes(title))
  expect(shown.length).toBeGreaterThan(2)
  expect(shown).toEqual(categories.filter((name) => shown.includes(name)))
  for (const { name, visible } of demoFile('categories.json'))
    if (!visible) await expect(h2s(page).filter({ hasText: name })).toHaveCount(0)
  expect(await shelf(page, 'Featured Publishers').getByRole('listitem').count()).toBeGreaterThan(4)
  await expect(main(page).locator('a[href^="https://apps.example/"]')).toHaveCount(2)
})

test('BROWSE-01 BROWSE-06: styles are put into the address and taken out; every shelf follows, also after a reload', async ({
  page,
  request,
}) => {
  const all = (await (await request.get('/api/audio_books?itemsPerPage=200')).json()) as Listed
  const styleOf = new Map(all['hydra:member'].map(({ slug, style }) => [slug, style?.title]))
  await page.goto('/browse')
  const [first, second] = await styles(page).getByRole('button').allInnerTexts()
  await styles(page).getByRole('button', { name: first!, exact: true }).click()
  await expect(page).toHaveURL(/[?&]styles\[\]=\d+(&|$)/)
  await styles(page).getByRole('button', { name: second!, exact: true }).click()
  await expect(page).toHaveURL(/[?&]styles\[\]=\d+,\d+(&|$)/)
  const onlyThose = async () => {
    for (const name of ['Editions', 'Collection', 'Current Highlights'])
      for (const slug of (await shelf(page, name).count()) ? await linksIn(page, name) : [])
        if (slug !== '')
          expect([slug, [first, second]]).toEqual([slug, expect.arrayContaining([styleOf.get(slug)])])
  }
  await expect
    .poll(async () =>
      (await linksIn(page, 'Collection')).every((slug) => [first, second].includes(styleOf.get(slug))),
    )
    .toBe(true)
  await onlyThose()
  await page.reload()
  await expect(styles(page).getByRole('button', { name: first!, exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await onlyThose()
  await styles(page).getByRole('button', { name: second!, exact: true }).click()
  await expect(page).toHaveURL(/[?&]styles\[\]=\d+(&|$)/)
  await page.goBack()
  await expect(page).toHaveURL(/[?&]styles\[\]=\d+,\d+(&|$)/)
})

test('LIST-17 LIST-18 LIST-19 NAV-17: editions five at a time, in the address, until all are loaded', async ({
  page,
  request,
}) => {
  const all = (await (await request.get('/api/audio_books?edition=true&itemsPerPage=50')).json()) as Listed
  const total = all['hydra:totalItems']
  await page.goto('/editions')
  const entries = main(page).getByRole('list').first().getByRole('listitem')
  await expect(entries).toHaveCount(5)
  await expect(page).toHaveURL('/editions?_page=1&itemsPerPage=5')
  for (let pages = 2; pages <= Math.ceil(total / 5); pages++) {
    await main(page).getByRole('button', { name: 'Load more' }).click()
    await expect(entries).toHaveCount(Math.min(pages * 5, total))
    await expect(page).toHaveURL(`/editions?_page=${pages}&itemsPerPage=5`)
  }
  await expect(main(page).getByRole('button', { name: 'Load more' })).toHaveCount(0)
  for (const link of await entries.getByRole('link').all())
    expect(await link.getAttribute('href')).toMatch(/^\/audiobooks\/[a-z0-9-]+$/)
})

test('BOOK-14 NAV-17: a book opened from the editions offers the way back to the very place', async ({
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
  await page.goto('/audiobooks/nine-winters')
  await expect(h1(page)).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Back' })).toHaveCount(0)
})

test('LIST-20 NAV-18: the current highlights, twelve at a time with load more', async ({ page, request }) => {
  const all = (await (await request.get('/api/audio_books/second_editions?itemsPerPage=50')).json()) as Listed
  const total = all['hydra:totalItems']
  await page.goto('/subscriber-selection')
  await expect(h1(page)).toHaveText('Current highlights')
  const cards = main(page).getByRole('list').first().getByRole('listitem')
  await expect(cards).toHaveCount(Math.min(12, total))
  await page.goto('/subscriber-selection?itemsPerPage=4')
  await expect(cards).toHaveCount(4)
  await main(page).getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(8)
})

test('LIST-21: without highlights the page says so and leads to the collection', async ({ page }) => {
  const nothing = {
    '@context': '',
    '@id': '',
    '@type': 'hydra:Collection',
    'hydra:member': [],
    'hydra:totalItems': 0,
  }
  await page.goto('/faq')
  await page.route('**/api/audio_books/second_editions**', (route) => route.fulfill({ json: nothing }))
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Current highlights' })
    .click()
  await main(page).getByRole('link', { name: 'Browse audiobooks' }).click()
  await expect(page).toHaveURL('/audiobooks')
})

test('PUBL-01 NAV-21: the publishers, and from each to its page', async ({ page, request }) => {
  const all = (await (await request.get('/api/publishers?itemsPerPage=50')).json()) as Listed
  await page.goto('/publishers')
  await expect(h2s(page)).toHaveText(all['hydra:member'].map(({ name }) => name))
  await main(page)
    .getByRole('link', { name: /Slate Yard/ })
    .click()
  await expect(page).toHaveURL('/publishers/slate-yard')
})

test('PUBL-02 BOOK-03: a publisher’s name, words, site and audiobooks; a book leads there', async ({
  page,
  request,
}) => {
  await page.goto('/audiobooks/nine-winters')
  await main(page).getByRole('link', { name: 'Slate Yard' }).click()
  await expect(page).toHaveURL('/publishers/slate-yard')
  await expect(h1(page)).toHaveText('Slate Yard')
  await expect(main(page).getByText('names its translators on the cover')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'slate-yard.example' })).toHaveAttribute(
    'href',
    'https://slate-yard.example',
  )
  const books = (await (
    await request.get('/api/publishers/slate-yard/audio_books?itemsPerPage=12')
  ).json()) as Listed
  await expect(main(page).getByRole('list').first().getByRole('listitem')).toHaveCount(
    books['hydra:member'].length,
  )
})

test('PUBL-03: an unknown publisher is not found', async ({ page }) => {
  const answer = await page.goto('/publishers/nobody')
  expect(answer?.status()).toBe(404)
  await expect(page).toHaveTitle(/^Page not found/)
})

test('NAV-43 NAV-45: cards and the two themed shelves show exactly their titles, by style too', async ({
  page,
  request,
}) => {
  for (const [path, title, query] of [
    ['/audiobooks-in-a-card', 'Audiobooks in a card', 'availableAsCard=true'],
    ['/astonishing-memoirs', 'Astonishing Memoirs', 'memoir=true'],
    ['/writers-dilemma', 'Writer’s Dilemma', 'writersDilemma=true'],
  ] as const) {
    const all = (await (await request.get(`/api/audio_books?${query}&itemsPerPage=50`)).json()) as Listed
    await page.goto(path)
    await expect(h1(page)).toHaveText(title, { ignoreCase: true })
    const cards = main(page).getByRole('list').first().getByRole('listitem')
    await expect(cards).toHaveCount(Math.min(12, all['hydra:totalItems']))
    await page.goto(`${path}?page=1&itemsPerPage=3`)
    await expect(cards).toHaveCount(Math.min(3, all['hydra:totalItems']))
  }
})

test('the shelves are for everybody, on a phone and a desktop, by day and by night', async ({ page }) => {
  for (const path of [
    '/browse',
    '/editions',
    '/subscriber-selection',
    '/publishers',
    '/publishers/slate-yard',
    '/writers-dilemma',
  ]) {
    await page.goto(path)
    await expect(h1(page)).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.setViewportSize({ width: 320, height: 640 })
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320])
  }
})
