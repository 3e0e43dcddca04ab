// Covers: listening, storage, sync, sw, player
import type { Page } from '@playwright/test'
import { AtThePlayer, playFromBookPage } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'

const LEDGER = 'the-lamplighters-ledger'
const REWIND = 5
/** All rounds with LONG=1. */
const ROUNDS = process.env.LONG ? 50 : 2

/** The exact playback position; the scrubber shows whole seconds. */
const ear = (page: Page) => page.evaluate(() => document.querySelector('audio')!.currentTime)

test('trap 36: a tab that is closed while it plays saves its place, and another device continues from there', async ({
  shop,
  device,
}) => {
  if (process.env.LONG) test.setTimeout(ROUNDS * 60_000)
  const email = shop.someone('reader')
  const shopSays = await ShopSays.to(email, shop.url)
  const phone = await device({ viewport: PHONE, worker: true, of: email })
  await (await openPage(phone)).close()
  const tablet = await device({ viewport: PHONE, of: email })

  for (let round = 0; round < ROUNDS; round++) {
    const page = await phone.newPage()
    await page.goto(`/audiobooks/${LEDGER}`)
    const player = await playFromBookPage(page)
    await player.chooseChapter(round % 2 === 0 ? 'Lighting-up time' : 'Oranges')
    await player.seek(0.3)
    // Longer than the tolerated two seconds, so that the position sent at the seek is not enough.
    await player.expectSound(3)
    const heard = await ear(page)
    // In the last round the page's own request fails, and the service worker has to send the position.
    if (round === ROUNDS - 1) await page.route('**/api/user_chapter_times', (route) => route.abort())
    await page.close()

    const place = async () => (await shopSays.place(LEDGER))!.seconds
    await expect.poll(place, { intervals: [100] }).toBeGreaterThanOrEqual(heard - 2)
    const elsewhere = await tablet.newPage()
    await elsewhere.goto(`/player/${LEDGER}`)
    const there = new AtThePlayer(elsewhere)
    await there.expectChapter(round % 2 === 0 ? 'Lighting-up time' : 'Oranges')
    expect(await there.seconds()).toBeGreaterThanOrEqual(Math.floor(heard - 2 - REWIND))
    expect(await there.seconds()).toBeLessThanOrEqual(Math.ceil(await place()))
    await elsewhere.close()
  }
})
