import type { Page } from '@playwright/test'
import { drawn } from '#tests/support/drawn.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

interface Items {
  'hydra:totalItems': number
  'hydra:member': { slug: string; title: string }[]
}

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const titles = (page: Page) => main(page).getByRole('listitem').getByRole('heading', { level: 2 })
const more = (page: Page) => main(page).getByRole('button', { name: 'Load more' })
const membersBlock = (page: Page, what: string) =>
  main(page).getByRole('region', { name: `The ${what} is for members` })

const LISTS = [
  ['articles', 'Articles'],
  ['interviews', 'Podcasts'],
  ['discussions', 'Events'],
] as const

for (const [kind, heading] of LISTS)
  test(`EDIT-01 NAV-13 NAV-52: ${heading} come five at a time, until all are there`, async ({
    page,
    request,
  }) => {
    const answer = await request.get(`/api/${kind}?_page=1&itemsPerPage=50`)
    const all = (await answer.json()) as Items
    expect(all['hydra:totalItems']).toBeGreaterThan(5)

    await page.goto(`/${kind}`)
    await expect(h1(page)).toHaveText(heading)
    await expect(page).toHaveTitle(`${heading} | Murmur`)
    await expect(titles(page)).toHaveCount(5)
    while (await more(page).isVisible()) {
      const before = await titles(page).count()
      await more(page).click()
      await expect.poll(() => titles(page).count()).toBeGreaterThan(before)
    }
    await expect(titles(page)).toHaveText(all['hydra:member'].map(({ title }) => title))
  })

test('EDIT-02 NAV-14 EDIT-04 ROLE-01: anybody reads a free article, a podcast and an event by address and by link', async ({
  page,
}) => {
  for (const [path, title] of [
    ['/articles/at-the-speed-of-soup', 'At the speed of soup'],
    ['/interviews/tomasz-whitlow-between-batches', 'Tomasz Whitlow between batches'],
    ['/discussions/the-slow-club', 'The slow club'],
  ] as const) {
    await page.goto(path)
    await expect(h1(page)).toHaveText(title)
    await expect(page).toHaveTitle(`${title} | Murmur`)
    expect((await main(page).getByRole('article').innerText()).length).toBeGreaterThan(600)
    await expect(main(page).getByText('for members')).toHaveCount(0)
  }
  await page.goto('/articles')
  const first = titles(page).first()
  const title = await first.innerText()
  await first.click()
  await expect(page).toHaveURL(/\/articles\/[a-z-]+$/)
  await expect(h1(page)).toHaveText(title)
})

test('EDIT-03: what is not among the articles, interviews and discussions is not found', async ({ page }) => {
  for (const [kind] of LISTS) {
    const answer = await page.goto(`/${kind}/nothing-of-the-kind`)
    expect(answer?.status()).toBe(404)
    await expect(page).toHaveTitle(/^Page not found/)
    await expect(h1(page)).toBeVisible()
  }
})

test('EDIT-05 EDIT-09 ROLE-04 ROLE-09: text stays whole for everybody; recording, film and invitation are for members', async ({
  device,
}) => {
  const items = [
    ['/articles/the-margins-of-a-page', 'recording'],
    ['/interviews/elspeth-dow-on-sand', 'recording'],
    ['/interviews/hugh-maddern-minds-his-manners', 'film'],
    ['/discussions/members-evening', 'invitation'],
  ] as const
  for (const of of [undefined, 'nell@murmur.example']) {
    const page = await (await device(of ? { of } : {})).newPage()
    for (const [path, what] of items) {
      await page.goto(path)
      await expect(membersBlock(page, what)).toBeVisible()
      expect((await main(page).getByRole('article').innerText()).length).toBeGreaterThan(600)
      await expect(main(page).getByRole('button', { name: /Listen|Show the film/ })).toHaveCount(0)
      // What is withheld is not in the page either.
      expect(await page.content()).not.toMatch(/vimeo\.com|youtu\.be|tickets\.example/)
    }
  }
})

test('EDIT-05 EDIT-09: a supporter hears and sees what her plan reaches, and above it is shown the way up', async ({
  device,
}) => {
  const page = await (await device({ of: 'supporter@murmur.example' })).newPage()
  await page.goto('/articles/the-margins-of-a-page')
  await expect(main(page).getByRole('button', { name: 'Listen to the recording' })).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Show the film' })).toBeVisible()
  await expect(membersBlock(page, 'recording')).toHaveCount(0)
  await page.goto('/discussions/members-evening')
  await expect(main(page).getByRole('link', { name: 'Put your name on the list' })).toBeVisible()

  await page.goto('/interviews/the-second-reading')
  await expect(membersBlock(page, 'recording')).toContainText('Your plan does not reach this recording')
  await expect(main(page).getByRole('button', { name: 'Listen to the recording' })).toHaveCount(0)
})

test('EDIT-05: a member is never asked to become one, neither while the answer is on its way nor when none comes', async ({
  device,
}) => {
  const page = await (await device({ of: 'avid@murmur.example' })).newPage()
  let reachable = false
  await page.route('**/api/interviews/the-second-reading', (route) =>
    // The page itself is a visitor's; what this reader may have is asked with a token.
    reachable || !route.request().headers()['xtoken'] ? route.continue() : route.abort(),
  )
  await page.goto('/interviews/the-second-reading')
  await expect(main(page).getByText('We couldn’t load everything that goes with this piece.')).toBeVisible()
  await expect(membersBlock(page, 'recording')).toHaveCount(0)
  reachable = true
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(main(page).getByRole('button', { name: 'Listen to the recording' })).toBeVisible()
  await expect(membersBlock(page, 'recording')).toHaveCount(0)
})

