import type { BrowserContext } from '@playwright/test'
import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

const OWNER = 'shelf@murmur.example'

async function listening(phone: BrowserContext): Promise<AtThePlayer> {
  const page = await openPage(phone, '/')
  await page.clock.install()
  await page.goto('/player/the-borrowed-tongue')
  const player = new AtThePlayer(page)
  await player.chooseChapter('The evening class')
  await player.expectSound()
  return player
}

test('PLAY-14: in the fade the sleep timer can be put off by its whole span; then it fades, pauses and goes back to where the fade began', async ({
  device,
}) => {
  const player = await listening(await device({ viewport: PHONE, of: OWNER }))
  const { page } = player
  await player.press('Sleep timer')
  await page.getByRole('button', { name: '15 min' }).click()
  await test.step('played on in the fade, at full volume', async () => {
    await page.clock.fastForward('14:45')
    await player.press('Keep playing')
    await expect(player.screen.getByRole('button', { name: '15 min, sleep timer' })).toBeVisible()
    await expect.poll(async () => (await soundNow(page)).volume).toBe(1)
    await page.clock.fastForward('05:00')
    await expect(player.screen.getByRole('button', { name: '10 min, sleep timer' })).toBeVisible()
    await player.expectSound(1)
    await player.seek(0.2)
  })
  await player.press('10 min, sleep timer')
  await page.getByRole('button', { name: '15 min' }).click()
  await page.clock.fastForward('14:41')
  await expect(player.screen.getByRole('button', { name: 'Keep playing' })).toBeVisible()
  const fadedFrom = (await soundNow(page)).seconds
  await expect.poll(async () => (await soundNow(page)).volume).toBeLessThan(0.95)

  await page.clock.fastForward('00:20')
  await player.expectSilence()
  expect((await soundNow(page)).paused).toBe(true)
  expect(Math.abs((await soundNow(page)).seconds - fadedFrom)).toBeLessThan(1.5)
  await expect(player.screen.getByRole('button', { name: 'Sleep timer' })).toBeVisible()

  await player.press('Play')
  await player.expectSound(1)
  expect((await soundNow(page)).volume).toBe(1)
})

test('PLAY-20: the sleep timer menu sets a timer, shows what is left, and clears it', async ({ device }) => {
  const player = await listening(await device({ viewport: PHONE, of: OWNER }))
  const { page } = player
  const sheet = page.getByRole('dialog', { name: 'Sleep timer' })
  for (const minutes of [15, 30, 45, 60]) {
    await player.press(/timer$/)
    await sheet.getByRole('button', { name: `${minutes} min` }).click()
    await expect(sheet).toBeHidden()
    await expect(player.screen.getByRole('button', { name: `${minutes} min, sleep timer` })).toBeVisible()
  }
  await player.press(/sleep timer$/)
  await sheet.getByLabel('Hours').selectOption('1')
  await sheet.getByLabel('Minutes').selectOption('25')
  await sheet.getByRole('button', { name: 'Set timer' }).click()
  await expect(player.screen.getByRole('button', { name: '85 min, sleep timer' })).toBeVisible()
  await page.clock.fastForward('25:00')
  await expect(player.screen.getByRole('button', { name: '60 min, sleep timer' })).toBeVisible()

  await player.press(/sleep timer$/)
  await expect(sheet.getByText('Stops in 60 minutes')).toBeVisible()
  await sheet.getByRole('button', { name: 'Turn off timer' }).click()
  await expect(sheet.getByText(/^Stops/)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(player.screen.getByRole('button', { name: 'Sleep timer' })).toBeVisible()
  await page.clock.fastForward('02:00:00')
  await player.expectSound(1)

  await test.step('for the end of the chapter it stops there, without a fade, with the next chapter ready', async () => {
    await player.press('Sleep timer')
    await page.getByRole('button', { name: 'End of chapter' }).click()
    await expect(player.screen.getByRole('button', { name: 'Chapter end, sleep timer' })).toBeVisible()
    await player.seek(0.97)
    await player.expectChapter('A word for rain')
    await player.expectSilence()
    expect((await soundNow(page)).paused).toBe(true)
    expect((await soundNow(page)).volume).toBe(1)
    expect(await player.seconds()).toBe(0)
    await player.press('Play')
    await player.expectSound(1)
  })
})
