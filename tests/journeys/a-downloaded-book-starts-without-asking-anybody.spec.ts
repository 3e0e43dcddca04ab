import { createServer } from 'node:http'
import type { Request } from '@playwright/test'
import { playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { download } from '#tests/support/title-actions.ts'

const STARLINGS = 'What the Starlings Kept'

/** The shelf of a phone that has one book on it. */
async function shelfWithDownload(device: Parameters<Parameters<typeof test>[2]>[0]['device'], of: string) {
  const phone = await device({ worker: true, viewport: PHONE, of })
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
  await expect(page.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toBeVisible()

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

test('trap 22: with a server that takes every call and answers none, shelf, page and sound wait for none of its answers', async ({
  shop,
  device,
}) => {
  test.setTimeout(90_000)
  const { page } = await shelfWithDownload(device, shop.someone('reader'))
  shop.hang()
  try {
    await page.getByRole('link', { name: STARLINGS }).click()
    await expect(page.getByRole('heading', { name: STARLINGS })).toBeVisible()

    // Who waits for the server hears only after a call was given up. The page's own words about the book, and the
    // stream beside the sound, are given up whenever their time is over: nobody listens later because of them.
    const givenUp: string[] = []
    page.on('requestfailed', (request) => {
      if (!/\/api\/audio_books\/|\/\.well-known\//.test(request.url())) givenUp.push(request.url())
    })
    const player = await playFromBookPage(page)
    await player.expectSound(1)
    expect(givenUp).toEqual([])
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
