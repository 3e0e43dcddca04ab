// Covers: downloads, storage, sync, sw, media, player
import type { Route } from '@playwright/test'
import { playFromBookPage } from '#tests/support/player-page.ts'
import { leaveRoom, littleRoom, loseChunk, soundIsHere, workerAtRest } from '#tests/support/device-storage.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'
import { askForDownload, download, expectDownloaded } from '#tests/support/title-actions.ts'
import { workerInCharge } from '#tests/support/service-worker.ts'

const SOUND = '**/media/sound/**'
const LONG = { timeout: 90_000 }

const STARLINGS = 'What the Starlings Kept'

test('trap 11: a download resumes after its tab was closed, and sound that the browser evicted is downloaded again without losing the place', async ({
  shop,
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  const asked = new Set<string>()
  const fetchOne = (route: Route) => {
    const { pathname } = new URL(route.request().url())
    asked.add(pathname)
    // The first chapter arrives; the second is still loading when the tab is closed.
    return asked.size === 1 ? route.continue() : undefined
  }
  const page = await phone.newPage()
  // Add the route before opening the page: while the worker takes control, the page's requests may bypass a new route.
  await page.route(SOUND, fetchOne)
  await page.goto('/audiobooks/what-the-starlings-kept')
  await workerInCharge(page)
  await askForDownload(page, STARLINGS)
  await expect.poll(() => asked.size, LONG).toBe(2)
  const [whole] = asked
  await page.close()

  const next = await phone.newPage()
  const askedAgain: string[] = []
  next.on('request', (request) => {
    if (request.url().includes('/media/sound/')) askedAgain.push(new URL(request.url()).pathname)
  })
  await next.goto('/library')
  await expectDownloaded(next, STARLINGS)
  expect(new Set(askedAgain).size).toBe(2)
  expect(askedAgain).not.toContain(whole)

  await next.goto('/audiobooks/what-the-starlings-kept')
  const player = await playFromBookPage(next)
  await player.expectSound()
  await test.step('in the same page, evicted chapters are streamed and downloaded again', async () => {
    await loseChunk(next, 'what-the-starlings-kept', 3)
    await player.chooseChapter('What they kept')
    await player.expectSound()
    await expect.poll(() => soundIsHere(next, 'what-the-starlings-kept', 3), LONG).toBe(true)
    await expect(player.screen.getByRole('button', { name: 'Saved on this device' })).toBeVisible(LONG)
  })
  await player.chooseChapter('A good mimic')
  await player.seek(0.5)
  await player.press('Pause')
  const heard = await player.seconds()
  await loseChunk(next, 'what-the-starlings-kept', 2)
  await phone.setOffline(true)
  await next.close()
  const again = await phone.newPage()
  await again.goto('/downloads')
  await expect(again.getByText('We’re downloading them again, and your places are safe.')).toBeVisible()
  await expect(again.getByRole('heading', { name: 'Nothing plays offline yet' })).toBeVisible()
  await expect(again.getByText('Waiting for its turn or a connection')).toBeVisible()

  await again.goto('/audiobooks/what-the-starlings-kept')
  const later = await playFromBookPage(again)
  await later.expectChapter('A good mimic')
  // Listening started at the seek, so the resume position is not moved back before it (PLAY-06).
  expect(Math.abs((await later.seconds()) - heard)).toBeLessThanOrEqual(2)
  await expect(later.screen.getByText('Waiting for a connection')).toBeVisible()

  await phone.setOffline(false)
  await later.expectSound()
  await expect(later.screen.getByRole('button', { name: 'Saved on this device' })).toBeVisible(LONG)
})

test('trap 4: a download survives a truncated response, a server restart and an expired URL', async ({
  shop,
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  let at = 0
  const refusals: number[] = []
  // On the context, because either the page or the worker may fetch.
  phone.on('response', (response) => {
    if (response.url().includes('/media/sound/') && !response.ok()) refusals.push(response.status())
  })
  await phone.route(SOUND, async (route) => {
    at++
    // Chapter 1 breaks off in the middle, as on a mobile network; the next attempt is complete.
    if (at === 1) {
      const response = await route.fetch()
      const body = await response.body()
      return route.fulfill({ response, body: body.subarray(0, body.length / 2) })
    }
    if (at === 3) {
      await shop.kill()
      await shop.start()
    }
    // The fourth request has a URL that expired yesterday.
    if (at !== 4) return route.continue()
    const stale = new URL(route.request().url())
    stale.searchParams.set('exp', String(Math.floor(Date.now() / 1000) - 86_400))
    await route.continue({ url: stale.href })
  })
  // Open the page after adding the route (trap 11).
  const page = await openPage(phone, '/audiobooks/what-the-starlings-kept')
  await download(page, STARLINGS)
  expect(at).toBe(5)
  expect(refusals).toEqual([403])
})

test('trap 12: a full device is reported, and the place is still saved', async ({ shop, device }) => {
  const email = shop.someone('reader')
  const phone = await device({ worker: true, viewport: PHONE, of: email })
  const page = await phone.newPage()
  await littleRoom(page, shop.url)
  await page.goto('/audiobooks/what-the-starlings-kept')
  await workerInCharge(page)
  await workerAtRest(page)
  // Fill the device during the download: if it were full before, not even the title could be stored to retry.
  let filling: Promise<void> | undefined
  await phone.route(SOUND, async (route) => {
    await (filling ??= leaveRoom(page, 500_000))
    await route.continue()
  })
  await askForDownload(page, STARLINGS)
  await expect(page.getByText('This device is full. Make some room and try again.')).toBeVisible(LONG)
  await expect(
    page.getByRole('button', { name: 'Try again to download What the Starlings Kept' }),
  ).toBeVisible()

  const player = await playFromBookPage(page)
  await player.chooseChapter('What they kept')
  await player.expectSound()
  await player.press('Pause')
  const heard = await player.seconds()
  const shopSays = await ShopSays.to(email, shop.url)
  await expect
    .poll(async () => {
      const place = await shopSays.place('what-the-starlings-kept')
      return place?.chapter === 3 && place.seconds >= heard - 1
    }, LONG)
    .toBe(true)

  await leaveRoom(page, undefined)
  await player.press('Try again to download')
  await expect(player.screen.getByRole('button', { name: 'Saved on this device' })).toBeVisible(LONG)
})

test('BOOK-25: a title whose files are still being made says so at its download button, and can be tried again', async ({
  device,
}) => {
  const page = await openPage(await device({ viewport: PHONE, of: 'shelf@murmur.example' }), '/library')
  const press = () => page.getByRole('button', { name: 'Download Four Hundred Keys' }).click()
  const said = page.getByText('There’s nothing to download yet. Its files are still being made.')
  await press()
  await expect(said).toBeVisible()
  await page.reload()
  await press()
  await expect(said).toBeVisible()
  await page.getByRole('link', { name: 'Four Hundred Keys' }).click()
  // A real shop's page says so too (BookScreen.test.tsx).
  await expect(page.getByText('This demo holds the sample alone.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toHaveCount(0)
})
