import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { holdCode } from '#tests/support/late-code.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

const menus = demoFile('menus.json')

const banner = (page: Page) => page.getByRole('banner')
const menuButton = (page: Page) => banner(page).getByRole('button', { name: 'Menu', exact: true })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const footer = (page: Page) => page.getByRole('contentinfo')
const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })

async function openMenu(page: Page) {
  await menuButton(page).click()
  await expect(menu(page)).toBeVisible()
}

test('HDR-13 HDR-14 HDR-02 HDR-01 HDR-11: the menu leads everywhere, in its groups, on every device, and a banner to the audiobooks in a card', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/faq')
  await expect(banner(page).getByRole('link', { name: 'Log in' })).toBeVisible()
  await openMenu(page)
  // Its three lines are a cross now.
  await expect(menuButton(page).locator('path').nth(1)).toHaveCSS('transform', 'matrix(0, 0, 0, 0, 0, 0)')
  await expect(menu(page).getByRole('heading')).toHaveText(['Products', 'Murmurations', 'Links'])
  for (const [name, address] of [
    ['Bookshops', '/info/audiobook-in-a-card'],
    ['Membership', '/subscription'],
    ['JOIN', '/sign-up'],
    ['Questions and answers', '/faq'],
    ['Support', '/info/support'],
    ['Terms and conditions', '/info/terms-conditions'],
    ['Privacy and cookies', '/info/terms-privacy-etc'],
    ['Starter guide', '/info/starter-guide'],
  ] as const)
    await expect(menu(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', address)
  const dilemma = menu(page).getByRole('link', { name: 'Writer’s Dilemma' })
  expect(await dilemma.locator('i').evaluate((word) => getComputedStyle(word).fontStyle)).toBe('italic')
  await expectAccessibleInBoth(page)

  await test.step('at 320 px, a small window at 200 %, nothing of it is lost', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await expect(menu(page)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    const last = menu(page).getByRole('link', { name: 'Privacy and cookies' })
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport()
  })

  await page.setViewportSize(DESKTOP)
  for (const [name, address, heading] of [
    ['Browse', '/browse', 'Browse'],
    ['Editions', '/editions?_page=1&itemsPerPage=5', 'Editions'],
    ['Audiobooks', '/audiobooks?page=1&itemsPerPage=12', 'Audiobooks'],
    ['Current highlights', '/subscriber-selection?page=1&itemsPerPage=12', 'Current highlights'],
    ['Starter guide', '/info/starter-guide', 'Starter guide'],
  ] as const) {
    if (await menu(page).isHidden()) await openMenu(page)
    if (name === 'Starter guide') await expectAccessibleInBoth(page)
    await menu(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(address)
    await expect(menu(page)).toBeHidden()
    await expect(h1(page)).toHaveText(heading)
    await expect(h1(page)).toBeFocused()
  }

  await banner(page).getByRole('link', { name: 'Murmur', exact: true }).click()
  await page.getByRole('complementary', { name: 'Audiobooks in a card' }).getByRole('link').click()
  await expect(page).toHaveURL('/info/audiobook-in-a-card')
  await expect(page.getByRole('complementary', { name: 'Audiobooks in a card' })).toHaveCount(0)
})

test('HDR-03: a title and an address that the owner changed show after a reload, in menu and footer', async ({
  page,
  shop,
}) => {
  await page.goto('/faq')
  await openMenu(page)
  await expect(menu(page).getByRole('link', { name: 'Support', exact: true })).toBeVisible()
  const main = menus.main.map((entry) =>
    entry.title === 'Support' ? { ...entry, title: 'Talk to us', url: '/info/about' } : entry,
  )
  await shop.bringIn({ 'menus.json': { ...menus, main } })
  await page.reload()
  await expect(footer(page).getByRole('link', { name: 'Talk to us' })).toHaveAttribute('href', '/info/about')
  await openMenu(page)
  await expect(menu(page).getByRole('link', { name: 'Talk to us' })).toHaveAttribute('href', '/info/about')
  await expect(menu(page).getByRole('link', { name: 'Support', exact: true })).toHaveCount(0)
  await shop.bringIn({ 'menus.json': menus })
})

test('HDR-06: only one of the header’s menus is open; Escape closes it and gives the focus back, and so does the focus that leaves', async ({
  device,
}) => {
  const page = await (await device({ of: 'nell@murmur.example' })).newPage()
  await page.goto('/browse')
  await openMenu(page)
  await banner(page).getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Library' })).toBeVisible()
  await expect(menu(page)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(banner(page).getByRole('button', { name: 'Account' })).toBeFocused()
  await menuButton(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(menu(page).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await expect(menuButton(page)).toBeFocused()

  // Left open it would hide what has the focus now.
  await openMenu(page)
  await menu(page).getByRole('link').last().focus()
  await expect(menu(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(menu(page)).toBeHidden()
  await expect(main(page).locator(':focus')).toBeInViewport()
})

test('where the owner’s menu cannot be had, the menu has the ways of the header', async ({ device }) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.route('**/api/menu_entries', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/login')
  await openMenu(page)
  await expect(menu(page).getByRole('link')).toHaveText([
    'Browse',
    'Audiobooks',
    'Editions',
    'Murmurations',
    'Membership',
  ])
})

test('the end of the menu is never below the tabs: neither under the banner, nor under the word of being offline', async ({
  device,
}) => {
  const context = await device({ viewport: PHONE })
  const page = await context.newPage()
  const endsAboveTabs = async () => {
    await openMenu(page)
    const last = menu(page).getByRole('link').last()
    await last.evaluate((link) => link.closest('div')?.parentElement?.scrollTo(0, 9_999))
    const panelEnd = await menu(page).evaluate((nav) => nav.parentElement!.getBoundingClientRect().bottom)
    const tabs = await page.getByRole('navigation', { name: 'Sections' }).boundingBox()
    expect(panelEnd).toBeLessThanOrEqual(tabs!.y + 1)
  }
  await page.goto('/')
  await expect(page.getByRole('complementary', { name: 'Audiobooks in a card' })).toBeInViewport()
  await endsAboveTabs()
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await expect(page.getByText('You’re offline. Your downloads still play.')).toBeVisible()
  await endsAboveTabs()
})

test('FTR-01 FTR-02 NAV-55: the footer of every page has the owner’s links, the booksellers’ door and social links, and none of them is dead', async ({
  page,
  request,
}) => {
  const links = menus.main.filter(({ group }) => group === 'Links')
  // As those have it who run no scripts.
  for (const path of ['/', '/browse', '/articles', '/faq', '/audiobooks/nine-winters']) {
    const html = await (await request.get(path)).text()
    const foot = html.slice(html.lastIndexOf('<footer'))
    for (const address of [...links.map(({ url }) => url), '/reseller'])
      expect(foot, path).toContain(`href="${address}"`)
  }
  await page.goto('/faq')
  for (const { title, url } of links)
    await expect(footer(page).getByRole('link', { name: title, exact: true })).toHaveAttribute('href', url)
  await expect(footer(page).getByRole('link', { name: 'For booksellers' })).toHaveAttribute(
    'href',
    '/reseller',
  )
  for (const name of ['Instagram', 'Mastodon', 'YouTube'])
    await expect(footer(page).getByRole('link', { name })).toHaveAttribute('href', /^https:\/\//)

  await openMenu(page)
  const shown = page.locator('header, footer').getByRole('link')
  const addresses = new Set(await shown.evaluateAll((all) => all.map((link) => link.getAttribute('href')!)))
  expect(addresses.size).toBeGreaterThan(25)
  for (const address of addresses) {
    if (!address.startsWith('/')) continue
    expect([address, (await request.get(address)).status()]).toEqual([address, 200])
  }
})

test('a press before the page is alive is answered when it is, and a second one is no other press', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  const arrive = await holdCode(page)
  await page.goto('/faq', { waitUntil: 'commit' })
  await menuButton(page).click()
  await menuButton(page).click()
  await expect(menu(page)).toBeHidden()
  arrive()
  await expect(menu(page)).toBeVisible()
  await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true')
  await menuButton(page).click()
  await expect(menu(page)).toBeHidden()
})
