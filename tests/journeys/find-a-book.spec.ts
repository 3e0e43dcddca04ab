import type { Page } from '@playwright/test'
import { drawn } from '#tests/support/drawn.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

// Eleven journeys with every page looked over by axe; on two busy cores that takes its time.
test.describe.configure({ timeout: 120_000 })

const main = (page: Page) => page.getByRole('main')
const books = (page: Page) => main(page).getByRole('list').first().getByRole('listitem')
const count = (page: Page) => main(page).getByRole('status').first()
const field = (page: Page) => page.getByRole('combobox', { name: 'Search books and articles' })
const options = (page: Page) => page.getByRole('option')

async function lookFor(page: Page, keyword: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(field(page)).toBeFocused()
  await field(page).fill(keyword)
}
const answersTo = (page: Page, path: string) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === path) asked.push(searchParams.get('keyword') ?? '')
  })
  return asked
}

for (const [size, viewport] of [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)
  test(`SEARCH-03 SEARCH-15 SEARCH-04 SEARCH-16 HDR-05: on a ${size}, the header finds four books and two articles of many`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    const asked = answersTo(page, '/api/quick_results')
    // The lightest page there is: the accessibility of all that stands below the panel is another journey's.
    await page.goto('/search-articles')
    await lookFor(page, 'ha')
    for (const name of ['Group 1', 'Group 2'])
      await expect(page.getByRole('list', { name }).getByRole('link').first()).toBeVisible()
    await expectAccessible(page)
    await field(page).pressSequentially('rbour')
    await expect(options(page)).toHaveCount(6)
    // Only what stood there when the typing was over: ROLE-01, SEARCH-01, SEARCH-02.
    expect(asked).toEqual(['harbour'])
    await expect(page.getByRole('group', { name: /^Books, \d\d/ }).getByRole('option')).toHaveCount(4)
    await expect(page.getByRole('group', { name: /^Articles, \d/ }).getByRole('option')).toHaveCount(2)
    await expect(page.getByRole('link', { name: /^Show all \d+ articles$/ })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^Show all \d+ books$/ }).click()
    await expect(page).toHaveURL('/search-books?keyword=harbour')
    await expect(field(page)).toHaveCount(0)
    // The next page closes the panel when it arrives, not when its address does.
    await expect(main(page).getByRole('heading', { level: 1, name: 'Search books' })).toBeVisible()

    await lookFor(page, 'ferry')
    await expect(options(page).first()).toBeVisible()
    await expect(page.getByRole('link', { name: /^Show all/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(field(page)).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('button', { name: 'Search' })).toBeFocused()
  })

test('SEARCH-05 SEARCH-14: what is nowhere is said to be nowhere, in the header and on both pages', async ({
  page,
}) => {
  await page.goto('/')
  await lookFor(page, 'zzyzx')
  await expect(page.getByRole('banner').getByText('Sorry, no results.')).toBeVisible()
  await page.getByRole('link', { name: 'Visit our collection' }).click()
  await expect(page).toHaveURL('/audiobooks')
  for (const path of ['/search-books', '/search-articles']) {
    await page.goto(`${path}?keyword=zzyzx`)
    await expect(main(page).getByRole('heading', { name: 'Sorry, no results.' })).toBeVisible()
    await expect(count(page)).toHaveText('0 results')
    await expectAccessible(page)
  }
})

test('NAV-29 SEARCH-08 SEARCH-19 SEARCH-12: the book search counts every hit and shows twelve more at a time', async ({
  page,
}) => {
  const answer = await page.request.get('/api/search_books?keyword=harbour')
  const total = ((await answer.json()) as { 'hydra:totalItems': number })['hydra:totalItems']
  expect(total).toBeGreaterThanOrEqual(14)
  await page.goto('/search-books?keyword=harbour')
  await expect(page).toHaveTitle('Search books | Murmur')
  await expect(count(page)).toHaveText(`${total} results`)
  await expect(books(page)).toHaveCount(12)
  await expectAccessible(page)
  const more = page.getByRole('button', { name: 'Load more' })
  for (let shown = 24; shown - 12 < total; shown += 12) {
    await more.click()
    await expect(books(page)).toHaveCount(Math.min(shown, total))
  }
  await expect(more).toHaveCount(0)
  await expect(page).toHaveURL(`/search-books?keyword=harbour&page=${Math.ceil(total / 12)}`)
  await page.reload()
  await expect(books(page)).toHaveCount(total)
})

test('NAV-28 SEARCH-06 SEARCH-07 SEARCH-17: the article search shows five more at a time, of the types that are wanted', async ({
  page,
}) => {
  const totalOf = async (query: string) => {
    const answer = await page.request.get(`/api/murmurations?keyword=harbour${query}`)
    return ((await answer.json()) as { 'hydra:totalItems': number })['hydra:totalItems']
  }
  const total = await totalOf('')
  expect(total).toBeGreaterThanOrEqual(7)
  const items = main(page).getByRole('list').first().getByRole('listitem')
  await page.goto('/search-articles?keyword=harbour')
  await expect(page).toHaveTitle('Search articles | Murmur')
  await expect(count(page)).toHaveText(`${total} results`)
  await expect(items).toHaveCount(5)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(items).toHaveCount(Math.min(10, total))

  for (const [name, kind] of [
    ['Articles', 'articles'],
    ['Podcasts', 'interviews'],
    ['Events', 'discussions'],
  ] as const) {
    const chip = page.getByRole('group', { name: 'Types' }).getByRole('button', { name })
    await chip.click()
    await expect(page).toHaveURL(`/search-articles?keyword=harbour&types=${kind}`)
    const found = await totalOf(`&search[]=${kind}`)
    await expect(count(page)).toHaveText(found === 1 ? '1 result' : `${found} results`)
    for (const link of await items.getByRole('link').all())
      expect(await link.getAttribute('href')).toMatch(new RegExp(`^/${kind}/`))
    await chip.click()
  }
})

test('SEARCH-09 SEARCH-10 SEARCH-11 SEARCH-20 SEARCH-13: filters narrow, sorting orders, and the quick search begins anew', async ({
  page,
}) => {
  await page.goto('/search-books?keyword=harbour')
  const sort = page.getByRole('group', { name: 'Sort by' })
  await expect(sort.getByRole('button', { name: 'Relevance' })).toHaveAttribute('aria-pressed', 'true')
  await sort.getByRole('button', { name: 'Name' }).click()
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

  await page.getByRole('button', { name: 'Show filters' }).click()
  const filters = page.getByRole('complementary', { name: 'Filters' })
  const all = await count(page).textContent()
  await filters.getByRole('checkbox').first().click()
  await expect(page).toHaveURL(/keyword=harbour&sort=name&direction=asc&styles\[\]=\d+$/)
  await filters.getByRole('button', { name: '9 hours or less' }).click()
  await expect(page).toHaveURL(/lengthHours\[lte\]=9$/)
  await expect(count(page)).not.toHaveText(all!)
  // No box half under the header, where the press had scrolled to.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expectAccessible(page)
  await main(page)
    .getByRole('button', { name: /9 hours or less/ })
    .first()
    .click()
  await expect(page).toHaveURL(/styles\[\]=\d+$/)
  await page.getByRole('button', { name: 'Remove all' }).click()
  await expect(page).toHaveURL('/search-books?keyword=harbour&sort=name&direction=asc')
  await expect(count(page)).toHaveText(all!)

  await filters.getByRole('checkbox').first().click()
  await expect(page).toHaveURL(/styles/)
  await lookFor(page, 'harbour')
  await page.getByRole('link', { name: /^Show all \d+ books$/ }).click()
  await expect(page).toHaveURL('/search-books?keyword=harbour')
})

test('SEARCH-12 SEARCH-02: what is typed on the page stands in the address when the typing is over, slips are mended', async ({
  page,
}) => {
  await page.goto('/search-books')
  await expect(main(page).getByText('Type at least three letters.')).toBeVisible()
  const asked = answersTo(page, '/api/search_books')
  await page.getByRole('searchbox', { name: 'Search books' }).pressSequentially('harbuor')
  await expect(page).toHaveURL('/search-books?keyword=harbuor')
  await expect(count(page)).toContainText('Here’s what we have for “harbour”.')
  expect(asked).toEqual(['harbuor'])
  await expect(books(page)).toHaveCount(12)
  await page.getByRole('link', { name: 'Search articles' }).click()
  await expect(page).toHaveURL('/search-articles?keyword=harbuor')
  await expect(main(page).getByRole('listitem').first()).toBeVisible()
})

test('SEARCH-10 SEARCH-12 SEARCH-17: what is pressed while an answer is on its way adds to what was asked before', async ({
  page,
}) => {
  let answer = () => {}
  const hold = async (path: string) => {
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(path, async (route) => {
      await held
      await route.continue()
    })
  }
  await page.goto('/search-books?keyword=harbour')
  await expect(books(page)).toHaveCount(12)
  await page.getByRole('button', { name: 'Show filters' }).click()
  const boxes = page.getByRole('complementary', { name: 'Filters' }).getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  await hold('**/api/search_books?**')
  await boxes.nth(0).click()
  await boxes.nth(1).click()
  await page.getByRole('searchbox', { name: 'Search books' }).fill('winter')
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: 'Name' }).click()
  await expect(boxes.nth(0)).toBeChecked()
  await expect(main(page).locator('ul[aria-busy="true"]')).toHaveCSS('opacity', '0.6')
  const asked = /\/search-books\?keyword=winter&sort=name&direction=asc&styles\[\]=\d+,\d+$/
  await expect(page).toHaveURL(asked)
  answer()
  await expect(main(page).locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page).toHaveURL(asked)
  await expect(boxes.nth(1)).toBeChecked()

  await page.goto('/search-articles?keyword=harbour')
  await expect(count(page)).toHaveText(/^\d+ results$/)
  await hold('**/api/murmurations?**')
  const types = page.getByRole('group', { name: 'Types' })
  for (const name of ['Articles', 'Events']) {
    await types.getByRole('button', { name }).click()
    await expect(types.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true')
  }
  answer()
  await expect(page).toHaveURL('/search-articles?keyword=harbour&types=articles,discussions')
  await expect(main(page).getByRole('listitem').first()).toBeVisible()
})

