import type { Page } from '@playwright/test'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

interface Listed {
  'hydra:totalItems': number
  'hydra:member': { slug: string; title: string; currentlyHighlighted: boolean }[]
}

const mainLinks = (page: Page) => page.getByRole('banner').getByRole('navigation')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const cards = (page: Page) => page.getByRole('main').getByRole('list').first().getByRole('listitem')

test('NAV-01 NAV-15 LIST-01: home, audiobooks and e-books open by address and by link, each with its own list', async ({
  page,
}) => {
  await page.goto('/')
  await expect(heading(page, 'Good books, said softly.')).toBeVisible()
  await expect(page).toHaveTitle('Good books, said softly | Murmur')

  for (const [path, name, kind] of [
    ['/audiobooks', 'Audiobooks', 'audiobooks'],
    ['/ebooks', 'E-books', 'ebooks'],
  ] as const) {
    const opened = async () => {
      await expect(heading(page, name)).toBeVisible()
      await expect(page).toHaveTitle(`${name} | Murmur`)
      await expect(cards(page)).toHaveCount(12)
      for (const link of await cards(page).getByRole('link').all())
        expect(await link.getAttribute('href')).toMatch(new RegExp(`^/${kind}/[a-z0-9-]+$`))
    }
    await page.goto(path)
    await opened()
    await page.getByRole('link', { name: 'Murmur' }).first().click()
    await expect(heading(page, 'Good books, said softly.')).toBeFocused()
    await page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`^[^?]+${path}`))
    await opened()
  }
})

