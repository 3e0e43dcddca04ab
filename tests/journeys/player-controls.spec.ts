// Covers: player, listening
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { heardPerSecond, soundNow } from '#tests/support/sound-witness.ts'

const READER_OF_MANY = 'shelf@murmur.example'

test('PLAY-03 PLAY-19 PLAY-21: chapters, speed, jumps, keys and bookmarks change the actual sound, and off stops it (trap 7)', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: READER_OF_MANY })
  const page = await openPage(phone, '/player/eleven-hour-crossing')
  const player = new AtThePlayer(page)
  const rate = async () => (await soundNow(page)).rate

  await test.step('the chosen chapter plays', async () => {
    await player.press('Chapters')
    const sheet = page.getByRole('dialog', { name: 'Chapters' })
    await expect(sheet.getByRole('listitem')).toHaveText([
      /^1The first hour/,
      /^2The sixth hour/,
      /^3The eleventh hour/,
    ])
    await sheet.getByRole('button', { name: 'The sixth hour' }).click()
    await expect(sheet).toBeHidden()
    await player.expectChapter('The sixth hour')
    await player.expectSound()
  })

  await test.step('double speed is audible, not only displayed, and continues into the next chapter', async () => {
    await player.press('1× Speed')
    await page.getByRole('dialog').getByRole('button', { name: '2×', exact: true }).click()
    await page.keyboard.press('Escape')
    await expect.poll(rate).toBe(2)
    await expect.poll(() => heardPerSecond(page)).toBeCloseTo(2, 0)
    await player.hearIntoChapter('The eleventh hour')
    expect(await rate()).toBe(2)
    await player.press('Pause')
  })

  await test.step('Back and Forward jump 15 seconds, by press and by key', async () => {
    await seekTo(player, 20)
    await player.press('Forward 15 seconds')
    await expect.poll(() => player.seconds()).toBe(35)
    await player.press('Back 15 seconds')
    await expect.poll(() => player.seconds()).toBe(20)
    await player.screen.press('ArrowRight')
    await expect.poll(() => player.seconds()).toBe(35)
    await player.screen.press('ArrowLeft')
    await expect.poll(() => player.seconds()).toBe(20)
    await player.screen.press('ArrowDown')
    await expect.poll(async () => (await soundNow(page)).volume).toBeCloseTo(0.9)
  })

  await test.step('a bookmark with its note and the speed survive a reload, and the bookmark leads back', async () => {
    await player.press('Bookmark this place')
    await page.getByRole('button', { name: 'Add note' }).click()
    const sheet = page.getByRole('dialog', { name: 'Bookmarks' })
    await sheet.getByRole('textbox', { name: 'Note' }).fill('The gulls, and who fed them')
    await sheet.getByRole('button', { name: 'Save note' }).click()
    await expect(sheet.getByText('The gulls, and who fed them')).toBeVisible()

    await page.reload()
    await expect(player.screen.getByRole('button', { name: '2× Speed' })).toBeVisible()
    await player.chooseChapter('The first hour')
    await player.press('Pause')
    await choose(page, player, 'Bookmarks')
    await sheet.getByRole('button', { name: /The eleventh hour.*The gulls, and who fed them/ }).click()
    await player.expectChapter('The eleventh hour')
    await expect.poll(() => player.seconds()).toBe(20)
  })

  await test.step('playback continues on the book’s page until it is turned off', async () => {
    await player.press('Play')
    await player.expectSound()
    expect(await rate()).toBe(2)
    await choose(page, player, 'Go to book page')
    await expect(page).toHaveURL('/audiobooks/eleven-hour-crossing')
    await expect(player.screen).toHaveAttribute('data-display', 'mini')
    expect((await soundNow(page)).paused).toBe(false)
    await choose(page, player, 'Turn off player')
    await expect(player.screen).toHaveCount(0)
    expect(await soundNow(page)).toMatchObject({ paused: true, source: '' })
  })
})

async function choose(page: Page, player: AtThePlayer, entry: string): Promise<void> {
  await player.press('More')
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Seeks by keyboard, in steps of five seconds from the chapter's start or end; another journey uses the mouse. */
async function seekTo(player: AtThePlayer, seconds: number): Promise<void> {
  await player.screen.getByRole('slider', { name: 'Position in chapter' }).fill(String(seconds))
  await expect.poll(() => player.seconds()).toBe(seconds)
}
