import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

const home = demoFile('home.json')
const main = (page: Page) => page.getByRole('main')
const region = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const h2s = (page: Page) => main(page).getByRole('heading', { level: 2 })

test('HOME-01 HOME-16: panels stand in the order of their weight, and hide when their flag is off', async ({
  page,
  shop,
}) => {
  await page.goto('/')
  const names = async () =>
    (await h2s(page).allInnerTexts()).filter((title) => home.panels.some((panel) => panel.title === title))
  const before = await names()
  expect(before.indexOf('How it works')).toBeLessThan(before.indexOf('Editions'))

  const panels = home.panels.map((panel) =>
    panel.section === 'editions'
      ? { ...panel, weight: 15, title: 'Our own editions' }
      : panel.section === 'localShop'
        ? { ...panel, visible: false }
        : panel,
  )
  await shop.bringIn({ 'home.json': { ...home, panels } })
  await page.reload()
  await expect(h2s(page).filter({ hasText: 'Our own editions' })).toBeVisible()
  const titles = await h2s(page).allInnerTexts()
  expect(titles.indexOf('Our own editions')).toBeLessThan(titles.indexOf('Current highlights'))
  expect(titles).not.toContain('About the shop')
  await shop.bringIn({ 'home.json': home })
})

test('the headline and every panel’s heading are the owner’s; without its intro the page still has a name', async ({
  page,
  shop,
}) => {
  const named = (titles: Record<string, string>, visible = true) => ({
    ...home,
    panels: home.panels.map((panel) => ({
      ...panel,
      title: titles[panel.section] ?? panel.title,
      visible: panel.section === 'curatedIntroPicks' ? visible : panel.visible,
    })),
  })
  const titles = { curatedIntroPicks: 'Read *aloud*, by heart.', playerApp: 'In your pocket' }
  await shop.bringIn({ 'home.json': named(titles) })
  await page.goto('/')
  const h1 = main(page).getByRole('heading', { level: 1 })
  await expect(h1).toHaveText('Read aloud, by heart.')
  await expect(h1.locator('i')).toHaveText('aloud')
  await expect(page).toHaveTitle('Read aloud, by heart | Murmur')
  await expect(h2s(page).filter({ hasText: 'In your pocket' })).toBeVisible()

  await shop.bringIn({ 'home.json': named({}, false) })
  await page.reload()
  await expect(h1).toHaveText('Home')
  await expect(page).toHaveTitle('Home | Murmur')

  const none = home.panels.map((panel) => ({ ...panel, visible: false }))
  await shop.bringIn({ 'home.json': { ...home, panels: none } })
  await page.reload()
  await expect(h1).toHaveText('We’re still dressing the window')
  await shop.bringIn({ 'home.json': home })
})

test('HOME-05: a visitor is told of the membership and of the trial', async ({ device }) =>
  spokenTo(await device(), home.introText.visitor, [
    ['Discover membership', '/subscription'],
    ['Start 30-day Premium trial', '/free-trial'],
  ]))

test('HOME-04: a reader without a plan is shown the audiobooks and the trial', async ({ device }) =>
  spokenTo(await device({ of: 'nell@murmur.example' }), home.introText.user, [
    ['Browse audiobooks', '/audiobooks'],
    ['Start 30-day Premium trial', '/free-trial'],
  ]))

test('HOME-03: a member is shown the audiobooks and a gift', async ({ device }) =>
  spokenTo(await device({ of: 'reader@murmur.example' }), home.introText.member, [
    ['Browse audiobooks', '/audiobooks'],
    ['Gift Premium Membership', '/gift?plan=3'],
  ]))

async function spokenTo(context: BrowserContext, text: string, ways: [name: string, address: string][]) {
  const page = await context.newPage()
  for (const [name, address] of ways) {
    await page.goto('/')
    await expect(main(page).getByText(text)).toBeVisible()
    await main(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Page not found')
  }
}

test('HOME-09 HOME-11 HOME-12 HOME-13 HOME-17: every carousel has its screen behind View all', async ({
  page,
}) => {
  await page.goto('/')
  for (const [title, address] of [
    ['Current highlights', '/subscriber-selection'],
    ['Astonishing Memoirs', '/astonishing-memoirs'],
    ['Editions', '/editions'],
    ['Writer’s Dilemma', '/writers-dilemma'],
    ['Murmurations', '/murmurations'],
  ] as const) {
    const carousel = region(page, title)
    expect(await carousel.getByRole('listitem').count()).toBeGreaterThan(0)
    await carousel.getByRole('link', { name: 'View all' }).click()
    await expect(page).toHaveURL(new RegExp(`${address}(\\?|$)`))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title, { ignoreCase: true })
    await page.goBack()
    await expect(page).toHaveURL('/')
  }
})

