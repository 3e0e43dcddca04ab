// Covers: player, app
import type { Page } from '@playwright/test'
import { AtThePlayer, playFromBookPage } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, test } from '#tests/support/journey.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

const OWNER = 'shelf@murmur.example'

test('BOOK-08 BOOK-19: on a desktop an owned book plays in a window of 376 by 813, which plays the sound until it is closed', async ({
  device,
}) => {
  const desktop = await device({ of: OWNER })
  const page = await openPage(desktop, '/audiobooks/a-house-of-sundays')
  const own = await playFromBookPage(page)
  await expect(own.page).toHaveURL('/player/a-house-of-sundays')
  expect(await own.page.evaluate(() => [innerWidth, innerHeight])).toEqual([376, 813])
  await own.expectSound()

  const remote = new AtThePlayer(page)
  await expect(remote.screen).toHaveAttribute('data-display', 'mini')
  await expect(remote.screen.getByRole('button', { name: 'Show the player’s window' })).toBeVisible()
  expect(await silentHere(page)).toBe(true)

  await test.step('the opener’s mini player is its remote control', async () => {
    await remote.press('Pause')
    await own.expectSilence()
    await remote.press('Play')
    await own.expectSound()
    await remote.press('More')
    await page.getByRole('menuitem', { name: 'Chapters' }).click()
    await page.getByRole('dialog', { name: 'Chapters' }).getByRole('button', { name: 'Monday' }).click()
    await own.expectChapter('Monday')
    await own.expectSound()
    await expect(remote.screen).toContainText('3. Monday')
    expect(await silentHere(page)).toBe(true)
  })

  await test.step('its links open in the opener’s tab', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Editions' }).click()
    await expect(page).toHaveURL(/\/editions/)
    await own.press('More')
    await own.page.getByRole('menuitem', { name: 'Go to book page' }).click()
    await expect(page).toHaveURL('/audiobooks/a-house-of-sundays')
  })

  await test.step('closing it returns the place, paused', async () => {
    const heard = await own.seconds()
    await own.page.close()
    await expect(remote.screen.getByRole('button', { name: 'Open the player' })).toBeVisible()
    await expect(remote.screen).toContainText('3. Monday')
    await remote.expectSilence()
    await remote.press('Play')
    await expect.poll(() => soundNow(page)).toMatchObject({ paused: false })
    const { seconds } = await soundNow(page)
    expect(seconds).toBeGreaterThanOrEqual(heard - 1)
  })

  await test.step('reopened, it continues at the same place, and turning the player off closes it', async () => {
    await remote.press(/Open the player/)
    await expect(page).toHaveURL('/player/a-house-of-sundays')
    const heard = await remote.seconds()
    await remote.press('More')
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('menuitem', { name: 'Open in its own window' }).click(),
    ])
    const again = new AtThePlayer(window)
    await again.expectChapter('Monday')
    await again.expectSound()
    expect(await again.seconds()).toBeGreaterThanOrEqual(heard)
    expect(await silentHere(page)).toBe(true)
    const closed = window.waitForEvent('close')
    await remote.press('More')
    await page.getByRole('menuitem', { name: 'Turn off player' }).click()
    await closed
    await expect(remote.screen).toHaveCount(0)
  })
})

test('trap 21: when a second page starts to play, the first stops and writes no more places', async ({
  device,
}) => {
  const desktop = await device({ of: OWNER })
  const first = await openPage(desktop, '/player/a-field-guide-to-small-hours')
  const a = new AtThePlayer(first)
  await a.chooseChapter('Two o’clock')
  await a.expectSound()

  const second = await openPage(desktop, '/player/a-field-guide-to-small-hours')
  const b = new AtThePlayer(second)
  await b.chooseChapter('Four o’clock')
  await b.expectSound()
  await a.expectSilence()
  expect(await silentHere(first)).toBe(true)

  await expect.poll(async () => (await keptPlace(second)).chapter).toBe(3)
  // A page stores its last position when it is hidden or closed, but only if it is still the active player.
  await first.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
  await first.close({ runBeforeUnload: false })
  await b.press('Pause')
  const heard = await b.seconds()
  await expect.poll(async () => Math.abs((await keptPlace(second)).seconds - heard)).toBeLessThanOrEqual(1)
  expect((await keptPlace(second)).chapter).toBe(3)
})

const silentHere = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('audio')].every((audio) => audio.paused))

/** The position of the only book this device has played, from the device's database. */
async function keptPlace(page: Page): Promise<{ chapter: number; seconds: number }> {
  const read = () =>
    page.evaluate(async () => {
      const names = (await indexedDB.databases()).map(({ name = '' }) => name)
      const name = names.find((one) => one.startsWith('murmur-places-'))
      if (!name) return undefined
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(opening.error))
      })
      const asked = db.transaction('places').objectStore('places').get('a-field-guide-to-small-hours')
      const place = await new Promise<{ chapter: number; seconds: number } | undefined>((resolve) =>
        asked.addEventListener('success', () => resolve(asked.result as never)),
      )
      db.close()
      return place
    })
  await expect.poll(read).toBeDefined()
  return (await read())!
}