test('LIST-13: a listing has 2 columns at 390 px, 3 at 600, 4 at 1280', async ({ page }) => {
  await page.goto('/audiobooks')
  for (const [width, columns] of [
    [390, 2],
    [600, 3],
    [1280, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    const tops = async () =>
      Promise.all((await cards(page).all()).map(async (card) => Math.round((await card.boundingBox())!.y)))
    const inTheFirstRow = async () => (await tops()).filter((top, _at, all) => top === all[0]).length
    await expect.poll(inTheFirstRow).toBe(columns)
  }
})

test('LIST-14 LIST-16 NAV-16 BOOK-01: cards lead to their book’s page; a page holds 12 or as many as asked for', async ({
  page,
}) => {
  const total = async (kind: string) => {
    const answer = await page.request.get(`/api/${kind}?itemsPerPage=1`)
    return ((await answer.json()) as Listed)['hydra:totalItems']
  }
  for (const [path, kind] of [
    ['/audiobooks', 'audio_books'],
    ['/ebooks', 'e_books'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('status')).toHaveText(new RegExp(`^${await total(kind)} `))
    await expect(cards(page)).toHaveCount(12)
    await page.goto(`${path}?page=1&itemsPerPage=5`)
    await expect(cards(page)).toHaveCount(5)
    const card = cards(page).first().getByRole('link')
    const before = (await card.getAttribute('href'))!
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect(page).toHaveURL(`${path}?page=2&itemsPerPage=5`)
    // The page before stays, dimmed, until the next one is there (LIST-11).
    await expect(card).not.toHaveAttribute('href', before)
    await expect(cards(page)).toHaveCount(5)

    const address = (await card.getAttribute('href'))!
    expect(address).toMatch(new RegExp(`^${path}/[a-z0-9-]+$`))
    const title = (await card.getByRole('heading').textContent())!
    await card.click()
    await expect(page).toHaveURL(address)
    await expect(heading(page, title)).toBeFocused()
    await expect(page).toHaveTitle(`${title} | Murmur`)
    await page.reload()
    await expect(heading(page, title)).toBeVisible()
    await expect(page).toHaveTitle(`${title} | Murmur`)
  }
  // One title in both formats: the path says which is meant.
  for (const [path, length] of [
    ['/audiobooks/the-lamplighters-ledger', '8 h 04 m'],
    ['/ebooks/the-lamplighters-ledger', '296 pages'],
  ] as const) {
    await page.goto(path)
    await expect(heading(page, 'The Lamplighter’s Ledger')).toBeVisible()
    await expect(page.getByRole('main').getByText(length, { exact: true })).toBeVisible()
  }
  await page.goto('/ebooks/the-lamplighters-ledger')
  await page.getByRole('main').getByRole('link', { name: '£14.99, 8 h 04 m' }).click()
  await expect(page).toHaveURL('/audiobooks/the-lamplighters-ledger')
})

test('BOOK-02 BOOK-21 BOOK-22 BOOK-06: a book’s page names its people, length, date, language, and warns', async ({
  page,
}) => {
  const main = page.getByRole('main')
  await page.goto('/audiobooks/nine-rooms-of-rain')
  await expect(heading(page, 'Nine Rooms of Rain')).toBeVisible()
  await expect(main.getByText('Katya Brandt', { exact: false }).first()).toBeVisible()
  await expect(main.getByText('Read by Hollis Grange')).toBeVisible()
  await expect(main.getByText('7 h 55 m', { exact: true })).toBeVisible()
  await expect(main.getByText(/^A short demo recording: you can hear \d+ m/)).toBeVisible()
  await expect(main.getByText('First published November 2020')).toBeVisible()
  await expect(main.getByText('English', { exact: true })).toBeVisible()
  await expect(fact(page, 'Translated by')).toHaveText('Hugh Maddern')
  await expect(main.getByText('extreme violence')).toBeVisible()

  await page.goto('/audiobooks/the-quiet-ferry')
  await expect(main.getByText('Read by Nora Venn')).toBeVisible()
  await expect(main.getByText('7 h 31 m', { exact: true })).toBeVisible()
  await expect(main.getByText('First published August 2016')).toBeVisible()
  await expect(main.getByText('English', { exact: true })).toBeVisible()
  await expect(main.getByText('Translated by')).toHaveCount(0)
  await expect(main.getByText('extreme violence')).toHaveCount(0)
})

test('BOOK-11: a book that is sold on paper links to the publisher’s own page of it', async ({ page }) => {
  await page.goto('/audiobooks/a-house-of-sundays')
  const link = fact(page, 'On paper').getByRole('link', { name: 'Lantern Row, hardback, £16.99' })
  await expect(link).toHaveAttribute('href', 'https://lantern-row.example/books/a-house-of-sundays')
  await page.goto('/audiobooks/the-quiet-ferry')
  await expect(heading(page, 'The Quiet Ferry')).toBeVisible()
  await expect(page.getByText('On paper')).toHaveCount(0)
})

test('BOOK-15: a book that is not for everybody leads to access denied, and opens for its owner', async ({
  page,
  device,
}) => {
  const answer = await page.goto('/audiobooks/embargoed-winter')
  expect(answer?.status()).toBe(403)
  await expect(page).toHaveURL(deniedFrom('/audiobooks/embargoed-winter'))
  await expect(page.getByRole('link', { name: 'Log in' }).last()).toBeVisible()

  // What cannot be bought stands at the end of the shelf.
  await page.goto('/audiobooks')
  await page
    .getByRole('link', { name: /^Page \d/ })
    .last()
    .click()
  await page.getByRole('link', { name: 'Embargoed Winter' }).click()
  await expect(page).toHaveURL(/\/access-denied/)

  const owner = await openPage(await device({ of: 'shelf@murmur.example' }), '/audiobooks/embargoed-winter')
  await expect(heading(owner, 'Embargoed Winter')).toBeVisible()
  await expect(owner).toHaveURL('/audiobooks/embargoed-winter')
  await expect(owner).toHaveTitle('Embargoed Winter | Murmur')
})

test('BOOK-16 NAV-46: an unknown book is not found, with status 404; a broken answer leads to the server error', async ({
  page,
}) => {
  for (const path of [
    '/audiobooks/no-such-book',
    '/ebooks/no-such-book',
    '/player/no-such-book',
    '/sample/no-such-book',
  ]) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(heading(page, 'Page not found')).toBeVisible()
  }
  await page.goto('/server-error')
  await expect(heading(page, 'Internal Server Error')).toBeVisible()
  await expect(page).toHaveTitle('Internal Server Error | Murmur')

  await page.goto('/audiobooks')
  await page
    .context()
    .route(/\/api\/audio_books\/peat(\?|$)/, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/audiobooks?page=2')
  await page.getByRole('link', { name: /^Peat/ }).click()
  await expect(page).toHaveURL(/\/server-error/)
  await expect(heading(page, 'Internal Server Error')).toBeVisible()
  await expect(page).toHaveTitle('Internal Server Error | Murmur')
})

test('NAV-30: access denied opens by address, and from every page that needs an account, and leads back to it', async ({
  page,
  shop,
}) => {
  await page.goto('/access-denied')
  await expect(heading(page, 'This page needs an account')).toBeVisible()
  await expect(page).toHaveTitle('This page needs an account | Murmur')
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL('/')

  await page.getByRole('contentinfo').getByRole('link', { name: 'Downloads' }).click()
  await expect(page).toHaveURL(deniedFrom('/downloads'))
  await expect(heading(page, 'This page needs an account')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('main').getByLabel('Email').fill(shop.someone('avid'))
  await page.getByRole('main').getByLabel('Password', { exact: true }).fill('murmur-demo')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/downloads')
})

test('NAV-47 NAV-48: the not-found page opens at /404 and wherever there is nothing', async ({ page }) => {
  for (const path of ['/404', '/no/such/place', '/audiobooks/a/b/c']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(heading(page, 'Page not found')).toBeVisible()
    await expect(page).toHaveTitle('Page not found | Murmur')
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
    await expect(heading(page, 'Good books, said softly.')).toBeVisible()
  }
})

test('BOOK-24: an owned e-book with a file can be downloaded, one without a file cannot yet', async ({
  shop,
  device,
}) => {
  const desktop = await device({ of: shop.someone('nell') })
  const page = await openPage(desktop, '/ebooks/ordinary-weather')
  const link = page.getByRole('main').getByRole('link', { name: 'Download e-book' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/\.epub$/)
  await page.goto('/ebooks/letters-without-paper')
  await expect(page.getByRole('main').getByText('In your library')).toBeVisible()
  await expect(link).toHaveCount(0)
})

test('HOME-06: Current Highlights are exactly the highlighted books', async ({ page }) => {
  const get = async (path: string) =>
    ((await (await page.request.get(path)).json()) as Listed)['hydra:member']
  const highlights = await get('/api/audio_books/second_editions?itemsPerPage=200')
  const all = await get('/api/audio_books?itemsPerPage=200')
  const slugs = (books: typeof all) => books.map(({ slug }) => slug).toSorted()
  expect(slugs(highlights)).toEqual(slugs(all.filter(({ currentlyHighlighted }) => currentlyHighlighted)))

  await page.goto('/')
  const panel = page.getByRole('region', { name: 'Current highlights' })
  const shown = await panel.getByRole('heading', { level: 3 }).allTextContents()
  expect(shown.length).toBeGreaterThan(0)
  const titles = highlights.map(({ title }) => title)
  for (const title of shown) expect(titles).toContain(title)
})

test('HOME-10: the featured audiobook says its price and what members pay', async ({ page }) => {
  await page.goto('/')
  const panel = page
    .getByRole('main')
    .locator('div, section')
    .filter({ hasText: 'Featured audiobook' })
    .last()
  const link = panel.getByRole('link').first()
  const slug = (await link.getAttribute('href'))!.replace('/audiobooks/', '')
  const answer = await page.request.get(`/api/audio_books/${slug}`)
  const book = (await answer.json()) as { price: number; subscriptionPrice: number }
  expect(book.subscriptionPrice).toBeLessThan(book.price)
  const pounds = (amount: number) => `£${Number.isInteger(amount) ? amount : amount.toFixed(2)}`
  await expect(panel).toContainText(pounds(book.price))
  await expect(panel).toContainText(`${pounds(book.subscriptionPrice)} for members`)
})

test('CONST-06: a carousel shows 4 books from 768 px on and 2.2 on phones, and a single one by itself', async ({
  page,
}) => {
  await page.goto('/')
  const list = page.getByRole('region', { name: 'Current highlights' }).getByRole('list')
  await list.scrollIntoViewIfNeeded()
  const slidesSeen = async () => {
    const [view, first, second] = await Promise.all([
      list.evaluate((element) => {
        const style = getComputedStyle(element)
        return element.clientWidth - Number.parseFloat(style.paddingLeft)
      }),
      list.getByRole('listitem').nth(0).boundingBox(),
      list.getByRole('listitem').nth(1).boundingBox(),
    ])
    return { view, step: second!.x - first!.x, width: first!.width }
  }
  await page.setViewportSize(DESKTOP)
  const wide = await slidesSeen()
  // Four fit between the gutters; the fifth only looks in.
  expect(Math.floor((1200 + (wide.step - wide.width)) / wide.step)).toBe(4)
  await page.setViewportSize(PHONE)
  const narrow = await slidesSeen()
  expect(narrow.view / narrow.step).toBeCloseTo(2.2, 1)

  await page.route('**/api/audio_books/*/tag_related?*', async (route) => {
    const answer = await route.fetch()
    const found = (await answer.json()) as Listed
    await route.fulfill({
      response: answer,
      json: { ...found, 'hydra:member': found['hydra:member'].slice(0, 1) },
    })
  })
  await list.getByRole('link').first().click()
  const alone = page.getByRole('region', { name: 'Shelved nearby' })
  await expect(alone.getByRole('listitem')).toHaveCount(1)
  const slide = async () => (await alone.getByRole('listitem').boundingBox())!
  const heading = (await alone.getByRole('heading', { name: 'Shelved nearby' }).boundingBox())!
  expect(await slide()).toMatchObject({ x: heading.x, width: PHONE.width - 2 * heading.x })
  expect((await alone.locator('img').first().boundingBox())!.width).toBeLessThan(PHONE.width * 0.6)
  await page.setViewportSize(DESKTOP)
  expect((await slide()).width).toBe(440)
  await expect(alone.getByRole('button')).toHaveCount(0)
})

test('HDR-07: the header leaves when the page is scrolled down by more than 20 px, and returns on the way up', async ({
  page,
}) => {
  await page.goto('/audiobooks')
  await expect(mainLinks(page)).toBeVisible()
  const wheel = async (by: number) => {
    await page.mouse.move(640, 400)
    await page.mouse.wheel(0, by)
  }
  await wheel(15)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(15)
  await expect(page.getByRole('banner')).toBeInViewport({ ratio: 0.9 })
  await wheel(400)
  await expect(page.getByRole('banner')).not.toBeInViewport()
  await wheel(-60)
  await expect(page.getByRole('banner')).toBeInViewport({ ratio: 0.9 })
})

/** What `page.goto` would make of it: the address that was asked for stands in the query. */
const deniedFrom = (path: string) => (url: URL) =>
  url.pathname === '/access-denied' && url.searchParams.get('from') === path

/** One of the facts below the actions, by its name. */
const fact = (page: Page, name: string) =>
  page.getByRole('main').getByRole('term').filter({ hasText: name }).locator('..').getByRole('definition')
