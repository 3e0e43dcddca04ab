import type { Page } from '@playwright/test'
import { drawn } from '#tests/support/drawn.ts'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { holdCode } from '#tests/support/late-code.ts'

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

test('EDIT-01 NAV-13 EDIT-02 NAV-14: articles, podcasts and events come five at a time, until all are there, and open for anybody', async ({
  page,
  request,
}) => {
  for (const [kind, heading] of LISTS)
    await test.step(heading, async () => {
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

      const first = titles(page).first()
      const title = await first.innerText()
      await first.click()
      await expect(page).toHaveURL(new RegExp(`/${kind}/[a-z-]+$`))
      await expect(h1(page)).toHaveText(title)
      await expect(page).toHaveTitle(`${title} | Murmur`)
    })
})

test('EDIT-03 EDIT-04 ROLE-01: by its address anybody reads what is free, and what there is not is not found', async ({
  page,
  request,
}) => {
  for (const [path, title] of [
    ['/articles/at-the-speed-of-soup', 'At the speed of soup'],
    ['/interviews/tomasz-whitlow-between-batches', 'Tomasz Whitlow between batches'],
    ['/discussions/the-slow-club', 'The slow club'],
  ] as const) {
    await page.goto(path)
    await expect(h1(page)).toHaveText(title)
    expect((await main(page).getByRole('article').innerText()).length).toBeGreaterThan(600)
    await expect(main(page).getByText('for members')).toHaveCount(0)
  }
  for (const [kind] of LISTS) {
    const missing = await request.get(`/${kind}/nothing-of-the-kind`)
    expect([missing.status(), await missing.text()]).toEqual([
      404,
      expect.stringMatching(/<title>Page not found/),
    ])
  }
  await page.goto('/articles/nothing-of-the-kind')
  await expect(h1(page)).toHaveText('Page not found')
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
    // What each reader gets of each kind is the server's affair; that a page asks anew as its reader is seen on one.
    for (const [path, what] of of ? items.slice(0, 1) : items) {
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
  await expect(membersBlock(page, 'recording')).toContainText('Your plan doesn’t include this recording')
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

test('EDIT-10: an item that hides its author shows none; a film is asked of its host only after a press, and a link to anywhere else cannot be shown', async ({
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

test('whoever scrolls before the page is alive stays there, and comes back there by a reload', async ({
  page,
}) => {
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  const arrive = await holdCode(page)
  await page.goto('/murmurations', { waitUntil: 'commit' })
  await expect(titles(page)).toHaveCount(5)
  await page.mouse.wheel(0, 20_000)
  await expect.poll(scrolled).toBeGreaterThan(500)
  await drawn(page, 20)
  const place = await scrolled()
  arrive()
  // The end of the list is in sight, and more of it comes as soon as the page can ask.
  await expect.poll(() => titles(page).count()).toBeGreaterThan(5)
  expect(await scrolled()).toBe(place)

  await page.reload()
  await expect.poll(scrolled).toBe(place)
})

test('EDIT-07 NAV-20 EDIT-08: murmurations go on by themselves, five at a time, by type too; when none come it is said once', async ({
  page,
  request,
}) => {
  const answer = await request.get(
    '/api/murmurations?_page=1&itemsPerPage=50&sort=publishedAt&direction=desc',
  )
  const total = ((await answer.json()) as Items)['hydra:totalItems']
  await page.goto('/murmurations')
  await expect(h1(page)).toHaveText('Murmurations')
  expect(await titles(page).count()).toBe(5)

  let asked = 0
  await page.route('**/api/murmurations?*', (route) => {
    asked += 1
    return route.abort()
  })
  await page.mouse.wheel(0, 20_000)
  await expect(main(page).getByText('We couldn’t load any more.')).toBeVisible()
  await drawn(page, 20)
  expect(asked).toBe(1)
  await page.unroute('**/api/murmurations?*')
  await more(page).click()
  await expect.poll(() => titles(page).count()).toBeGreaterThan(5)

  for (let seen = await titles(page).count(); seen < total;) {
    await page.mouse.wheel(0, 20_000)
    await expect.poll(() => titles(page).count()).toBeGreaterThan(seen)
    const now = await titles(page).count()
    expect(now % 5 === 0 || now === total).toBe(true)
    seen = now
  }
  await expect(more(page)).toHaveCount(0)

  await test.step('of a type, in the address, by Back and after a reload', async () => {
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
    // Types that cannot be leave a list all the same.
    const strange = await page.goto('/murmurations?types=99999999999,1,1,-4,x')
    expect(strange?.status()).toBe(200)
    const pressed = page.getByRole('group', { name: 'Type' }).getByRole('button', { pressed: true })
    await expect(pressed).toHaveCount(1)
    await expect(titles(page).first()).toBeVisible()
  })
})

test('the journal is for everybody, on every device, by day and by night', async ({ page }) => {
  for (const path of [
    '/murmurations',
    '/articles',
    '/articles/the-margins-of-a-page',
    '/interviews/edda-marlow-lights-the-lamps',
    '/discussions/an-evening-of-first-chapters',
  ]) {
    await page.goto(path)
    await expect(h1(page)).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.setViewportSize({ width: 320, height: 640 })
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320])
  }
})
