import type { Locator, Page } from '@playwright/test'
import { storedSession } from '#tests/support/stored-session.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { PHONE } from './phone.ts'

const BOOK = { slug: 'what-the-starlings-kept', title: 'What the Starlings Kept', chapters: 3 }
const TAPS = 24
const CHANGES = 10

/** Measures a downloaded book: the time from a tap to the sound, and the silence between two chapters. */
export async function measurePlayer({ browser, url }: MeasuredApp): Promise<Row[]> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    storageState: await storedSession(url, 'reader@murmur.example'),
  })
  try {
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

/** Milliseconds from the tap to the first sound, for several chapters. */
async function tapsToSound(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let tap = 0; tap < TAPS; tap++) {
    // Never tap the chapter that is playing.
    const chapter = (await chapters(page)).nth((tap + 1) % BOOK.chapters)
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

/**
 * Milliseconds of silence when a chapter ends and the next one starts automatically. Seeks to shortly before the end.
 */
async function gapsBetweenChapters(page: Page): Promise<number[]> {
  const gaps: number[] = []
  while (gaps.length < CHANGES) {
    await (await chapters(page)).first().click()
    for (let change = 1; change < BOOK.chapters; change++) {
      await page.waitForFunction(() => document.querySelector('audio')!.currentTime > 0.3)
      gaps.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              const once = { capture: true, once: true }
              document.addEventListener(
                'ended',
                ({ timeStamp: endedAt }) =>
                  document.addEventListener('playing', () => resolve(performance.now() - endedAt), once),
                once,
              )
              const audio = document.querySelector('audio')!
              audio.currentTime = audio.duration - 0.8
            }),
        ),
      )
    }
  }
  return gaps
}

async function chapters(page: Page): Promise<Locator> {
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Chapters' }).click()
  const list = page.getByRole('dialog', { name: 'Chapters' }).locator('[data-chapter]')
  await list.first().waitFor()
  return list
}
