import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { soundOf } from '#tests/support/sound-addresses.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

test.describe.configure({ timeout: 90_000 })

test('PLAY-08: while a chapter plays the next one is stored, and starts without a request', async ({
  shop,
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  const page = await openPage(phone, '/player/what-the-starlings-kept')
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound(1)
  await expect(player.screen.getByText('Streaming')).toBeVisible()

  await player.press('Chapters')
  const sheet = page.getByRole('dialog', { name: 'Chapters' })
  await expect(sheet.getByRole('button', { name: /A good mimic.*downloaded/ })).toBeVisible({
    timeout: 30_000,
  })
  await page.keyboard.press('Escape')
  await player.seek(0.8)
  // Moved, the element asks again for what it held before: once it sounds there, it has been answered.
  await player.expectSound(1)
  await expectBufferedToItsEnd(player)

  await phone.setOffline(true)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await player.expectChapter('A good mimic')
  await player.expectSound()
  await expect(player.screen.getByText('Playing from downloads')).toBeVisible()
  expect(asked.filter((url) => /\/media\/sound|\/api\/audio_books/.test(url))).toEqual([])
})

test('PLAY-09: without the next chapter it says “Loading next chapter”, and goes on when that arrives', async ({
  shop,
  device,
}) => {
  const email = shop.someone('reader')
  const phone = await device({ worker: true, viewport: PHONE, of: email })
  const sounds = await soundOf(shop, email, 'what-the-starlings-kept')
  // Only the first chapter arrives before the tunnel.
  for (const chapter of [2, 3]) await phone.route(sounds.get(chapter)!, (route) => route.abort('failed'))
  const page = await openPage(phone, '/player/what-the-starlings-kept')
  const player = new AtThePlayer(page)
  await player.press('Download book')
  await player.press('Chapters')
  const sheet = page.getByRole('dialog', { name: 'Chapters' })
  await sheet.getByRole('button', { name: 'A good mimic' }).click()
  await player.press('Chapters')
  await expect(sheet.getByRole('button', { name: /The roost.*downloaded/ })).toBeVisible({ timeout: 30_000 })
  await sheet.getByRole('button', { name: 'The roost' }).click()
  await player.expectSound()

  await phone.setOffline(true)
  await player.seek(0.97)
  await player.expectChapter('A good mimic')
  await expect(player.screen.getByText('Loading next chapter')).toBeVisible({ timeout: 15_000 })
  await expect(player.screen.getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-busy', 'true')
  expect((await soundNow(page)).paused).toBe(true)

  await phone.unrouteAll({ behavior: 'ignoreErrors' })
  await phone.setOffline(false)
  await player.expectSound()
  await expect(player.screen.getByText('Loading next chapter')).toBeHidden()
})

test('a chapter that nobody would hand out is asked for again, and then plays', async ({ shop, device }) => {
  const email = shop.someone('reader')
  const phone = await device({ viewport: PHONE, of: email })
  const [first] = (await soundOf(shop, email, 'what-the-starlings-kept')).values()
  let asked = 0
  const page = await openPage(phone, '/')
  await phone.route(first!, async (route) => {
    // The element alone: downloads have their own patience.
    if (route.request().resourceType() !== 'media') return route.continue()
    asked += 1
    return asked < 3 ? route.fulfill({ status: 503, body: 'Not now' }) : route.continue()
  })
  await page.goto('/player/what-the-starlings-kept')
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()
  expect(asked).toBeGreaterThanOrEqual(3)
})

test('a book goes on five seconds before it was left, and says so when it does', async ({ shop, device }) => {
  const phone = await device({ viewport: PHONE, of: shop.someone('reader') })
  const page = await openPage(phone, '/player/the-lamplighters-ledger')
  const player = new AtThePlayer(page)
  await player.expectChapter('Lamp forty-one')
  expect(await player.seconds()).toBe(25)
  await expect(page.getByText(/Picked up at/)).toHaveCount(0)
  await player.press('Play')
  await expect(page.getByText('Picked up at 0:25')).toBeVisible()
})

/** What is streamed has arrived to its last second, so that only the next chapter can be missing. */
async function expectBufferedToItsEnd({ page }: AtThePlayer): Promise<void> {
  const missing = () =>
    page.evaluate(() => {
      const audio = document.querySelector('audio')!
      const { buffered } = audio
      return audio.duration - (buffered.length > 0 ? buffered.end(buffered.length - 1) : 0)
    })
  // To the last byte: what is left would be asked for in the tunnel.
  await expect.poll(missing, { timeout: 30_000 }).toBeLessThan(0.01)
}
