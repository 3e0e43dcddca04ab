// Covers: pages, app
import { workerInCharge } from '#tests/support/service-worker.ts'
import { hearComplaints, takenOver } from '#tests/support/page-errors.ts'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { DESKTOP, expect, logIn, PHONE, test } from '#tests/support/journey.ts'
import { drawn } from '#tests/support/animation-frames.ts'
import { holdCode } from '#tests/support/delayed-scripts.ts'

/** Server-rendered pages: address, status, name. */
const PUBLIC = [
  ['/', 200, 'Good books, said softly'],
  ['/audiobooks', 200, 'Audiobooks'],
  ['/ebooks?page=2', 200, 'E-books'],
  ['/audiobooks/the-lamplighters-ledger', 200, 'The Lamplighter’s Ledger'],
  ['/audiobooks/not-yet-bells', 200, 'Not Yet Bells'],
  ['/ebooks/the-unbound-almanac', 200, 'The Unbound Almanac'],
  ['/audiobooks/no-such-book', 404, 'Page not found'],
  ['/404', 404, 'Page not found'],
  ['/no/such/place', 404, 'Page not found'],
] as const

/** Pages that the app renders in the browser, for everyone. */
const BARE = [
  ['/login', 200, 'Log in'],
  ['/access-denied', 200, 'This page needs an account'],
  ['/server-error', 200, 'Internal Server Error'],
] as const

test('NAV-52: public pages hydrate without warnings on a phone and a desktop: each page', async ({
  device,
}) => {
  const context = await device()
  const complaints = await hearComplaints(context)
  const page = await context.newPage()
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    for (const [path, status, name] of [...PUBLIC, ...BARE]) {
      expect((await page.goto(path))?.status(), path).toBe(status)
      await takenOver(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`^${name}\\.?$`))
      await expect(page).toHaveTitle(`${name} | Murmur`)
    }
  }
  expect(complaints).toEqual([])

  await test.step('a page that differs from the app’s rendering would be detected', async () => {
    await page.route('**/audiobooks', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('>Audiobooks</h1>', '>Books</h1>'),
      })
    })
    await page.goto('/audiobooks')
    await expect(page.getByRole('heading', { level: 1, name: 'Audiobooks' })).toBeVisible()
    await expect.poll(() => complaints.join()).toContain('hydration')
  })
})

test('the home page hydrates right after a log-in, when the device doesn’t know yet what was started', async ({
  shop,
  device,
}) => {
  const context = await device({ viewport: PHONE })
  const complaints = await hearComplaints(context)
  const page = await context.newPage()
  await logIn(page, shop.someone('reader'))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'The Lamplighter’s Ledger' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('personal screens and the player render without warnings or violations of the content security policy', async ({
  shop,
  device,
}) => {
  const context = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  const complaints = await hearComplaints(context)
  const page = await context.newPage()
  for (const [path, name] of [
    ['/library', 'Library'],
    ['/downloads', 'Downloads'],
    ['/settings', 'Settings'],
    ['/audiobooks/what-the-starlings-kept', 'What the Starlings Kept'],
    ['/sample/salt-road-letters', 'Sample'],
    ['/player/the-lamplighters-ledger', 'Lamp forty-one'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page).toHaveTitle(`${name} | Murmur`)
  }
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()
  for (const tool of ['1× Speed', 'Sleep timer', 'Chapters']) {
    await player.press(tool)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  // A downloaded book, served by the service worker, with its own picture.
  await workerInCharge(page)
  await player.press('Download book')
  await expect(player.screen.getByRole('button', { name: 'Saved on this device' })).toBeVisible({
    timeout: 30_000,
  })
  await page.reload()
  await player.press('Play')
  await player.expectSound()
  await expect(player.screen.getByText('Playing from downloads')).toBeVisible()
  expect(complaints).toEqual([])
})

test('public pages show their content and links without JavaScript', async ({ browser, shop }) => {
  const context = await browser.newContext({ baseURL: shop.url, javaScriptEnabled: false })
  const page = await context.newPage()
  expect((await page.goto('/audiobooks/embargoed-winter'))?.status()).toBe(403)
  await page.goto('/audiobooks')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.getByRole('main').getByRole('list').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/audiobooks\/[a-z-]+$/)
  await expect(page.getByText('First published')).toBeVisible()
  await context.close()
})

test('EDIT-07: presses and scrolling before hydration are handled afterwards, and the scroll position stays', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  const arrive = await holdCode(page)
  await test.step('a second press on the menu does not count twice', async () => {
    const menuButton = page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true })
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await page.goto('/faq', { waitUntil: 'commit' })
    await menuButton.click()
    await menuButton.click()
    await expect(menu).toBeHidden()
    arrive()
    await expect(menu).toBeVisible()
    await expect(menuButton).toHaveAttribute('aria-expanded', 'true')
    await menuButton.click()
    await expect(menu).toBeHidden()
  })

  await page.unroute('**/assets/*.js')
  const arriveAgain = await holdCode(page)
  await test.step('more of the journal loads automatically, and the scroll position stays, also after a reload', async () => {
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    const titles = page.getByRole('main').getByRole('listitem').getByRole('heading', { level: 2 })
    await page.goto('/murmurations', { waitUntil: 'commit' })
    await expect(titles).toHaveCount(5)
    await page.mouse.wheel(0, 20_000)
    await expect.poll(scrolled).toBeGreaterThan(500)
    await drawn(page, 20)
    // Not to the very end, whose position depends on a font that may load late.
    await page.mouse.wheel(0, -300)
    await drawn(page, 20)
    const place = await scrolled()
    arriveAgain()
    // The end of the list is visible, so more loads as soon as the page is hydrated.
    await expect.poll(() => titles.count()).toBeGreaterThan(5)
    expect(await scrolled()).toBe(place)
    await page.reload()
    await expect.poll(scrolled).toBe(place)
  })
})
