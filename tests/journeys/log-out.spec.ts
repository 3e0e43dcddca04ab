// Covers: session, storage, sync, sw, player, downloads, listening
import type { Page } from '@playwright/test'
import { workerInCharge } from '#tests/support/service-worker.ts'
import { takenOver } from '#tests/support/page-errors.ts'
import { AtThePlayer, playFromBookPage } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, logIn, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'
import { download, expectDownloaded } from '#tests/support/title-actions.ts'

const STARLINGS = 'What the Starlings Kept'
/** Both a `reader` and a `nell` own it, as in a family. */
const LEDGER = 'The Lamplighter’s Ledger'

async function logOut(page: Page) {
  await page.goto('/settings')
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page).toHaveURL('/')
}

async function chooseInAccount(page: Page, entry: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

async function logOutByMenu(page: Page) {
  await chooseInAccount(page, 'Log out')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
}

/** Logs in through the pop-up over the current page. */
async function logInHere(page: Page, email: string) {
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  const form = page.getByRole('dialog', { name: 'Log in' })
  await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await form.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
}

test('PLAY-29: log-out stops the sound, hides downloads from the next user and stores the unsent place, without a reload', async ({
  shop,
  device,
}) => {
  const [first, second] = [shop.someone('reader'), shop.someone('nell')]
  const shared = await device({ worker: true, viewport: PHONE })
  const page = await shared.newPage()
  const toShelf = async () => {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Library' }).click()
    // Wait for the library: until it opens, home shows the same titles with links to their pages.
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
  }
  /** When the current document was loaded. */
  const loadedAt = () => page.evaluate(() => performance.timeOrigin)
  await logIn(page, first)
  await workerInCharge(page)
  await takenOver(page)
  const loaded = await loadedAt()
  await toShelf()
  await download(page, LEDGER)
  await page.getByRole('main').getByRole('link', { name: LEDGER }).first().click()

  const player = new AtThePlayer(page)
  await player.chooseChapter('Oranges')
  await shared.setOffline(true)
  await player.seek(0.3)
  await player.expectSound()
  const heard = await player.seconds()
  const [sound] = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.includes('/device/sound/')),
  )
  await player.press('Minimise player')
  await expect(player.screen).toHaveAttribute('data-display', 'mini')
  await chooseInAccount(page, 'Log out')
  const question = page.getByRole('dialog', { name: 'Log out while you’re offline?' })
  await expect(question).toContainText('your library and the books saved on this device are out of reach')
  await question.getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect(player.screen).toHaveCount(0)
  await shared.setOffline(false)

  await test.step('the next user owns the same book, and has neither the download nor a place in it', async () => {
    await logInHere(page, second)
    await toShelf()
    await expect(page.getByRole('button', { name: `Download ${LEDGER}`, exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: STARLINGS })).toBeHidden()
    await chooseInAccount(page, 'Downloads')
    await expect(page.getByText('Nothing on this device yet.')).toBeVisible()
    // Other users' downloads show their size and can be removed, but never their owners or titles.
    await expect(page.getByRole('heading', { name: /Other people’s downloads: .+ MB/ })).toBeVisible()
    await expect(page.getByRole('main').getByText(LEDGER)).toHaveCount(0)
    await expect(player.screen).toHaveCount(0)
    expect(await page.evaluate(async (url) => (await fetch(url)).status, sound!)).toBe(404)
    // Logging out sends pending positions, so this would send the first user's under the second user's name.
    await logOutByMenu(page)
    const shopSays = await ShopSays.to(second, shop.url)
    expect(await shopSays.place('the-lamplighters-ledger')).toBeUndefined()
  })

  await test.step('the first user’s place is sent at the next log-in, and the download is there again', async () => {
    await logInHere(page, first)
    const shopSays = await ShopSays.to(first, shop.url)
    const place = async () => (await shopSays.place('the-lamplighters-ledger'))!
    // Until then the shop had an older position, further on in the previous chapter.
    await expect.poll(async () => (await place()).chapter).toBe(3)
    await expect.poll(async () => (await place()).seconds).toBeGreaterThanOrEqual(heard - 1)
    await toShelf()
    await expectDownloaded(page, LEDGER)
  })
  expect(await loadedAt()).toBe(loaded)
})

test('PLAY-29: log-out in one tab closes the player’s window, and its opener no longer controls it for the next user', async ({
  shop,
  device,
}) => {
  const desktop = await device({ of: shop.someone('reader') })
  const page = await openPage(desktop, '/audiobooks/the-lamplighters-ledger')
  const own = await playFromBookPage(page)
  await own.expectSound()
  const tab = await openPage(desktop, '/faq')
  const closed = own.page.waitForEvent('close')
  await logOutByMenu(tab)
  await closed
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Player' })).toHaveCount(0)
  await logInHere(tab, shop.someone('nell'))
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Player' })).toHaveCount(0)
})

test('trap 18: after log-out and restart every page opens; no redirect and no session was cached', async ({
  shop,
  device,
}) => {
  const context = await device({ worker: true, of: shop.someone('nell') })
  const page = await openPage(context, '/library')
  await page.goto('/access-denied')
  await page.goto('/login')
  await logOut(page)
  await page.close()

  const again = await context.newPage()
  for (const [path, heading] of [
    ['/', 'Good books, said softly'],
    ['/library', 'This page needs an account'],
    ['/login', 'Log in'],
  ] as const) {
    await again.goto(path)
    await expect(again.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  const kept = await again.evaluate(async () => {
    const all: { cache: string; path: string; redirected: boolean }[] = []
    for (const cache of await caches.keys()) {
      const open = await caches.open(cache)
      for (const request of await open.keys()) {
        const response = await open.match(request)
        all.push({ cache, path: new URL(request.url).pathname, redirected: response!.redirected })
      }
    }
    return all
  })
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.filter(({ redirected }) => redirected)).toEqual([])
  expect(
    kept.filter(({ path }) =>
      /^\/(login|library|access-denied|settings)$|^\/api\/(login|logged-user|libraries)/.test(path),
    ),
  ).toEqual([])
})
