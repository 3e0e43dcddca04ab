// Covers: player, downloads, media
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { soundOf } from '#tests/support/sound-addresses.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

const LEDGER = 'the-lamplighters-ledger'

test('PLAY-08 PLAY-09: while a chapter plays the next two are stored and start without a request; playback waits for a missing one and continues when it arrives (trap 4 and trap 5)', async ({
  shop,
  device,
}) => {
  const email = shop.someone('reader')
  const phone = await device({ worker: true, viewport: PHONE, of: email, touch: true })
  const sounds = await soundOf(shop, email, LEDGER)
  const page = await openPage(phone, `/player/${LEDGER}`)
  const player = new AtThePlayer(page)
  const passedTheWorker: boolean[] = []
  page.on('response', (response) => {
    if (response.url().includes('/media/sound/')) passedTheWorker.push(response.fromServiceWorker())
  })

  await test.step('a chapter streams past the worker and its caches while the next two are stored', async () => {
    await player.chooseChapter('The tide table')
    await player.expectSound()
    await expect(player.screen.getByText('Streaming')).toBeVisible()
    await player.press('Chapters')
    const sheet = page.getByRole('dialog', { name: 'Chapters' })
    for (const name of [/Lamp forty-one.*kept ahead/, /Oranges.*kept ahead/])
      await expect(sheet.getByRole('button', { name })).toBeVisible()
    await page.keyboard.press('Escape')
    expect(passedTheWorker.length).toBeGreaterThan(0)
    expect(passedTheWorker).not.toContain(true)
    expect(await cachedSound(page)).toEqual([])
  })

  await test.step('without a network the next one starts automatically, without a request', async () => {
    await player.press('Pause')
    // A tap on the line's right end seeks, because the button with the time left is below the line.
    await player.tapLine(0.92)
    await player.seek(0.95)
    await expectBufferedToItsEnd(player)
    await phone.setOffline(true)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await player.press('Play')
    await player.expectChapter('Lamp forty-one')
    await player.expectSound()
    await expect(player.screen.getByText('Playing what was kept ahead')).toBeVisible()
    expect(asked.filter((url) => sounds.get(2)!.test(url))).toEqual([])
  })

  await test.step('the last one is missing: the player says so, and continues when the network is back', async () => {
    await player.chooseChapter('Oranges')
    await player.seek(0.97)
    await player.expectChapter('Lighting-up time')
    await expect(player.screen.getByText('Loading next chapter')).toBeVisible()
    await expect(player.screen.getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-busy', 'true')
    expect((await soundNow(page)).paused).toBe(true)
    await phone.setOffline(false)
    await player.expectSound()
    await expect(player.screen.getByText('Loading next chapter')).toBeHidden()
  })
})

const cachedSound = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept
      .flatMap((requests) => requests.map(({ url }) => url))
      .filter((url) => url.includes('/media/sound/'))
  })

/** Waits until the stream is fully buffered, so that only the next chapter can be missing. */
async function expectBufferedToItsEnd({ page }: AtThePlayer): Promise<void> {
  const missing = () =>
    page.evaluate(() => {
      const audio = document.querySelector('audio')!
      const { buffered } = audio
      return audio.duration - (buffered.length > 0 ? buffered.end(buffered.length - 1) : 0)
    })
  await expect.poll(missing).toBeLessThan(0.01)
}
