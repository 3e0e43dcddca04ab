import { createServer } from 'node:http'
import type { Page, Request } from '@playwright/test'
import { AtThePlayer, playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { download } from '#tests/support/title-actions.ts'

const STARLINGS = 'What the Starlings Kept'

/** The shelf of a phone that has one book on it. */
async function shelfWithDownload(device: Parameters<Parameters<typeof test>[2]>[0]['device'], of: string) {
  const phone = await device({ viewport: PHONE, of })
  const page = await openPage(phone, '/library')
  await download(page, STARLINGS)
  return { phone, page }
}

test('trap 22: without a network a downloaded book starts with no request at all', async ({
  shop,
  device,
}) => {
  const { phone, page } = await shelfWithDownload(device, shop.someone('reader'))
  await phone.setOffline(true)
  await page.getByRole('link', { name: STARLINGS }).click()
  await expect(page.getByRole('heading', { name: STARLINGS })).toBeVisible()
  await page.waitForLoadState('networkidle')

  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  const player = await playFromBookPage(page)
  await player.expectSound()
  const outside: string[] = []
  for (const request of asked) {
    const response = await request.response()
    if (!response?.fromServiceWorker() && request.url().startsWith('http')) outside.push(request.url())
  }
  expect(outside).toEqual([])
})

test('trap 22: with a server that takes every call and answers none, shelf, page and sound are there at once', async ({
  shop,
  device,
}) => {
  test.setTimeout(90_000)
  const { page } = await shelfWithDownload(device, shop.someone('reader'))
  shop.hang()
  try {
    await page.getByRole('link', { name: STARLINGS }).click()
    await expect(page.getByRole('heading', { name: STARLINGS })).toBeVisible({ timeout: 2_000 })

    // The best of three: a busy machine is late now and then, a player that waits for the server always is.
    const starts: number[] = []
    for (const _ of [1, 2, 3]) {
      const player = new AtThePlayer(page)
      const millisecondsToSound = fromPressToSound(page)
      await playFromBookPage(page)
      starts.push(await millisecondsToSound)
      await player.press('More')
      await page.getByRole('menuitem', { name: 'Turn off player' }).click()
    }
    expect(Math.min(...starts)).toBeLessThan(1_000)
  } finally {
    shop.wake()
  }
})

test('trap 22: behind a captive portal, which answers every call with its page, the download plays and nothing breaks', async ({
  shop,
  device,
}) => {
  test.setTimeout(90_000)
  const { page } = await shelfWithDownload(device, shop.someone('reader'))
  await shop.stop()
  const portal = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to Train Wi-Fi</h1>')
  })
  await new Promise<void>((resolve) => portal.listen(Number(new URL(shop.url).port), '127.0.0.1', resolve))
  try {
    await page.getByRole('link', { name: STARLINGS }).click()
    const player = await playFromBookPage(page)
    await player.expectSound()
    await player.press('Pause')
    await player.press('Minimise player')
    await expect(page.getByText('You’re offline. Your downloads still play.')).toBeVisible()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Library' }).click()
    await expect(page.getByRole('link', { name: STARLINGS })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Waiting for a connection' })).toBeVisible()
  } finally {
    portal.closeAllConnections()
    await new Promise((resolve) => portal.close(resolve))
    await shop.start()
  }
  await expect(page.getByRole('heading', { name: 'Waiting for a connection' })).toBeHidden({
    timeout: 30_000,
  })
})

/** From the next press to the first sound, in the page's own clock. */
function fromPressToSound(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let pressed = 0
        addEventListener('click', () => (pressed = performance.now()), { capture: true, once: true })
        const heard = () => resolve(performance.now() - pressed)
        document.addEventListener('playing', heard, { capture: true, once: true })
      }),
  )
}
