// Covers: downloads, storage, sync
import { chromium, type Page } from '@playwright/test'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHOP_HEADER } from '#contract/limits.ts'
import { expect, logIn, PHONE, test } from '#tests/support/journey.ts'
import { askForDownload } from '#tests/support/title-actions.ts'
import { journeyBrowser } from '../../tools/browser.ts'

const MB = 1024 * 1024
const CHAPTER_BYTES = 500 * MB
const MOST_BYTES = 64 * MB
const STARLINGS = 'What the Starlings Kept'

/** A book with one long chapter. Each mebibyte is generated on request, so that it is never in memory as a whole. */
async function oneLongChapter(page: Page): Promise<void> {
  const hash = createHash('sha256')
  for (let index = 0; index < CHAPTER_BYTES / MB; index++) hash.update(piece(index))
  const sha256 = hash.digest('hex')
  await page.route('**/api/audio_books/what-the-starlings-kept', async (route) => {
    const response = await route.fetch()
    const book = await response.json()
    const audioFiles = [{ ...book.audioFiles[0], bytes: CHAPTER_BYTES, sha256 }]
    await route.fulfill({ response, json: { ...book, audioFiles } })
  })
  await page.route('**/media/sound/**', async (route) => {
    const [, first = '0'] = /bytes=(\d+)-/.exec(route.request().headers().range ?? '') ?? []
    await route.fulfill({
      status: 206,
      headers: {
        [SHOP_HEADER]: '1',
        'content-type': 'audio/mpeg',
        'content-range': `bytes ${first}-${Number(first) + MB - 1}/${CHAPTER_BYTES}`,
      },
      body: piece(Number(first) / MB),
    })
  })
}

const piece = (index: number) => Buffer.alloc(MB, index % 251)

/** The peak memory of the page's objects and buffers during `work`, minus what they used before. */
async function peakOf(page: Page, work: () => Promise<void>): Promise<number> {
  const inspector = await page.context().newCDPSession(page)
  await inspector.send('HeapProfiler.collectGarbage')
  const taken = async () => {
    // `backingStorageSize` is the memory of array buffers; the types don't have it yet.
    const usage: { usedSize: number; backingStorageSize?: number } =
      await inspector.send('Runtime.getHeapUsage')
    expect(usage.backingStorageSize).toBeDefined()
    return usage.usedSize + (usage.backingStorageSize ?? 0)
  }
  const before = await taken()
  let peak = before
  let isDone = false
  const done = work().finally(() => (isDone = true))
  while (!isDone) peak = Math.max(peak, await taken())
  await done
  return peak - before
}

if (process.env.LONG)
  test('a chapter of 500 MB is stored and checked within 64 MB', async ({ shop }) => {
    test.setTimeout(900_000)
    const profile = mkdtempSync(join(tmpdir(), 'murmur-profile-'))
    // A browser without a profile folder would keep stored files in memory.
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath: journeyBrowser(),
      args: ['--no-sandbox', '--disable-gpu'],
      baseURL: shop.url,
      viewport: PHONE,
      serviceWorkers: 'block',
    })
    try {
      const page = await browser.newPage()
      await logIn(page, shop.someone('reader'))
      await oneLongChapter(page)
      await page.goto('/audiobooks/what-the-starlings-kept')
      const whole = page.getByRole('button', { name: `Downloaded, remove ${STARLINGS}` })
      const peak = await peakOf(page, async () => {
        await askForDownload(page, STARLINGS)
        await expect(whole).toBeVisible({ timeout: 800_000 })
      })
      console.log(`500 MB were stored and checked with ${Math.round(peak / MB)} MB`)
      expect(peak).toBeLessThan(MOST_BYTES)
    } finally {
      await browser.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  })
