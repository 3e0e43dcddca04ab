import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

interface Book {
  summary: string
  style: { id: number; title: string } | null
  price: number
  subscriptionPrice: number
  relatedArticles: { slug: string; title: string }[]
  relatedInterviews: { slug: string; title: string }[]
  relatedDiscussions: { slug: string; title: string }[]
}

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const card = (page: Page, title: string) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title }) })
    .first()

test('BOOK-04 CONST-11: the summary is folded at 437 px, on phones at 118, the details at 100; read more opens them', async ({
  page,
}) => {
  for (const [size, height] of [
    [PHONE, 118],
    [DESKTOP, 437],
  ] as const) {
    await page.setViewportSize(size)
    // Longer than any fold, whatever the demo says of it.
    await page.goto('/audiobooks/nine-winters')
    const more = main(page).getByRole('button', { name: 'Read more, what it’s about' })
    const text = page.locator('section', { has: page.getByRole('heading', { name: 'What it’s about' }) })
    await text
      .locator('p')
      .first()
      .evaluate((paragraph) => {
        paragraph.textContent = paragraph.textContent.repeat(8)
      })
    await page.setViewportSize({ ...size, width: size.width + 1 })
    await expect(more).toBeVisible()
    const folded = page.locator(`[id="${await more.getAttribute('aria-controls')}"]`)
    expect((await folded.boundingBox())!.height).toBe(height)
    // What is cut off in mid-sentence says so with three dots.
    await expect(folded).toHaveCSS('-webkit-line-clamp', /^[1-9]/)
    await more.click()
    expect((await folded.boundingBox())!.height).toBeGreaterThan(height)
    await main(page).getByRole('button', { name: 'Read less, what it’s about' }).click()
    expect((await folded.boundingBox())!.height).toBe(height)

    const details = main(page).getByRole('button', { name: 'Show all, details' })
    const box = page.locator(`[id="${await details.getAttribute('aria-controls')}"]`)
    expect((await box.boundingBox())!.height).toBe(100)
    await details.click()
    await expect(main(page).getByText('The ninth winter')).toBeInViewport()
  }
})

test('BOOK-04: where no script opens the summary it stands whole', async ({ browser, shop }) => {
  const context = await browser.newContext({ baseURL: shop.url, javaScriptEnabled: false, viewport: PHONE })
  const page = await context.newPage()
  await page.goto('/audiobooks/nine-winters')
  const last = page.getByText('Pavla Dresh spent four years')
  const text = page.locator('section', { has: page.getByRole('heading', { name: 'What it’s about' }) })
  const [words, whole] = [(await last.boundingBox())!, (await text.boundingBox())!]
  expect(words.y + words.height).toBeLessThanOrEqual(whole.y + whole.height)
  await context.close()
})

test('BOOK-23 BAG-13 BAG-14: a book that is not sold here can still be listened into, one that is not out cannot', async ({
  device,
}) => {
  const page = await (await device({ of: 'abroad@murmur.example' })).newPage()
  await page.goto('/audiobooks/the-customs-house')
  await expect(main(page).getByText('Not available in your region', { exact: true }).first()).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toHaveCount(0)
  await expect(main(page).getByRole('button', { name: 'Play sample' })).toBeEnabled()
  await page.goto('/audiobooks/not-yet-bells')
  await expect(main(page).getByText('Not available', { exact: true }).first()).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toHaveCount(0)
  await expect(main(page).getByRole('button', { name: 'Play sample' })).toHaveCount(0)
})

test('BOOK-05 BOOK-07 BOOK-12: a book’s page opens a sample of its text, and leads to its style and to what is shelved nearby', async ({
  page,
  request,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const kind of ['ebooks', 'audiobooks'] as const) {
    const api = kind === 'audiobooks' ? 'audio_books' : 'e_books'
    const book = (await (await request.get(`/api/${api}/nine-winters`)).json()) as Book
    await page.goto(`/${kind}/nine-winters`)
    const chip = main(page).getByRole('link', { name: book.style!.title, exact: true })
    await expect(chip).toHaveAttribute('href', `/${kind}?page=1&itemsPerPage=12&styles[]=${book.style!.id}`)
    await expectAccessibleEverywhere(page)
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.setViewportSize(DESKTOP)
    await main(page).getByRole('button', { name: 'Share' }).click()
    await expect(page.getByText('Link copied.').last()).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`/${kind}/nine-winters$`),
    )
    await chip.click()
    await expect(page).toHaveURL(new RegExp(`/${kind}\\?`))
    await expect(main(page).getByRole('button', { name: `Remove ${book.style!.title}` })).toBeVisible()
  }
  await page.goBack()
  const opener = main(page).getByRole('button', { name: 'Read a sample' })
  await opener.click()
  const modal = page.getByRole('dialog', { name: 'From Nine Winters' })
  await expect(modal).toContainText('The post at Sedlo was for one woman and one stove.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(opener).toBeFocused()

  const nearby = main(page).getByRole('region', { name: 'Shelved nearby' })
  expect(await nearby.getByRole('listitem').count()).toBeGreaterThan(0)
  await nearby.getByRole('link', { name: 'View all' }).click()
  await expect(page).toHaveURL(/\/audiobooks\?.*styles\[\]=\d+/)
})

