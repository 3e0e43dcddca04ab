// Covers: storage, sync, downloads, listening
import { chromium, type Page } from '@playwright/test'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workerInCharge } from '#tests/support/service-worker.ts'
import { AtThePlayer, playFromBookPage } from '#tests/support/player-page.ts'
import { storedSeconds } from '#tests/support/device-storage.ts'
import { expect, logIn, PHONE, test } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'
import { download } from '#tests/support/title-actions.ts'
import { journeyBrowser } from '../../tools/browser.ts'

const LEDGER = 'the-lamplighters-ledger'

test('a browser that is killed while it writes places loses none that were stored', async ({ shop }) => {
  const email = shop.someone('nell')
  const profile = mkdtempSync(join(tmpdir(), 'murmur-profile-'))
  const open = () =>
    chromium.launchPersistentContext(profile, {
      executablePath: journeyBrowser(),
      args: ['--no-sandbox', '--disable-gpu'],
      baseURL: shop.url,
      viewport: PHONE,
      serviceWorkers: 'allow',
    })
  try {
    // Log in in an earlier session, because a killed browser may lose the last half minute of its own data.
    const yesterday = await open()
    await logIn(await yesterday.newPage(), email)
    await yesterday.close()

    const before = await open()
    const page = await before.newPage()
    await page.goto('/')
    await workerInCharge(page)
    await page.goto(`/audiobooks/${LEDGER}`)
    await download(page, 'The Lamplighter’s Ledger')
    await before.setOffline(true)
    const player = await playFromBookPage(page)
    await player.chooseChapter('Lighting-up time')
    const stored = await writeManyPlaces(player, page)
    killBrowserOf(profile)

    const after = await open()
    await after.setOffline(true)
    const again = await after.newPage()
    await again.goto(`/audiobooks/${LEDGER}`)
    expect(await storedSeconds(again, LEDGER)).toBeGreaterThanOrEqual(stored)
    await after.setOffline(false)
    await again.goto('/library')
    const shopSays = await ShopSays.to(email, shop.url)
    await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter).toBe(4)
    expect((await shopSays.place(LEDGER))!.seconds).toBeGreaterThanOrEqual(stored - 0.001)
    await after.close()
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** Seeks several times, storing each position, and starts another seek; returns the seconds stored by then. */
async function writeManyPlaces(player: AtThePlayer, page: Page): Promise<number> {
  await player.seek(0.1)
  await player.press('Forward 15 seconds')
  await player.press('Forward 15 seconds')
  await expect.poll(() => storedSeconds(page, LEDGER)).toBeGreaterThan(30)
  const stored = await storedSeconds(page, LEDGER)
  void player.press('Forward 15 seconds').catch(() => undefined)
  return stored
}

/** Kills the browser of this profile with all its processes at once, as a power cut would. */
function killBrowserOf(profile: string) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = commandOf(pid)
    if (command.includes(`--user-data-dir=${profile}`) && !command.includes('--type=')) killGroup(pid)
  }
}

function killGroup(pid: string) {
  try {
    process.kill(-Number(pid), 'SIGKILL')
  } catch (problem) {
    // It was already killed together with its process group.
    if ((problem as NodeJS.ErrnoException).code !== 'ESRCH') throw problem
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
