// Covers: listening, storage, sync
import type { Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'
import { askForDownload, expectDownloaded } from '#tests/support/title-actions.ts'

test('trap 19: two tabs that come back online send every waiting place exactly once, oldest first', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  const phone = await device({ worker: true, viewport: PHONE, of: email })
  const page = await openPage(phone, '/library')
  await askForDownload(page, 'The Lamplighter’s Ledger')
  await expectDownloaded(page, 'The Lamplighter’s Ledger')
  const other = await openPage(phone, '/library')

  await phone.setOffline(true)
  await page.goto('/player/the-lamplighters-ledger')
  const player = new AtThePlayer(page)
  for (const chapter of ['Oranges', 'The tide table', 'Lamp forty-one']) {
    await player.chooseChapter(chapter)
    await player.seek(0.3)
    await player.expectSound()
  }
  await player.press('Pause')

  const sent: { chapter: number; sequence: number; eventId: string }[] = []
  phone.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/user_chapter_times'))
      sent.push(JSON.parse(request.postData()!))
  })
  await phone.setOffline(false)
  const shopSays = await ShopSays.to(email, shop.url)
  await expect.poll(async () => (await shopSays.place('the-lamplighters-ledger'))?.chapter).toBe(2)
  // Wait for the response: a tab that is closed before it arrives has to send the position again.
  await sendingIsOver(page)
  // Reload each tab: on start it sends pending positions, then fetches all positions.
  for (const tab of [page, other]) {
    const asked = tab.waitForResponse(
      (answer) =>
        answer.request().method() === 'GET' &&
        new URL(answer.url()).pathname === '/api/user_audio_book_times',
    )
    await tab.goto('/library')
    await asked
    await sendingIsOver(tab)
  }
  expect(sent.map(({ chapter }) => chapter)).toEqual([3, 1, 2])
  expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(sent.length)
  expect(sent.map(({ sequence }) => sequence)).toEqual(
    sent.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  )
})

/** While a tab sends, it holds a lock across all tabs. */
const sendingIsOver = (tab: Page) =>
  tab.evaluate(async () => {
    const { held = [] } = await navigator.locks.query()
    for (const { name = '' } of held)
      if (name.startsWith('murmur-outbox-')) await navigator.locks.request(name, () => undefined)
  })
