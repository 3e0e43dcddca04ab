import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const SEEN = [
  ['/', 'Good books, said softly'],
  ['/audiobooks', 'Audiobooks'],
  ['/audiobooks/the-lamplighters-ledger', 'The Lamplighter’s Ledger'],
] as const

test('home, a listing and a book’s page that were seen open without a network; any other says that it needs one', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE })
  const page = await openPage(phone)
  for (const [path, heading] of SEEN) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await page.waitForLoadState('networkidle')
  await phone.setOffline(true)
  for (const [path, heading] of SEEN) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await page.goto('/audiobooks/salt-road-letters')
  await expect(page.getByRole('heading', { level: 1, name: 'This page needs a connection' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await phone.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Salt Road Letters' })).toBeVisible()
})

test('trap 5: sound that streams never passes the worker', async ({ shop, device }) => {
  const page = await openPage(
    await device({ viewport: PHONE, of: shop.someone('nell') }),
    '/player/the-lamplighters-ledger',
  )
  const answers: boolean[] = []
  page.on('response', (response) => {
    if (response.url().includes('/media/sound/')) answers.push(response.fromServiceWorker())
  })
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()
  expect(answers.length).toBeGreaterThan(0)
  expect(answers).not.toContain(true)
})
