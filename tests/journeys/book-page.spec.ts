// Covers: catalogue, editorial
import type { Page } from '@playwright/test'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

interface Book {
  style: { id: number; title: string } | null
  relatedArticles: { slug: string; title: string }[]
}

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })

test('BOOK-04 CONST-11: the summary is folded at 437 px, on phones at 118, the details at 100; Read more opens them', async ({
  page,
  browser,
  shop,
}) => {
  for (const [size, height] of [
    [PHONE, 118],
    [DESKTOP, 437],
  ] as const) {
    await page.setViewportSize(size)
    // Make the text long enough to be folded, independent of the demo.
    await page.goto('/audiobooks/nine-winters')
    const more = main(page).getByRole('button', { name: 'Read more, what it’s about' })
    await aboutIt(page)
      .locator('p')
      .first()
      .evaluate((paragraph) => {
        paragraph.textContent = paragraph.textContent.repeat(8)
      })
    await page.setViewportSize({ ...size, width: size.width + 1 })
    await expect(more).toBeVisible()
    const folded = page.locator(`[id="${await more.getAttribute('aria-controls')}"]`)
    expect((await folded.boundingBox())!.height).toBe(height)
    // Text that is cut off ends in an ellipsis.
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

  await test.step('without JavaScript the whole summary is shown', async () => {
    const context = await browser.newContext({ baseURL: shop.url, javaScriptEnabled: false, viewport: PHONE })
    const plain = await context.newPage()
    await plain.goto('/audiobooks/nine-winters')
    const last = plain.getByText('Pavla Dresh spent four years')
    const [words, whole] = [(await last.boundingBox())!, (await aboutIt(plain).boundingBox())!]
    expect(words.y + words.height).toBeLessThanOrEqual(whole.y + whole.height)
    await context.close()
  })
})

test('BOOK-05 BOOK-12 BOOK-13: from a book’s page to its style, to articles about it and to related titles', async ({
  page,
  request,
}) => {
  const path = '/audiobooks/nine-winters'
  const { style, relatedArticles } = (await (
    await request.get('/api/audio_books/nine-winters')
  ).json()) as Book
  await page.goto(path)
  await main(page).getByRole('link', { name: style!.title, exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/audiobooks\\?.*styles\\[\\]=${style!.id}$`))
  await expect(main(page).getByRole('button', { name: `Remove ${style!.title}` })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(path)

  const about = main(page).getByRole('region', { name: 'Articles', exact: true })
  await about.getByRole('link').first().click()
  await expect(page).toHaveURL(`/articles/${relatedArticles[0]!.slug}`)
  await expect(h1(page)).toHaveText(relatedArticles[0]!.title)
  await page.goBack()
  await expect(page).toHaveURL(path)

  const nearby = main(page).getByRole('region', { name: 'Shelved nearby' })
  const slide = nearby.getByRole('listitem').first().getByRole('link')
  const address = (await slide.getAttribute('href'))!
  await slide.click()
  await expect(page).toHaveURL(address)
  await expect(h1(page)).not.toHaveText('Nine Winters')
})

test('the page of an owned title opens as its owner’s: nothing moves, and no price is shown first', async ({
  device,
}) => {
  for (const viewport of [PHONE, DESKTOP]) {
    const page = await (await device({ viewport, of: 'reader@murmur.example' })).newPage()
    await page.goto('/')
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('owned')))
      .toContain(' audio/the-lamplighters-ledger ')
    await page.addInitScript(watchShifts)
    await page.goto('/audiobooks/the-lamplighters-ledger', { waitUntil: 'commit' })
    await expect(main(page).getByRole('button', { name: /^Play from/ })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-owned')
    expect(await page.evaluate('shift')).toBeLessThan(0.01)
  }
})

/** Adds up the layout shifts. Runs in the browser. */
function watchShifts() {
  Object.assign(window, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      Object.assign(window, { shift: (window as unknown as { shift: number }).shift + entry.value })
  }).observe({ type: 'layout-shift', buffered: true })
}

test('long names without spaces fit a page of 320 px', async ({ page }) => {
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

/** The section with the summary. */
const aboutIt = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'What it’s about' }) })
