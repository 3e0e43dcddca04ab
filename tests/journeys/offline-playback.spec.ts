// Covers: downloads, player, storage, sync, sw
import { createServer } from 'node:http'
import type { Request } from '@playwright/test'
import { playFromBookPage } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { download } from '#tests/support/title-actions.ts'
import { workerInCharge } from '#tests/support/service-worker.ts'

const STARLINGS = 'What the Starlings Kept'
const LEDGER = 'The Lamplighter’s Ledger'
/** Code, audio, the book, the position, the user and the connection check; neither pictures nor related titles. */
const NEEDED_TO_PLAY =
  /\/assets\/|\/media\/sound|\/api\/(audio_books\/the-lamplighters-ledger(?!\/tag_related)|user_(audio_book|chapter)_times|sound_claims|token|health)/

test('trap 22: a downloaded book starts without a network, with a hanging server, and behind a captive portal', async ({
  shop,
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  const shelf = await openPage(phone, '/library')
  await download(shelf, STARLINGS)
  await download(shelf, LEDGER)

  await test.step('without a network it starts without sending a request', async () => {
    await phone.setOffline(true)
    await shelf.getByRole('link', { name: LEDGER }).click()
    await expect(shelf.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toBeVisible()

    const asked: Request[] = []
    shelf.on('request', (request) => asked.push(request))
    const player = await playFromBookPage(shelf)
    await player.expectSound()
    const outside: string[] = []
    for (const request of asked.filter((each) => NEEDED_TO_PLAY.test(each.url()))) {
      const response = await request.response()
      if (!response?.fromServiceWorker()) outside.push(request.url())
    }
    expect(outside).toEqual([])
    await shelf.close()
    await phone.setOffline(false)
  })

  await test.step('with a hanging server, library, page and sound don’t wait for a response', async () => {
    const page = await phone.newPage()
    await page.addInitScript(neverGiveUp)
    await page.goto('/library')
    await workerInCharge(page)
    await expect(page.getByRole('link', { name: STARLINGS })).toBeVisible()
    shop.hang()
    try {
      await page.getByRole('link', { name: STARLINGS }).click()
      const player = await playFromBookPage(page)
      await player.expectSound()
    } finally {
      shop.wake()
    }
    await page.close()
  })

  const page = await openPage(phone, '/library')
  await expect(page.getByRole('link', { name: STARLINGS })).toBeVisible()
  await test.step('behind a captive portal it plays, and nothing breaks', async () => {
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
      const signIn = page.getByRole('link', { name: 'This network wants you to sign in' })
      await expect(signIn).toBeVisible()
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Library' }).click()
      // Wait for the library, because the player has a link to the title too.
      await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: STARLINGS })).toBeVisible()

      // After a reload it is still the app and not the portal, which opens with one press.
      await page.reload()
      await expect(page.getByRole('link', { name: STARLINGS })).toBeVisible()
      const opened = page.waitForEvent('popup')
      await signIn.click()
      const portalPage = await opened
      await expect(portalPage.getByRole('heading', { name: 'Welcome to Train Wi-Fi' })).toBeVisible()
      await portalPage.close()
    } finally {
      portal.closeAllConnections()
      await new Promise((resolve) => portal.close(resolve))
      await shop.start()
    }
  })
  // Change the network, as a phone does at the station; otherwise the app retries at longer and longer intervals.
  await phone.setOffline(true)
  await phone.setOffline(false)
  await expect(page.getByText('Your downloads still play.')).toBeHidden()
})

/**
 * Runs in the page before its own code: requests without a response never time out, so that anything that waits for
 * one waits for ever, on a fast machine too.
 */
function neverGiveUp() {
  const soon = window.setTimeout
  const patient = (run: TimerHandler, ms = 0) => (ms < 3_000 ? soon(run, ms) : 0)
  Object.assign(window, { setTimeout: patient })
  AbortSignal.timeout = () => new AbortController().signal
}