test('BOOK-10: an edition says so to somebody who is logged in, and leads to the others', async ({
  device,
  request,
}) => {
  const editions = (await (await request.get('/api/audio_books?edition=true&itemsPerPage=1')).json()) as {
    'hydra:member': { slug: string }[]
  }
  const path = `/audiobooks/${editions['hydra:member'][0]!.slug}`
  const visitor = await (await device()).newPage()
  await visitor.goto(path)
  await expect(h1(visitor)).toBeVisible()
  await expect(main(visitor).getByRole('link', { name: 'One of our editions' })).toHaveCount(0)
  const nell = await (await device({ of: 'nell@murmur.example' })).newPage()
  await nell.goto(path)
  await main(nell).getByRole('link', { name: 'One of our editions' }).click()
  await expect(nell).toHaveURL(/\/editions/)

  // An e-book of our editions leads to the e-books (OP-29).
  await nell.context().route(/\/api\/e_books\/nine-winters$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), edition: true } })
  })
  await nell.goto('/ebooks/nine-winters')
  await main(nell).getByRole('link', { name: 'One of our editions' }).click()
  await expect(nell).toHaveURL(/\/ebooks$/)
})

test('BOOK-13 BOOK-26 BOOK-27: a book’s page leads to the articles, podcasts and events about it', async ({
  page,
  request,
}) => {
  const book = (await (await request.get('/api/audio_books/nine-winters')).json()) as Book
  await page.goto('/audiobooks/nine-winters')
  for (const [field, heading, path] of [
    ['relatedArticles', 'Articles', 'articles'],
    ['relatedInterviews', 'Podcasts', 'interviews'],
    ['relatedDiscussions', 'Events', 'discussions'],
  ] as const) {
    expect(book[field]).not.toEqual([])
    const about = main(page).getByRole('region', { name: heading, exact: true })
    await expect(about.getByRole('link')).toHaveCount(book[field].length)
    await about.getByRole('link').first().click()
    await expect(page).toHaveURL(`/${path}/${book[field][0]!.slug}`)
    await expect(h1(page)).toHaveText(book[field][0]!.title)
    await page.goBack()
    await expect(page).toHaveURL('/audiobooks/nine-winters')
  }
})

test('ROLE-11: a member sees the member price, with what it costs others; everybody else both', async ({
  device,
  request,
}) => {
  const book = (await (await request.get('/api/audio_books/nine-winters')).json()) as Book
  expect(book.subscriptionPrice).toBeLessThan(book.price)
  const visitor = await (await device()).newPage()
  await visitor.goto('/audiobooks/nine-winters')
  await expect(main(visitor).getByText(/^£[\d.]+ for members$/)).toBeVisible()
  await expect(main(visitor).locator('s')).toHaveCount(0)

  const reader = await (await device({ of: 'reader@murmur.example' })).newPage()
  await reader.goto('/audiobooks/nine-winters')
  await expect(main(reader).locator('s').first()).toHaveText(`£${book.price}`)
  await expect(main(reader).getByText(/^£[\d.]+ for members$/)).toHaveCount(0)
  await reader.goto('/audiobooks?itemsPerPage=100')
  const struck = card(reader, 'Nine Winters').locator('s')
  await expect(struck).toHaveText(`£${book.price}`)
})

test('names without a break stay on a page of 320 px', async ({ page }) => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff'
  await page.context().route(/\/api\/audio_books\/the-quiet-ferry$/, async (route) => {
    const response = await route.fetch()
    const book = (await response.json()) as { authors: object[]; publisher: object }
    const authors = [{ ...book.authors[0], fullName: name }]
    const publisher = { ...book.publisher, name: name.repeat(2) }
    await route.fulfill({ response, json: { ...book, title: name.repeat(2), authors, publisher } })
  })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/search-books?keyword=ferry')
  await main(page)
    .getByRole('link', { name: /Quiet Ferry/ })
    .click()
  await expect(h1(page)).toHaveText(name.repeat(2))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
