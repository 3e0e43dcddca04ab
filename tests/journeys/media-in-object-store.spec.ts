// Covers: media, downloads, player, reading, net
import { join } from 'node:path'
import { FolderStore } from '#server/integrations/media/folder-store.ts'
import { moveMedia } from '#server/integrations/media/move.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import { readMedia } from '#server/settings/config.ts'
import { playFromBookPage } from '#tests/support/player-page.ts'
import { soundIsHere } from '#tests/support/device-storage.ts'
import { hearComplaints } from '#tests/support/page-errors.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, Shop, test as journey } from '#tests/support/journey.ts'
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts'
import { download } from '#tests/support/title-actions.ts'

/** A shop whose media are in an object store, to which it redirects its listeners. */
const test = journey.extend<object, { store: ObjectStore }>({
  store: [
    // eslint-disable-next-line no-empty-pattern -- Playwright asks for the pattern
    async ({}, use) => {
      const store = await objectStore()
      await use(store)
      await store.close()
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ store }, use) => {
      const env = { MEDIA_S3_URL: store.url, MEDIA_DELIVERY: 'store' }
      const shop = await Shop.open(env, (dataDir) =>
        moveMedia(
          new FolderStore(join(dataDir, 'media')),
          openMedia(readMedia({ ...env, DATA_DIR: dataDir })),
        ),
      )
      await use(shop)
      await shop.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test('audio and e-books come from an object store of another origin: played, sought, downloaded, played offline, and read', async ({
  shop,
  store,
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('nell') })
  const complaints = await hearComplaints(phone)
  const fetched = () => store.asked.filter(({ byAddress, status }) => byAddress && status < 300).length

  const page = await openPage(phone, '/audiobooks/the-lamplighters-ledger')
  await test.step('a chapter is played and sought in directly from the store', async () => {
    const player = await playFromBookPage(page)
    await player.expectSound()
    expect(fetched()).toBeGreaterThan(0)
    await player.seek(0.6)
    await player.expectSound()
    await player.press('Pause')
  })

  await test.step('an e-book is read and saved under its name', async () => {
    await page.goto('/ebooks/ordinary-weather')
    const before = fetched()
    await page.getByRole('button', { name: 'More for Ordinary Weather' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download e-book' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.epub$/)
    expect(await file.failure()).toBeNull()
    await page.getByRole('link', { name: /^(Read|Continue reading)$/ }).click()
    await expect(page.getByText(/^\d+% · /)).toBeVisible()
    expect(fetched()).toBeGreaterThan(before)
  })

  await test.step('a download comes from the store, and plays offline', async () => {
    await page.goto('/library')
    const before = fetched()
    await download(page, 'The Lamplighter’s Ledger')
    expect(fetched()).toBeGreaterThan(before)
    expect(await soundIsHere(page, 'the-lamplighters-ledger', 1)).toBe(true)
    // This warning is about the reader's frame, whose sandbox is intended.
    expect(complaints.filter((each) => !each.includes('An iframe which has both'))).toEqual([])
    await phone.setOffline(true)
    await page.goto('/audiobooks/the-lamplighters-ledger')
    const player = await playFromBookPage(page)
    await player.expectSound()
    await expect(player.screen.getByText('Playing from downloads')).toBeVisible()
  })
})