test('a film is asked of its host only after a press; a link to anywhere else says that it cannot be shown', async ({
  page,
}) => {
  const asked: string[] = []
  await page.route(/youtube-nocookie\.com/, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ body: 'a film', contentType: 'text/html' })
  })
  await page.goto('/articles/how-to-build-a-cupboard')
  await expect(main(page).getByRole('button', { name: 'Show the film' })).toBeVisible()
  expect(asked).toEqual([])
  await main(page).getByRole('button', { name: 'Show the film' }).click()
  await expect.poll(() => asked.length).toBe(1)

  await page.goto('/articles/a-link-to-nowhere')
  await expect(main(page).getByText('Invalid URL')).toBeVisible()
})

test('EDIT-10: an item that hides its author shows none; others do', async ({ page }) => {
  await page.goto('/articles/letters-from-a-lorry')
  await expect(h1(page)).toHaveText('Letters from a lorry')
  const names = [
    'Delphine Ashby',
    'Hana Brodie',
    'Hesper Lyle',
    'Jory Pask',
    'Mina Tallis',
    'Oswin Carr',
    'Ravi Hale',
    'Wilf Garrity',
  ]
  for (const name of names) await expect(main(page).getByText(name)).toHaveCount(0)
  await page.goto('/articles/the-night-listeners')
  await expect(main(page).getByRole('article').getByText('Mina Tallis').first()).toBeVisible()
})

test('EDIT-07 NAV-20: murmurations go on by themselves, five at a time', async ({ page, request }) => {
  const answer = await request.get(
    '/api/murmurations?_page=1&itemsPerPage=50&sort=publishedAt&direction=desc',
  )
  const total = ((await answer.json()) as Items)['hydra:totalItems']
  await page.goto('/murmurations')
  await expect(h1(page)).toHaveText('Murmurations')
  expect(await titles(page).count()).toBe(5)
  for (let seen = 5; seen < total;) {
    await page.mouse.wheel(0, 20_000)
    await expect.poll(() => titles(page).count()).toBeGreaterThan(seen)
    const now = await titles(page).count()
    expect(now % 5 === 0 || now === total).toBe(true)
    seen = now
  }
  await expect(more(page)).toHaveCount(0)
})

test('EDIT-07: when the next murmurations do not come it is said once, and a press asks again', async ({
  browser,
  shop,
}) => {
  // No worker between the page and what is counted.
  const page = await browser.newPage({ baseURL: shop.url, serviceWorkers: 'block' })
  await page.goto('/murmurations')
  await expect(h1(page)).toHaveText('Murmurations')
  let asked = 0
  await page.route('**/api/murmurations?*', (route) => {
    asked += 1
    return route.abort()
  })
  await page.mouse.wheel(0, 20_000)
  await expect(main(page).getByText('The next ones could not be loaded.')).toBeVisible()
  await drawn(page, 20)
  expect(asked).toBe(1)
  await page.unroute('**/api/murmurations?*')
  const before = await titles(page).count()
  await more(page).click()
  await expect.poll(() => titles(page).count()).toBeGreaterThan(before)
  await page.close()
})

test('EDIT-08: murmurations of a type, in the address, by Back and after a reload', async ({ page }) => {
  await page.goto('/murmurations')
  const types = page.getByRole('group', { name: 'Type' }).getByRole('button')
  const first = types.first()
  const name = (await first.innerText()).trim()
  await first.click()
  await expect(page).toHaveURL(/\?types=\d+$/)
  await expect(first).toHaveAttribute('aria-pressed', 'true')
  const kickers = main(page).getByRole('listitem').locator('p:first-child')
  await expect
    .poll(async () => (await kickers.allInnerTexts()).every((text) => text.startsWith(name)))
    .toBe(true)
  const filtered = await titles(page).allInnerTexts()
  await page.reload()
  await expect(titles(page)).toHaveText(filtered)
  await page.goBack()
  await expect(page).toHaveURL('/murmurations')
  await expect(first).toHaveAttribute('aria-pressed', 'false')
})

test('EDIT-08: an address with types that cannot be is a list all the same', async ({ page }) => {
  const answer = await page.goto('/murmurations?types=99999999999,1,1,-4,x')
  expect(answer?.status()).toBe(200)
  const types = page.getByRole('group', { name: 'Type' }).getByRole('button', { pressed: true })
  await expect(types).toHaveCount(1)
  await expect(titles(page).first()).toBeVisible()
})

for (const viewport of [PHONE, DESKTOP])
  test(`the journal at ${viewport.width} px is for everybody, by day and by night`, async ({ page }) => {
    await page.setViewportSize(viewport)
    for (const path of [
      '/murmurations',
      '/articles',
      '/articles/the-margins-of-a-page',
      '/interviews/edda-marlow-lights-the-lamps',
      '/discussions/an-evening-of-first-chapters',
    ]) {
      await page.goto(path)
      await expect(h1(page)).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
    }
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })
