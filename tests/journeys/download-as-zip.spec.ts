// Covers: downloads, library, media
import type { Page } from '@playwright/test'
import JSZip from 'jszip'
import { readFile } from 'node:fs/promises'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { soundOf } from '#tests/support/sound-addresses.ts'

const SLUG = 'the-lamplighters-ledger'

test('PLAY-04: download as zip saves every chapter online, and offline those that are on the device', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  const phone = await device({ worker: true, viewport: PHONE, of: email })
  // As in browsers without the File System Access API; the last step tests the other way.
  await phone.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  const page = await openPage(phone, `/player/${SLUG}`)
  const player = new AtThePlayer(page)
  await player.expectChapter('The tide table')

  const whole = await entriesOf(await savedZip(page, player))
  expect([...whole.keys()].map((name) => name.replace(/^.*\//, ''))).toEqual([
    expect.stringMatching(/^0?1.*tide table.*\.mp3$/i),
    expect.stringMatching(/^0?2.*lamp forty-one.*\.mp3$/i),
    expect.stringMatching(/^0?3.*oranges.*\.mp3$/i),
    expect.stringMatching(/^0?4.*lighting-up time.*\.mp3$/i),
    'cover.jpg',
    'manifest.json',
  ])

  const last = (await soundOf(shop, email, SLUG)).get(4)!
  await phone.route(last, (route) => route.abort('failed'))
  await player.press('Download book')
  await player.press('Chapters')
  const sheet = page.getByRole('dialog', { name: 'Chapters' })
  await expect(sheet.getByRole('button', { name: /Oranges.*downloaded/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await phone.setOffline(true)

  const here = await entriesOf(await savedZip(page, player))
  expect([...here.keys()]).toEqual(['01 The tide table.mp3', '02 Lamp forty-one.mp3', '03 Oranges.mp3'])
  // Byte for byte the same audio as in the server's zip.
  expect([...here.values()]).toEqual([...whole.values()].slice(0, 3))

  await test.step('writes straight into a file if the browser can', async () => {
    await page.evaluate(() => {
      const picker = async ({ suggestedName }: { suggestedName: string }) => {
        const folder = await navigator.storage.getDirectory()
        return folder.getFileHandle(suggestedName, { create: true })
      }
      Object.assign(globalThis, { showSaveFilePicker: picker })
    })
    await chooseZip(page, player)
    const size = () =>
      page.evaluate(async (name) => {
        const folder = await navigator.storage.getDirectory()
        return (await (await folder.getFileHandle(name, { create: true })).getFile()).size
      }, `${SLUG}.zip`)
    await expect.poll(size).toBeGreaterThan(100_000)
    const bytes = await page.evaluate(async (name) => {
      const file = await (await (await navigator.storage.getDirectory()).getFileHandle(name)).getFile()
      return [...new Uint8Array(await file.arrayBuffer())]
    }, `${SLUG}.zip`)
    expect(await entriesOf(Buffer.from(bytes))).toEqual(here)
  })
})

async function chooseZip(page: Page, player: AtThePlayer): Promise<void> {
  await player.press('More')
  await page.getByRole('menuitem', { name: 'Download as zip' }).click()
}

async function savedZip(page: Page, player: AtThePlayer): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), chooseZip(page, player)])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
  return readFile(await download.path())
}

/** The entries by name, in the order of the archive. */
async function entriesOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await JSZip.loadAsync(bytes)
  const entries = Object.values(zip.files).filter(({ dir }) => !dir)
  return new Map(
    await Promise.all(entries.map(async (entry) => [entry.name, await entry.async('base64')] as const)),
  )
}
