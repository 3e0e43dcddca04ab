// Covers: downloads, listening, storage, sync, player, sw
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { AtThePlayer, playFromBookPage } from '#tests/support/player-page.ts'
import { storedSeconds } from '#tests/support/device-storage.ts'
import { openAs, openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'
import { download } from '#tests/support/title-actions.ts'

test('PLAY-13 PLAY-18 PLAY-28: a listener continues offline on a phone, and finds the place on a desktop', async ({
  shop,
  device,
}) => {
  const email = 'reader@murmur.example'
  const here = await device({ worker: true, viewport: PHONE })
  const page = await openAs(here, email)

  await test.step('a spoken book resumes where it was left', async () => {
    await toLibrary(page)
    await page.getByRole('link', { name: 'The Lamplighter’s Ledger' }).click()
    const player = new AtThePlayer(page)
    await player.press('Play')
    await player.expectChapter('Lamp forty-one')
    expect(await player.seconds()).toBeGreaterThanOrEqual(25)
    await player.expectSound()
    await player.press('Pause')
  })

  await test.step('another is downloaded', async () => {
    await page.goto('/library')
    await download(page, 'What the Starlings Kept')
  })

  await here.setOffline(true)
  await page.close()

  const again = await here.newPage()
  await test.step('without a network the app opens, and the download plays across chapters', async () => {
    await again.goto('/')
    await expect(again.getByText('You’re offline. Your downloads still play.')).toBeVisible()
    await toLibrary(again)
    await expect(again.getByRole('button', { name: 'Downloaded', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await expect(again.getByRole('heading', { name: 'Waiting for a connection' })).toBeVisible()
    await expectAccessible(again)
    await again.getByRole('link', { name: 'What the Starlings Kept' }).click()
    const player = new AtThePlayer(again)
    await player.press('Play')
    await player.expectChapter('The roost under the pier')
    await player.expectSound()
    await expect(player.screen.getByText('Playing from downloads')).toBeVisible()
    await player.hearIntoChapter('A good mimic')
    await player.seek(0.5)
    await player.expectSound()
    await player.press('Pause')
  })

  const tunnel = new AtThePlayer(here.pages().at(-1)!)
  const heard = await tunnel.seconds()
  expect(heard).toBeGreaterThan(30)
  // Wait until the position is stored: it may be lost if the page closes within the same instant.
  await expect
    .poll(() => storedSeconds(tunnel.page, 'what-the-starlings-kept'))
    .toBeGreaterThanOrEqual(heard - 1)

  await test.step('with the network back, the next visit sends the places', async () => {
    for (const open of here.pages()) await open.close()
    await here.setOffline(false)
    const back = await here.newPage()
    await back.goto('/library')
    const shopSays = await ShopSays.to(email, shop.url)
    await expect
      .poll(async () => (await shopSays.place('what-the-starlings-kept'))?.seconds)
      .toBeGreaterThanOrEqual(heard - 1)
    await expect(back.getByText(/on this device, saved as soon as/)).toBeHidden()
  })

  await test.step('another device resumes at the exact place', async () => {
    const elsewhere = await openPage(
      await device({ viewport: DESKTOP, of: email }),
      '/audiobooks/what-the-starlings-kept',
    )
    const player = await playFromBookPage(elsewhere)
    await player.expectChapter('A good mimic')
    // Resumes up to five seconds earlier, to find back into the sentence, but never before the last seek (PLAY-06).
    const found = await player.seconds()
    expect(found).toBeGreaterThanOrEqual(heard - 7)
    expect(found).toBeLessThanOrEqual(heard + 2)
    await player.expectSound()
  })
})

async function toLibrary(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Library' }).click()
  // Wait for the library: until it opens, home shows the same titles with links to their pages.
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
}
