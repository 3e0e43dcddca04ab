// Covers: player, app
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { soundNow, witnessed, witnessSound } from '#tests/support/sound-witness.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click()

test('PLAY-01 PLAY-07 BOOK-23: one audio element plays samples and books, across screens and chapters (trap 6)', async ({
  shop,
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: shop.someone('reader') })
  await witnessSound(phone)
  const page = await openPage(phone, '/audiobooks/salt-road-letters')
  const player = new AtThePlayer(page)

  await page.getByRole('button', { name: 'Play sample' }).click()
  await expect(page).toHaveURL('/sample/salt-road-letters')
  await player.expectSound()
  await expect(player.screen).toHaveAttribute('data-display', 'full')

  await player.press('Minimise player')
  await expect(page).toHaveURL('/audiobooks/salt-road-letters')
  await expect(player.screen).toHaveAttribute('data-display', 'mini')
  await tab(page, 'Library')
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
  await expectStillSounds(page)

  await page.getByRole('link', { name: 'What the Starlings Kept' }).click()
  await expect(page).toHaveURL('/player/what-the-starlings-kept')
  await player.press('Play')
  await player.expectChapter('The roost under the pier')
  await player.expectSound()

  await player.press('Minimise player')
  for (const name of ['Home', 'Browse', 'You']) {
    await tab(page, name)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectStillSounds(page)
  }
  await page.evaluate(() => {
    const audio = document.querySelector('audio')!
    audio.currentTime = audio.duration - 1.5
  })
  await expect(player.screen).toContainText('2. A good mimic')
  await expectStillSounds(page)
  await player.screen.getByRole('button', { name: 'Open the player' }).click()
  await expect(page).toHaveURL('/player/what-the-starlings-kept')
  await expect(player.screen).toHaveAttribute('data-display', 'full')
  expect(await witnessed(page)).toMatchObject({ elements: 1, wentOn: 1 })
})

test('NAV-19 NAV-58: the player fills the window at its own addresses, without header or footer', async ({
  shop,
  device,
}) => {
  const context = await device({ of: shop.someone('reader') })
  const page = await context.newPage()
  const player = new AtThePlayer(page)
  for (const [path, title] of [
    ['/player/the-lamplighters-ledger', 'Lamp forty-one'],
    ['/sample/the-lamplighters-ledger', 'Sample'],
  ] as const) {
    await page.goto(path)
    await player.expectChapter(title)
    await expect(page).toHaveTitle(`${title} | Murmur`)
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      for (const role of ['banner', 'contentinfo', 'navigation'] as const)
        await expect(page.getByRole(role)).toHaveCount(0)
      await expect.poll(() => player.screen.boundingBox()).toEqual({ x: 0, y: 0, ...viewport })
    }
  }
})

test('NAV-59 CONST-08: the mini player is a widget above the tabs below 768 px, and a bar from there on', async ({
  shop,
  device,
}) => {
  const context = await device({ viewport: { width: 767, height: 844 }, of: shop.someone('reader') })
  const page = await openPage(context, '/sample/salt-road-letters')
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.press('Minimise player')

  const forward = player.screen.getByRole('button', { name: 'Forward 15 seconds' })
  const tabs = page.getByRole('navigation', { name: 'Sections' })
  await expect(player.screen).toHaveAttribute('data-display', 'mini')
  await expect(forward).toBeVisible()
  const widget = (await player.screen.boundingBox())!
  const bar = (await tabs.boundingBox())!
  expect(widget.height).toBe(64)
  expect(widget.y + widget.height).toBeLessThan(bar.y)

  await page.setViewportSize({ width: 768, height: 844 })
  await expect(tabs).toBeHidden()
  await expect(forward).toBeVisible()
  const wide = (await player.screen.boundingBox())!
  expect(wide).toMatchObject({ x: 0, width: 768, height: 76 })
  expect(wide.y + wide.height).toBe(844)

  await test.step('a sample ends with the price and one press to go on, in the bar and in the full player', async () => {
    // On a slow machine it has ended before.
    const play = player.screen.getByRole('button', { name: 'Play', exact: true })
    if (await play.isVisible()) await play.click()
    await expectStillSounds(page)
    await page.evaluate(() => {
      const audio = document.querySelector('audio')!
      audio.currentTime = audio.duration - 0.5
    })
    await expect(page.getByText('That was the sample of Salt Road Letters.').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'It can be your free audiobook' })).toBeVisible()
    await player.screen.getByRole('button', { name: 'Open the player' }).click()
    await expect(player.screen.getByText('End of the sample')).toBeVisible()
    await expect(player.screen.getByRole('button', { name: 'Choose as free audiobook' })).toBeVisible()
    await expectAccessible(page)
  })
})

/** Expects the media element to keep playing. */
async function expectStillSounds(page: Page): Promise<void> {
  const { seconds } = await soundNow(page)
  await expect
    .poll(async () => (await soundNow(page)).seconds, { intervals: [100] })
    .toBeGreaterThan(seconds + 0.2)
  expect((await soundNow(page)).paused).toBe(false)
}
