// Covers: home, layout
import type { Page } from '@playwright/test'
import { demoFile } from '#tests/support/demo-content.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

const home = demoFile('home.json')
const menus = demoFile('menus.json')
const main = (page: Page) => page.getByRole('main')
const region = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const h2s = (page: Page) => main(page).getByRole('heading', { level: 2 })

test('HOME-01 HOME-16 HDR-03: the owner changes panels and menus of a running shop, and a reload shows both', async ({
  page,
  shop,
}) => {
  const banner = page.getByRole('banner')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const homeAsServed = async () => (await page.request.get('/')).text()
  await page.goto('/')
  await expect(region(page, 'Editions')).toBeVisible()
  await expect(region(page, 'About the shop')).toBeVisible()
  await banner.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(menu.getByRole('link', { name: 'Support', exact: true })).toBeVisible()

  await shop.bringIn({
    'home.json': {
      ...home,
      panels: home.panels.map((panel) =>
        panel.section === 'editions'
          ? { ...panel, weight: 15, title: 'Our own editions' }
          : panel.section === 'localShop'
            ? { ...panel, visible: false }
            : panel,
      ),
    },
    'menus.json': {
      ...menus,
      main: menus.main.map((entry) =>
        entry.title === 'Support' ? { ...entry, title: 'Talk to us', url: '/info/about' } : entry,
      ),
    },
  })
  await expect.poll(homeAsServed).toContain('Our own editions')
  await page.reload()
  await expect(h2s(page).filter({ hasText: 'Our own editions' })).toBeVisible()
  const titles = await h2s(page).allInnerTexts()
  expect(titles.indexOf('Our own editions')).toBeLessThan(titles.indexOf('Current highlights'))
  expect(titles).not.toContain('About the shop')

  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'Talk to us' })).toHaveAttribute('href', '/info/about')
  await banner.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(menu.getByRole('link', { name: 'Talk to us' })).toHaveAttribute('href', '/info/about')
  await expect(menu.getByRole('link', { name: 'Support', exact: true })).toHaveCount(0)
  await shop.bringIn({ 'home.json': home, 'menus.json': menus })
  // The running shop is notified of an import a moment later, and the next test opens the same shop.
  await expect.poll(homeAsServed).not.toContain('Our own editions')
})

test('CONST-07: sections have their spacing at both widths, and carousels slide from three or five books on', async ({
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
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('HOME-20: below what a listener has started, the text about the shop is folded, and one press shows all of it', async ({
  device,
}) => {
  const page = await openPage(await device({ viewport: PHONE, of: 'reader@murmur.example' }), '/')
  await expect(main(page).getByText('Carry on listening')).toBeVisible()
  const about = region(page, 'About the shop')
  const height = () => about.evaluate((section) => section.getBoundingClientRect().height)
  const more = about.getByRole('button', { name: 'Read more, About the shop' })
  await expect(more).toBeVisible()
  const folded = await height()
  await more.click()
  await expect(about.getByRole('button', { name: 'Read less, About the shop' })).toBeVisible()
  expect(await height()).toBeGreaterThan(2 * folded)
})
