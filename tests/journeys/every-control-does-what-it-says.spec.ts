import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { heardPerSecond, soundNow } from '#tests/support/sound-witness.ts'

const READER_OF_MANY = 'shelf@murmur.example'

test('PLAY-02 PLAY-19: back and forward jump 15 seconds, over chapters and never past the book; the speed is the sound’s own', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: READER_OF_MANY })
  const page = await openPage(phone, '/player/nine-winters')
  const player = new AtThePlayer(page)
  await player.chooseChapter('The first winter')
  await player.press('Pause')
  await seekTo(player, 20)

  await player.press('Forward 15 seconds')
  await expect.poll(() => player.seconds()).toBe(35)
  await player.press('Back 15 seconds')
  await expect.poll(() => player.seconds()).toBe(20)
  await player.press('Back 15 seconds')
  await player.press('Back 15 seconds')
  await expect.poll(() => player.seconds()).toBe(0)
  await player.expectChapter('The first winter')

  await player.press('Next chapter')
  await player.expectChapter('The second winter')
  await expect.poll(() => player.seconds()).toBe(0)
  await player.press('Back 15 seconds')
  await player.expectChapter('The first winter')
  const length = await chapterLength(player)
  await expect.poll(() => player.seconds()).toBeGreaterThanOrEqual(Math.floor(length - 15))

  await player.chooseChapter('The ninth winter')
  await player.press('Pause')
  const last = Math.floor(await chapterLength(player))
  await seekTo(player, last - 5)
  await player.press('Forward 15 seconds')
  await player.press('Forward 15 seconds')
  await expect.poll(() => player.seconds()).toBeGreaterThanOrEqual(last)
  await player.expectChapter('The ninth winter')
  await expect(player.screen.getByText('−0:00')).toBeVisible()

  const rate = async () => (await soundNow(page)).rate
  await player.chooseChapter('The first winter')
  await expect.poll(() => heardPerSecond(page)).toBeCloseTo(1, 0)
  await player.press('1× Speed')
  const sheet = page.getByRole('dialog')
  for (const quick of [0.5, 2, 1.5]) {
    await sheet.getByRole('button', { name: `${quick}×`, exact: true }).click()
    await expect.poll(rate).toBe(quick)
  }
  await sheet.getByRole('button', { name: 'Faster' }).click()
  await expect.poll(rate).toBe(1.6)
  await sheet.getByRole('slider', { name: 'Speed' }).press('ArrowLeft')
  await sheet.getByRole('slider', { name: 'Speed' }).press('ArrowLeft')
  await expect.poll(rate).toBe(1.4)
  await sheet.getByRole('slider', { name: 'Speed' }).press('End')
  await expect.poll(rate).toBe(2)
  await expect(sheet.getByRole('button', { name: 'Faster' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(player.screen.getByRole('button', { name: '2× Speed' })).toBeVisible()
  // Twice as fast to the ear too, not only by the number.
  await expect.poll(() => heardPerSecond(page), { timeout: 30_000 }).toBeCloseTo(2, 0)
})

test('PLAY-03 PLAY-21 PLAY-22: the chosen chapter plays, the book’s page is a press away, and off is off, full and mini', async ({
  device,
}) => {
  const page = await openPage(
    await device({ viewport: PHONE, of: READER_OF_MANY }),
    '/player/eleven-hour-crossing',
  )
  const player = new AtThePlayer(page)
  const sheet = page.getByRole('dialog', { name: 'Chapters' })
  const inOrder = ['The first hour', 'The sixth hour', 'The eleventh hour'].map(
    (title, at) => new RegExp(`^${at + 1}${title}`),
  )
  const bookPage = '/audiobooks/eleven-hour-crossing'

  await player.press('Chapters')
  await expect(sheet.getByRole('listitem')).toHaveText(inOrder)
  await sheet.getByRole('button', { name: 'The eleventh hour' }).click()
  await expect(sheet).toBeHidden()
  await player.expectChapter('The eleventh hour')
  await player.expectSound()

  await test.step('from the full player to the book’s page, over which it goes on, mini', async () => {
    await choose(page, player, 'Go to book page')
    await expect(page).toHaveURL(bookPage)
    await expect(page.getByRole('heading', { level: 1, name: 'Eleven Hour Crossing' })).toBeVisible()
    await expect(player.screen).toHaveAttribute('data-display', 'mini')
    expect((await soundNow(page)).paused).toBe(false)

    await choose(page, player, 'Chapters')
    await expect(sheet.getByRole('listitem')).toHaveText(inOrder)
    await expect(sheet.getByRole('button', { name: 'The eleventh hour' })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await sheet.getByRole('button', { name: 'The sixth hour' }).click()
    await expect(player.screen).toContainText('2. The sixth hour')
    await expect.poll(async () => (await soundNow(page)).seconds, { intervals: [100] }).toBeGreaterThan(1)
  })

  await test.step('from elsewhere as well, and off with it', async () => {
    await page.getByRole('link', { name: 'Murmur' }).first().click()
    await expect(page).toHaveURL('/')
    await choose(page, player, 'Go to book page')
    await expect(page).toHaveURL(bookPage)
    await choose(page, player, 'Turn off player')
    await expect(player.screen).toHaveCount(0)
    expect(await soundNow(page)).toMatchObject({ paused: true, source: '' })
  })

  await test.step('off from the full player', async () => {
    await page.goto('/player/eleven-hour-crossing')
    await player.press('Play')
    await player.expectSound(1)
    await choose(page, player, 'Turn off player')
    await expect(page).toHaveURL(bookPage)
    await expect(player.screen).toHaveCount(0)
    expect(await soundNow(page)).toMatchObject({ paused: true, source: '' })
  })
})

test('keys steer the player while it has focus, until the settings switch them off', async ({ device }) => {
  const context = await device({ of: READER_OF_MANY })
  const page = await openPage(context, '/player/the-orchard-at-low-tide')
  const player = new AtThePlayer(page)
  await player.chooseChapter('Spring tide')
  await player.press('Pause')
  await seekTo(player, 20)
  const at = () => player.seconds()
  const press = (key: string) => player.screen.press(key)
  const dialog = page.getByRole('dialog')
  const see = async (name: string | RegExp) => {
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }

  await press('ArrowRight')
  await expect.poll(at).toBe(35)
  await press('ArrowLeft')
  await expect.poll(at).toBe(20)
  await press('Shift+ArrowRight')
  await player.expectChapter('The grafting knife')
  await press('Shift+ArrowLeft')
  await player.expectChapter('Spring tide')
  await press('ArrowDown')
  await expect.poll(async () => (await soundNow(page)).volume).toBeCloseTo(0.9)
  await press('ArrowUp')
  await expect.poll(async () => (await soundNow(page)).volume).toBe(1)
  await press('m')
  await expect.poll(async () => (await soundNow(page)).volume).toBe(0)
  await press('m')
  await expect.poll(async () => (await soundNow(page)).volume).toBe(1)
  await press('>')
  await expect(player.screen.getByRole('button', { name: '1.1× Speed' })).toBeVisible()
  await press('<')
  await expect(player.screen.getByRole('button', { name: '1× Speed' })).toBeVisible()
  await press('c')
  await see('Chapters')
  await press('s')
  await see('Sleep timer')
  await press('?')
  await see('Keyboard shortcuts')
  await press('b')
  await expect(page.getByText(/^Bookmarked at/)).toBeVisible()
  await press(' ')
  await player.expectSound(1)
  await press(' ')
  await player.expectSilence()

  await page.goto('/settings')
  await page.getByRole('switch', { name: 'Keyboard shortcuts for the player' }).click()
  await page.goto('/player/the-orchard-at-low-tide')
  await player.expectChapter('Spring tide')
  const before = await at()
  await press('ArrowRight')
  await press('c')
  await press(' ')
  await press('Shift+ArrowRight')
  await expect(dialog).toHaveCount(0)
  await player.expectChapter('Spring tide')
  expect(await at()).toBe(before)
  expect((await soundNow(page)).paused).toBe(true)
})

test('a bookmark is made with one press, taken back with one, given a note, and leads back to its place', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: READER_OF_MANY })
  const page = await openPage(phone, '/player/tin-whistle-winter')
  const player = new AtThePlayer(page)
  await player.chooseChapter('Grace notes')
  await player.press('Pause')
  await seekTo(player, 12)

  await player.press('Bookmark this place')
  await expect(page.getByText('Bookmarked at 0:12')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  const openList = () => choose(page, player, 'Bookmarks')
  const sheet = page.getByRole('dialog', { name: 'Bookmarks' })
  await openList()
  await expect(sheet.getByText('Nothing marked yet.')).toBeVisible()
  await page.keyboard.press('Escape')

  await player.press('Bookmark this place')
  await page.getByRole('button', { name: 'Add note' }).click()
  await sheet.getByRole('textbox', { name: 'Note' }).fill('The whistle, and who made it')
  await sheet.getByRole('button', { name: 'Save note' }).click()
  await expect(sheet.getByText('The whistle, and who made it')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.reload()
  await player.chooseChapter('The wrong parcel')
  await player.press('Pause')
  await openList()
  await sheet.getByRole('button', { name: /Grace notes.*The whistle, and who made it/ }).click()
  await player.expectChapter('Grace notes')
  await expect.poll(() => player.seconds()).toBe(12)

  await openList()
  await sheet.getByRole('button', { name: /^Remove Grace notes/ }).click()
  await expect(sheet.getByText('Nothing marked yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(sheet.getByText('The whistle, and who made it')).toBeVisible()
})

async function choose(page: Page, player: AtThePlayer, entry: string): Promise<void> {
  await player.press('More')
  await page.getByRole('menuitem', { name: entry }).click()
}

const scrubber = (player: AtThePlayer) => player.screen.getByRole('slider', { name: 'Position in chapter' })
const chapterLength = async (player: AtThePlayer) => Number(await scrubber(player).getAttribute('max'))

/** By keys, a multiple of five from the chapter's beginning or its end; the mouse is another journey's. */
async function seekTo(player: AtThePlayer, seconds: number): Promise<void> {
  await scrubber(player).fill(String(seconds))
  await expect.poll(() => player.seconds()).toBe(seconds)
}