test('SEARCH-19 LIST-18: who leaves while more is on its way is not called back, and more that fails is not in the address', async ({
  page,
}) => {
  const more = page.getByRole('button', { name: 'Load more' })
  for (const [path, calls, first] of [
    ['/search-books?keyword=harbour', '**/api/search_books?**', books(page)],
    ['/editions?_page=1&itemsPerPage=5', '**/api/audio_books?**edition**', books(page)],
  ] as const) {
    await page.goto(path)
    await expect(more).toBeVisible()
    const before = await first.count()
    await page.route(calls, (route) => route.fulfill({ status: 500, body: '' }))
    await more.click()
    await expect(main(page).getByText('We couldn’t load any more. Please try again.')).toBeVisible()
    await expect(page).toHaveURL(path)
    await page.unroute(calls)

    // What is on its way when somebody leaves is given up, which must not be taken for its end.
    await page.route(calls, () => new Promise<void>(() => {}))
    await more.click()
    await expect(more).toHaveAttribute('aria-busy', 'true')
    const givenUp = page.waitForEvent('requestfailed')
    await first.first().getByRole('link').click()
    await expect(page).toHaveURL(/\/(audiobooks|ebooks)\/[a-z0-9-]+$/)
    await givenUp
    // Time enough to be called back.
    await drawn(page, 10)
    await expect(page).toHaveURL(/\/(audiobooks|ebooks)\/[a-z0-9-]+$/)
    await page.unroute(calls)
    await page.goBack()
    await expect(page).toHaveURL(path)
    await more.click()
    await expect(first).not.toHaveCount(before)
    await expect(page).toHaveURL(/page=2/)
  }
})

test('in the dark as well, and without a script', async ({ browser, shop }) => {
  const night = await browser.newContext({ baseURL: shop.url, colorScheme: 'dark' })
  const dark = await night.newPage()
  for (const path of ['/search-books?keyword=harbour', '/search-articles?keyword=harbour']) {
    await dark.goto(path)
    await expectAccessible(dark)
  }
  await dark.goto('/search-articles')
  await lookFor(dark, 'harbour')
  await expect(options(dark)).toHaveCount(6)
  await expectAccessible(dark)
  await night.close()

  const plain = await browser.newPage({ baseURL: shop.url, javaScriptEnabled: false })
  await plain.goto('/search-books?keyword=ferry')
  await expect(main(plain).getByRole('link', { name: /The Quiet Ferry/ })).toBeVisible()
  await plain.close()
})
