// Covers: player
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

test('PLAY-14 PLAY-20: the sleep timer fades, can be extended, pauses where the fade started, and stops at a chapter’s end', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: 'shelf@murmur.example' })
  await phone.clock.install()
  const page = await openPage(phone, '/player/the-borrowed-tongue')
  const player = new AtThePlayer(page)
  const volume = async () => (await soundNow(page)).volume
  const button = (name: string) => player.screen.getByRole('button', { name, exact: true })
  await player.chooseChapter('The evening class')
  await player.expectSound()
  await player.press('Sleep timer')
  await page.getByRole('button', { name: '15 min' }).click()
  await expect(button('15 min, sleep timer')).toBeVisible()

  await test.step('extended during the fade, it plays for its full duration at full volume', async () => {
    await standStillAfter(page, 14 * 60 + 50)
    await expect.poll(volume).toBeLessThan(0.6)
    await player.press('Keep playing')
    await expect(button('15 min, sleep timer')).toBeVisible()
    await expect.poll(volume).toBe(1)
  })

  await test.step('otherwise it fades, pauses, and returns to where the fade started', async () => {
    const before = (await soundNow(page)).seconds
    await standStillAfter(page, 14 * 60 + 50)
    await expect(button('Keep playing')).toBeVisible()
    const fading = (await soundNow(page)).seconds
    await player.expectSound()
    await standStillAfter(page, 10)
    await player.expectSilence()
    const { paused, seconds } = await soundNow(page)
    expect(paused).toBe(true)
    expect(seconds).toBeGreaterThanOrEqual(before)
    expect(seconds).toBeLessThanOrEqual(fading)
    await expect(button('Sleep timer')).toBeVisible()
    await page.clock.resume()
  })

  await test.step('set to the end of the chapter, it stops there at full volume with the next chapter ready', async () => {
    await player.press('Play')
    await player.press('Sleep timer')
    await page.getByRole('button', { name: 'End of chapter' }).click()
    await expect(button('Chapter end, sleep timer')).toBeVisible()
    await player.seek(0.97)
    await player.expectChapter('A word for rain')
    await player.expectSilence()
    expect(await soundNow(page)).toMatchObject({ paused: true, volume: 1 })
    expect(await player.seconds()).toBe(0)
  })
})

/** Advances the clock by some seconds and stops it there, so that the fade waits for the test's presses. */
async function standStillAfter(page: Page, seconds: number): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + seconds * 1000)
}
