import type { Page } from '@playwright/test'
import { workerInCharge } from '#tests/support/worker-in-charge.ts'
import { playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, logIn, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/shop-says.ts'
import { download, expectDownloaded } from '#tests/support/title-actions.ts'

const STARLINGS = 'What the Starlings Kept'

async function logOut(page: Page) {
  await page.goto('/settings')
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page).toHaveURL('/')
}

test('PLAY-29: log-out hides the copies from the next user and keeps the place that waits', async ({
  shop,
  device,
}) => {
  test.setTimeout(150_000)
  const [first, second] = [shop.someone('reader'), shop.someone('nell')]
  const shared = await device({ worker: true, viewport: PHONE })
  let page = await shared.newPage()
  await logIn(page, first)
  await workerInCharge(page)
  await page.goto('/audiobooks/what-the-starlings-kept')
  await download(page, STARLINGS)

  await shared.setOffline(true)
  const player = await playFromBookPage(page)
  await player.chooseChapter('What they kept')
  await player.seek(0.5)
  await player.expectSound()
  await player.press('Pause')
  const heard = await player.seconds()
  const [sound] = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.includes('/device/sound/')),
  )
  await logOut(page)
  await page.close()
  await shared.setOffline(false)

  page = await shared.newPage()
  await logIn(page, second)
  await page.goto('/library')
  await expect(page.getByRole('link', { name: 'The Lamplighter’s Ledger' })).toBeVisible()
  await expect(page.getByRole('link', { name: STARLINGS })).toBeHidden()
  await page.goto('/downloads')
  await expect(page.getByText('Nothing on this device yet.')).toBeVisible()
  expect(await page.evaluate(async (url) => (await fetch(url)).status, sound!)).toBe(404)
  await logOut(page)

  await logIn(page, first)
  const shopSays = await ShopSays.to(first, shop.url)
  await expect
    .poll(async () => (await shopSays.place('what-the-starlings-kept'))?.seconds ?? 0, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(heard - 1)
  expect((await shopSays.place('what-the-starlings-kept'))?.chapter).toBe(3)
  await page.goto('/library')
  await expectDownloaded(page, STARLINGS)
})

test('trap 18: after log-out, close and reopen, every page opens; nothing kept was redirected, and no log-in is kept', async ({
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
