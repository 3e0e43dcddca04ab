import { createServer } from 'node:http'
import type { Request } from '@playwright/test'
import { playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { download } from '#tests/support/title-actions.ts'

const STARLINGS = 'What the Starlings Kept'
const LEDGER = 'The Lamplighter’s Ledger'

test('trap 22: a downloaded book starts without a network, with a server that answers nothing, and behind a captive portal', async ({
  shop,
  device,
}) => {
  test.setTimeout(150_000)
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  const shelf = await openPage(phone, '/library')
  await download(shelf, STARLINGS)
  await download(shelf, LEDGER)

  await test.step('without a network it starts with no request at all', async () => {
    await phone.setOffline(true)
    await shelf.getByRole('link', { name: LEDGER }).click()
    await expect(shelf.getByRole('heading', { name: LEDGER })).toBeVisible()
    await expect(shelf.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toBeVisible()

    const asked: Request[] = []
    shelf.on('request', (request) => asked.push(request))
    const player = await playFromBookPage(shelf)
    await player.expectSound()
    const outside: string[] = []
    for (const request of asked) {
      // Other books and their pictures, further down the page, keep nobody waiting.
      if (request.resourceType() === 'image' || request.url().includes('/tag_related')) continue
      const response = await request.response()
      if (!response?.fromServiceWorker() && request.url().startsWith('http')) outside.push(request.url())
    }
    expect(outside).toEqual([])
    await shelf.close()
    await phone.setOffline(false)
  })

  await test.step('where every call is taken and none answered, shelf, page and sound wait for no answer', async () => {
    const page = await openPage(phone, '/library')
    await expect(page.getByRole('link', { name: STARLINGS })).toBeVisible()
    shop.hang()
    try {
      await page.getByRole('link', { name: STARLINGS }).click()
      await expect(page.getByRole('heading', { name: STARLINGS })).toBeVisible()

      // Who waits for the server hears only after a call was given up. The page's own words about the book, the stream
      // beside the sound, and what the shelf asked before it was left, are given up whenever their time is over: nobody
      // listens later because of them.
      const givenUp: string[] = []
      page.on('requestfailed', (request) => {
        if (!/\/api\/(audio_books\/|(subscriptions\/)?gifts$)|\/\.well-known\//.test(request.url()))
          givenUp.push(request.url())
      })
      const player = await playFromBookPage(page)
      await player.expectSound(1)
      expect(givenUp).toEqual([])
    } finally {
      shop.wake()
    }
    await page.close()
  })

  const page = await openPage(phone, '/library')
  await expect(page.getByRole('link', { name: STARLINGS })).toBeVisible()
  await test.step('where every call is answered with the portal’s page it plays, and nothing breaks', async () => {
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
    } finally {
      portal.closeAllConnections()
      await new Promise((resolve) => portal.close(resolve))
      await shop.start()
    }
  })
  await expect(page.getByText('You’re offline. Your downloads still play.')).toBeHidden({ timeout: 30_000 })
})
