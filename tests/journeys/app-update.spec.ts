// Covers: app, sw, storage, sync, player
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { codeOf } from '#tests/support/built-code.ts'
import { takenOver } from '#tests/support/page-errors.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { nextRelease } from '#tests/support/next-release.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'

/** The chunks of the page and of the header's pop-up. */
const LOGIN_PART = codeOf(
  'src/routes/login.tsx?tsr-split=component---loader',
  'src/app/pop-ups/AuthenticationPopUp.tsx',
)
const OFFER = 'A new version of Murmur is ready.'

/** Counts full page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads++
  })
  return () => loads
}

async function toLogIn(page: Page): Promise<void> {
  const link = page.getByRole('banner').getByRole('link', { name: 'Log in' })
  await takenOver(page, link)
  await link.click()
}
const entryScript = (page: Page) => page.locator('script[type=module][src]').first()
const entryOf = async (page: Page) => (await entryScript(page).getAttribute('src')) ?? ''

test('trap 16: a missing chunk causes no reload loop, no reload without a network, and none while a book plays', async ({
  device,
}) => {
  await test.step('no reload loop', async () => {
    const page = await (await device()).newPage()
    await page.route(LOGIN_PART, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/')
    const loads = countLoads(page)
    await toLogIn(page)
    await expect(page.getByRole('heading', { name: 'There’s a new version of Murmur' })).toBeVisible()
    expect(loads()).toBe(1)
  })
  await test.step('no reload without a network', async () => {
    const context = await device()
    const page = await context.newPage()
    await page.goto('/')
    const loads = countLoads(page)
    await context.setOffline(true)
    await toLogIn(page)
    await expect(page.getByRole('heading', { name: 'This page needs a connection' })).toBeVisible()
    expect(loads()).toBe(0)
    await context.setOffline(false)
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  })
  await test.step('a playing sample keeps playing', async () => {
    const page = await (await device({ viewport: DESKTOP })).newPage()
    await page.route(LOGIN_PART, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/audiobooks/the-lamplighters-ledger')
    await page.getByRole('main').getByRole('button', { name: 'Play sample' }).click()
    const mini = page.getByRole('region', { name: 'Player' })
    await expect(mini.getByRole('button', { name: 'Pause' })).toBeVisible()
    const loads = countLoads(page)
    await toLogIn(page)
    await expect(page.getByRole('heading', { name: 'There’s a new version of Murmur' })).toBeVisible()
    await expect(mini.getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(loads()).toBe(0)
  })
})

test('trap 16 and 17: a tab left open over a deploy finds its chunks, and later recovers with one reload; an update waits until nothing plays and the user agrees, and sends the outbox', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  const phone = await device({ worker: true, viewport: PHONE, of: email })
  const page = await openPage(phone, '/player/the-lamplighters-ledger')
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()
  const before = await entryOf(page)
  const leftOpen = async () => {
    const tab = await (await device()).newPage()
    await tab.goto('/')
    return tab
  }
  const left = await leftOpen()
  const leftForLong = await leftOpen()

  const release = nextRelease()
  await shop.stop()
  await shop.start(release)
  try {
    await test.step('a tab that was left open finds its chunks', async () => {
      const loads = countLoads(left)
      await toLogIn(left)
      await expect(left.getByRole('dialog', { name: 'Log in' })).toBeVisible()
      expect(loads()).toBe(0)
    })
    await test.step('a tab open for longer than chunks are stored reloads once', async () => {
      rmSync(join(shop.dataDir, 'assets'), { recursive: true })
      const loads = countLoads(leftForLong)
      await toLogIn(leftForLong)
      await expect(leftForLong.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
      expect(loads()).toBe(1)
      await expect(entryScript(leftForLong)).not.toHaveAttribute('src', before)
    })
    // The app does this once an hour.
    await page.evaluate(() => void navigator.serviceWorker.getRegistration().then((one) => one!.update()))
    // The whole release must be cached before the server stops. `waitForFunction` would count a pending promise as true.
    await expect
      .poll(
        () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.waiting !== null),
        { timeout: 90_000 },
      )
      .toBe(true)
    await player.expectSound()
    await expect(page.getByText(OFFER)).toBeHidden()

    await player.press('Pause')
    await shop.stop()
    await player.seek(0.9)
    const moved = await player.seconds()
    // The player has no header, so no update offer covers it.
    await expect(page.getByText(OFFER)).toBeHidden()
    await player.press('Minimise player')
    await expect(page.getByRole('banner').getByText(OFFER)).toBeVisible()
    // Don't query the page while it unloads, because it may never answer. Stop the server instead of using `setOffline`:
    // with it Chromium may lose a page that loads while a service worker takes over.
    const loadedAnew = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Update' }).click({ noWaitAfter: true })
    await loadedAnew
    await expect(entryScript(page)).not.toHaveAttribute('src', before)
    await shop.start(release)
    const shopSays = await ShopSays.to(email, shop.url)
    await expect
      .poll(async () => (await shopSays.place('the-lamplighters-ledger'))?.seconds ?? 0, { timeout: 90_000 })
      .toBeCloseTo(moved, 0)
  } finally {
    await shop.stop()
    await shop.start()
    rmSync(release, { recursive: true, force: true })
  }
})
