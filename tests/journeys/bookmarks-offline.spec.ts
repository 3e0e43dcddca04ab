// Covers: bookmarks, listening, player, storage, sync
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

test('a bookmark that is added offline reaches the other device, and its removal comes back', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  const phone = await device({ viewport: PHONE, of: email, worker: true })
  const tablet = await device({ of: email })
  const onPhone = await openPage(phone, '/player/the-lamplighters-ledger')
  const onTablet = await openPage(tablet, '/player/the-lamplighters-ledger')
  // Load the code of the list before going offline.
  const phoneMarks = await openMarks(onPhone)
  await onPhone.keyboard.press('Escape')

  await phone.setOffline(true)
  const player = new AtThePlayer(onPhone)
  await player.chooseChapter('The tide table')
  await player.press('Bookmark this place')
  await onPhone.getByRole('button', { name: 'Add note' }).click()
  await phoneMarks.getByRole('textbox', { name: 'Note' }).fill('From the tunnel')
  await phoneMarks.getByRole('button', { name: 'Save note' }).click()
  await expect(phoneMarks).toContainText('1 change on this device, saved as soon as there is a connection.')

  const tabletMarks = await openMarks(onTablet)
  await expect(tabletMarks).toContainText('Nothing marked yet')
  await phone.setOffline(false)
  // The open list shows the synced bookmark.
  await expect(tabletMarks.getByText('From the tunnel')).toBeVisible()
  await expect(phoneMarks).not.toContainText('saved as soon as')
  await tabletMarks.getByRole('button', { name: /^Remove/ }).click()
  await expect(phoneMarks).toContainText('Nothing marked yet')
})

async function openMarks(page: Page) {
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Bookmarks' }).click()
  const marks = page.getByRole('dialog', { name: 'Bookmarks' })
  await expect(marks).toBeVisible()
  return marks
}

test('a bookmark’s message covers neither the player’s menu nor its button, in portrait, landscape and on a desktop', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  for (const viewport of [PHONE, { width: 844, height: 390 }, DESKTOP]) {
    const page = await (await device({ viewport, of: email })).newPage()
    await page.goto('/player/the-lamplighters-ledger')
    const player = page.getByRole('region', { name: 'Player' })
    const more = player.getByRole('button', { name: 'More' })
    await player.getByRole('button', { name: 'Bookmark this place' }).click()
    const toast = page.getByRole('button', { name: 'Add note' }).locator('..')
    await expect(toast).toContainText('Bookmarked at')
    // It stays visible while the pointer is over it.
    await toast.hover()
    expect(overlaps(await toast.boundingBox(), await more.boundingBox())).toBe(false)
    const place = await more.boundingBox()
    await more.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    // A button that moves while it is pressed is not pressed.
    expect(await more.boundingBox()).toEqual(place)
    await expect(toast).toBeVisible()
    expect(overlaps(await toast.boundingBox(), await page.getByRole('menu').boundingBox())).toBe(false)
  }
})

type Box = { x: number; y: number; width: number; height: number }
function overlaps(one: Box | null, other: Box | null): boolean {
  if (!one || !other) throw new Error('Not on the page')
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}
