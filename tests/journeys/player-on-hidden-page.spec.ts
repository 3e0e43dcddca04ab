// Covers: player, listening, storage, sync
import type { BrowserContext, Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

test('PLAY-11: a player on a hidden page doesn’t update the document, and sends two places a minute', async ({
  shop,
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: shop.someone('reader') })
  await phone.clock.install()
  await countWork(phone)
  const page = await openPage(phone, '/player/the-lamplighters-ledger')
  const player = new AtThePlayer(page)
  // The last chapter, so nothing is prefetched.
  await player.chooseChapter('Lighting-up time')
  await player.seek(0.3)
  await player.expectSound()
  // The offer to go back stays for a while.
  await page.clock.fastForward(60_000)
  await expect(player.screen.getByRole('button', { name: 'Go back' })).toBeHidden()
  await hide(page)
  await laterBy5Seconds(page)

  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`)
  })
  const before = await work(page)
  for (let save = 0; save < 12; save += 1) await laterBy5Seconds(page)
  const after = await work(page)
  expect(after.mutations - before.mutations).toBe(0)
  expect(asked).toEqual(Array<string>(2).fill('POST /api/user_chapter_times'))
  // Twelve saves, and the reads and writes for two responses.
  expect(after.transactions - before.transactions).toBeLessThanOrEqual(12 + 2 * 12)
})

interface Work {
  /** In the document. */
  mutations: number
  /** In all databases of the page. */
  transactions: number
}

declare global {
  var countedWork: Work
}

async function countWork(phone: BrowserContext): Promise<void> {
  await phone.addInitScript(() => {
    const counted: Work = { mutations: 0, transactions: 0 }
    globalThis.countedWork = counted
    new MutationObserver((records) => (counted.mutations += records.length)).observe(document, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    })
    // oxlint-disable-next-line typescript/unbound-method -- called below with its database
    const transaction = IDBDatabase.prototype.transaction
    IDBDatabase.prototype.transaction = function count(...given) {
      counted.transactions += 1
      return transaction.apply(this, given)
    }
  })
}

const work = (page: Page): Promise<Work> => page.evaluate(() => ({ ...globalThis.countedWork }))

/** Hides the page, as when a phone's screen turns off. */
const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** Advances the page's clock by five seconds, and waits for two `timeupdate` events. */
async function laterBy5Seconds(page: Page): Promise<void> {
  await page.clock.fastForward(5_000)
  await page.evaluate(async () => {
    const audio = document.querySelector('audio')!
    for (let tick = 0; tick < 2; tick += 1)
      await new Promise((resolve) => audio.addEventListener('timeupdate', resolve, { once: true }))
  })
}
