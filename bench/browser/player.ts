import type { Locator, Page } from '@playwright/test'
import { storedSession } from '#tests/support/stored-session.ts'
import { witnessed, witnessSound } from '#tests/support/sound-witness.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './browser.ts'
import { PHONE } from './phone.ts'

const BOOK = { slug: 'what-the-starlings-kept', title: 'What the Starlings Kept' }
const TAPS = 24
const CHANGES = 10

/** A downloaded book: how soon a tap is heard, and how long it is silent between two chapters. */
export async function measurePlayer({ browser, url }: MeasuredApp): Promise<Row[]> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    storageState: await storedSession(url, 'reader@murmur.example'),
  })
  try {
    await witnessSound(context)
    const page = await context.newPage()
    await page.goto('/library')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    await page.getByRole('button', { name: `Download ${BOOK.title}` }).click()
    await page.getByRole('button', { name: `Downloaded, remove ${BOOK.title}` }).waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: BOOK.title }).click()
    await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('region', { name: 'Player' }).waitFor()

    const taps = await tapsToSound(page)
    const gaps = await gapsBetweenChapters(page)
    return [
      row('tap to sound of a downloaded chapter, 95th percentile', taps, 100),
      row('silence between two chapters, 95th percentile', gaps, 50),
    ]
  } finally {
    await context.close()
  }
}

const row = (what: string, times: readonly number[], most: number): Row => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    what,
    figures: `${sorted.length} times, median ${at(0.5).toFixed(0)} ms`,
    value: at(0.95),
    unit: 'ms',
    goal: { most },
  }
}

/** From the finger to the first sound, for chapters chosen here and there. */
async function tapsToSound(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let tap = 0; tap < TAPS; tap++) {
    const chapter = await anotherChapter(page, tap)
    const heard = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          document.addEventListener(
            'click',
            ({ timeStamp: tappedAt }) =>
              document.addEventListener('playing', () => resolve(performance.now() - tappedAt), {
                capture: true,
                once: true,
              }),
            { capture: true, once: true },
          )
        }),
    )
    await chapter.click()
    times.push(await heard)
  }
  return times
}

async function gapsBetweenChapters(page: Page): Promise<readonly number[]> {
  for (let turn = 0; (await witnessed(page)).gapsMs.length < CHANGES; turn++) {
    const { gapsMs } = await witnessed(page)
    await page.evaluate(() => {
      const audio = document.querySelector('audio')!
      audio.currentTime = audio.duration - 0.8
    })
    await page
      .waitForFunction((count) => globalThis.soundWitness.gapsMs.length > count, gapsMs.length, {
        timeout: 4_000,
      })
      // That was the last chapter: from another one on there are more.
      .catch(async () => (await anotherChapter(page, turn)).click())
  }
  return (await witnessed(page)).gapsMs
}

/** One of the chapters that are not playing, in the list that a listener opens. */
async function anotherChapter(page: Page, turn: number): Promise<Locator> {
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Chapters' }).click()
  const others = page.getByRole('dialog', { name: 'Chapters' }).locator('[data-chapter]:not([aria-current])')
  await others.first().waitFor()
  return others.nth(turn % (await others.count()))
}
