// Covers: layout, pages, app
import type { Page } from '@playwright/test'
import { demoFile } from '#tests/support/demo-content.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

const banner = (page: Page) => page.getByRole('banner')
const menuButton = (page: Page) => banner(page).getByRole('button', { name: 'Menu', exact: true })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })

async function openMenu(page: Page) {
  await menuButton(page).click()
  await expect(menu(page)).toBeVisible()
}

test('HDR-01 HDR-02 HDR-11: the menu fits every window and its links work, and a banner leads to the audiobooks in a card', async ({
  page,
  context,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/')
  const card = page.getByRole('complementary', { name: 'An audiobook in a card' })

  await test.step('its end is never hidden below the tabs, neither with the banner nor with the offline notice', async () => {
    const endsAboveTabs = async () => {
      await openMenu(page)
      const last = menu(page).getByRole('link').last()
      await last.evaluate((link) => link.closest('div')?.parentElement?.scrollTo(0, 9_999))
      const panelEnd = await menu(page).evaluate((nav) => nav.parentElement!.getBoundingClientRect().bottom)
      const tabs = await page.getByRole('navigation', { name: 'Sections' }).boundingBox()
      expect(panelEnd).toBeLessThanOrEqual(tabs!.y + 1)
      // The three lines of its icon now form a cross.
      await expect(menuButton(page).locator('path').nth(1)).toHaveCSS('transform', 'matrix(0, 0, 0, 0, 0, 0)')
      await page.keyboard.press('Escape')
    }
    await expect(card).toBeInViewport()
    await endsAboveTabs()
    await context.setOffline(true)
    await expect(page.getByText('You’re offline. Your downloads still play.')).toBeVisible()
    await endsAboveTabs()
    await context.setOffline(false)
    await expect(page.getByText('You’re offline. Your downloads still play.')).toBeHidden()
  })

  await test.step('at 320 px, a small window at 200 %, all of it is reachable', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await openMenu(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    const last = menu(page).getByRole('link', { name: 'Privacy and cookies' })
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport()
    await page.keyboard.press('Escape')
  })

  await page.setViewportSize(DESKTOP)
  await card.getByRole('link').click()
  await expect(page).toHaveURL('/info/audiobook-in-a-card')
  await expect(card).toHaveCount(0)
  for (const [name, address, heading] of [
    ['Browse', '/browse', 'Browse'],
    ['Editions', '/editions?_page=1&itemsPerPage=5', 'Editions'],
    ['Audiobooks', '/audiobooks?page=1&itemsPerPage=12', 'Audiobooks'],
    ['Current highlights', '/subscriber-selection?page=1&itemsPerPage=12', 'Current highlights'],
    ['Starter guide', '/info/starter-guide', 'Starter guide'],
  ] as const) {
    await openMenu(page)
    await menu(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(address)
    await expect(menu(page)).toBeHidden()
    await expect(h1(page)).toHaveText(heading)
    await expect(h1(page)).toBeFocused()
  }
})

test('a phone in landscape and a small tablet have the library in the header, and everything else is visible', async ({
  device,
  shop,
}) => {
  const page = await (await device({ of: shop.someone('reader') })).newPage()
  await page.goto('/library')
  for (const width of [768, 844, 900, 1000]) {
    await page.setViewportSize({ width, height: 390 })
    await expect(menuButton(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('banner').getByRole('link', { name: 'Library' })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

test('a small tablet shows a visitor the whole header, without scrolling sideways', async ({ device }) => {
  const page = await (await device()).newPage()
  await page.goto('/')
  for (const width of [768, 800, 834, 1000]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(menuButton(page)).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

test('HDR-08: the account menu stays under its button while the page scrolls', async ({ device, shop }) => {
  const page = await (await device({ of: shop.someone('reader'), viewport: PHONE })).newPage()
  await page.goto('/audiobooks?page=1&itemsPerPage=12')
  await banner(page).getByRole('button', { name: 'Account' }).click()
  const entry = page.getByRole('menuitem', { name: 'Downloads' })
  await entry.hover()
  // Measure in one step: restoring a shelf's scroll position also scrolls, when its list loads late.
  const { before, after, scrolled } = await entry.evaluate((link) => {
    const top = () => link.getBoundingClientRect().top
    const before = top()
    scrollTo(0, 119)
    return { before, after: top(), scrolled: scrollY }
  })
  expect(scrolled).toBe(119)
  expect(after).toBe(before)
})

test('no link of menu, header and footer is dead', async ({ request }) => {
  // From the HTML, as without JavaScript; the menu itself opens by script.
  const html = await (await request.get('/faq')).text()
  const [head = '', foot = ''] = [/<header[\s\S]*?<\/header>/, /<footer[\s\S]*<\/footer>/].map(
    (part) => part.exec(html)?.[0],
  )
  const drawn = [...(head + foot).matchAll(/href="([^"]+)"/g)].map(([, address]) =>
    address!.replaceAll('&amp;', '&'),
  )
  const addresses = new Set([...demoFile('menus.json').main.map(({ url }) => url), ...drawn])
  expect(addresses.size).toBeGreaterThan(25)
  for (const address of addresses)
    if (address.startsWith('/'))
      expect([address, (await request.get(address)).status()]).toEqual([address, 200])
})