test('HOME-02 HOME-07 HOME-08 HOME-14 HOME-15: staff picks one after the other, the shop, its three steps, its app, and eight in a carousel', async ({
  page,
  request,
}) => {
  const all = (await (await request.get('/api/audio_books?edition=true&itemsPerPage=50')).json()) as {
    'hydra:totalItems': number
  }
  expect(all['hydra:totalItems']).toBeGreaterThan(8)
  await page.goto('/')
  const picks = main(page).getByRole('group', { name: 'Staff picks' })
  const next = picks.getByRole('button', { name: /next/i })
  await expect(picks.getByText('This week’s staff pick')).toBeInViewport()
  await next.click()
  await expect(picks.getByText(home.staffPicks[1]!.title)).toBeInViewport()
  await picks.getByRole('button', { name: /previous/i }).click()
  await expect(picks.getByText('This week’s staff pick')).toBeInViewport()

  await test.step('the arrows over a staff pick wear its colours, also on a pale one', async () => {
    const colourOf = (element: Element) => getComputedStyle(element).color
    const worn = new Set<string>()
    for (const { title } of home.staffPicks.filter(({ visible }) => visible)) {
      const pick = picks.getByRole('complementary', { name: title })
      await expect(pick).toBeVisible()
      const colour = await pick.evaluate(colourOf)
      await expect.poll(() => next.evaluate(colourOf)).toBe(colour)
      worn.add(colour)
      await next.click()
    }
    expect(worn.size).toBeGreaterThan(1)
  })

  await expect(region(page, 'About the shop')).toContainText('Murmur began in a net loft in Whitby')
  await expect(region(page, 'How it works').getByRole('heading', { level: 3 })).toHaveText([
    'Join',
    'Add to library',
    'Listen anywhere',
  ])
  await expect(main(page).locator('a[href^="https://apps.example/"]')).toHaveCount(2)
  await expect(region(page, 'Editions').getByRole('listitem')).toHaveCount(8)
  for (const title of ['Current highlights', 'Murmurations', 'Astonishing Memoirs'])
    expect(await region(page, title).getByRole('listitem').count()).toBeLessThanOrEqual(8)
})

test('CONST-07: at both widths the sections stand apart, carousels slide from three or five books on, and everybody can use it', async ({
  page,
}) => {
  await page.goto('/')
  await expect(region(page, 'Worth staying in for')).toBeVisible()
  const slides = () =>
    main(page)
      .getByRole('region')
      .filter({ has: page.getByRole('list') })
      .evaluateAll((regions) =>
        regions
          .map((each) => each.querySelector('ul') ?? each)
          .filter((list) => getComputedStyle(list).gridAutoFlow === 'column' && list.children.length > 0)
          .map((list) => [list.children.length, getComputedStyle(list).overflowX === 'auto'] as const),
      )
  const distance = (upper: string, lower: string) =>
    Promise.all([region(page, upper).boundingBox(), region(page, lower).boundingBox()]).then(
      ([above, below]) => Math.round(below!.y - above!.y - above!.height),
    )
  for (const [size, apart, atLeast] of [
    [DESKTOP, 96, 5],
    [PHONE, 64, 3],
  ] as const) {
    await page.setViewportSize(size)
    await expect.poll(() => distance('Editions', 'Astonishing Memoirs')).toBe(apart)
    expect(await distance('About the shop', 'Murmurations')).toBe(apart)
    expect(await distance('Murmurations', 'Worth staying in for')).toBe(apart)
    const found = await slides()
    expect(found.length).toBeGreaterThan(3)
    for (const [count, slide] of found) expect([count, slide]).toEqual([count, count >= atLeast])
  }
  const titles = async (name: string) =>
    region(page, name).getByRole('heading', { level: 3 }).allTextContents()
  const featured = await titles('Murmurations')
  for (const title of await titles('Worth staying in for')) expect(featured).not.toContain(title)
  await expectAccessibleEverywhere(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
