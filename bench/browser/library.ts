import type { Page } from '@playwright/test'
import { storedSession } from '#tests/support/stored-session.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { PHONE } from './phone.ts'

const TITLES = 2000
const PRESSES = 8
/** Half of them scroll down, half of them up. */
const FLINGS = 40

/**
 * Measures a library of 2,000 titles: time from a press to its first screen, the longest task of a long scroll, and the
 * number of cards in the page meanwhile.
 */
export async function measureLibrary({ browser, url }: MeasuredApp): Promise<Row[]> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    serviceWorkers: 'block',
    storageState: await storedSession(url, 'reader@murmur.example'),
  })
  try {
    const page = await context.newPage()
    await ownMany(page)
    await page.goto('/library')
    await page.waitForFunction(async () => {
      const stores = await indexedDB.databases()
      return stores.some(({ name }) => name?.startsWith('murmur-places-'))
    })
    await page.waitForTimeout(6_000)
    await page.goto('/', { waitUntil: 'networkidle' })
    const times: number[] = []
    for (let press = 0; press < PRESSES; press += 1) times.push(await pressLibrary(page))
    const { longest, cards } = await scrollThrough(page)
    const sorted = times.toSorted((one, other) => one - other)
    return [
      {
        what: `a press to the first screen of a library of ${TITLES} titles, the worst`,
        figures: `${PRESSES} presses, median ${sorted[Math.floor(PRESSES / 2)]!.toFixed(0)} ms, the first ${times[0]!.toFixed(0)} ms`,
        value: sorted.at(-1)!,
        unit: 'ms',
        goal: { most: 300 },
      },
      {
        what: 'the longest task while it is scrolled through',
        figures: `${FLINGS} flings`,
        value: longest,
        unit: 'ms',
        goal: { most: 50 },
      },
      {
        what: 'cards in the page meanwhile',
        figures: 'the most',
        value: cards,
        unit: '',
        goal: { most: 60 },
      },
    ]
  } finally {
    await context.close()
  }
}

/** Repeats the reader's own titles under different names. */
async function ownMany(page: Page): Promise<void> {
  await page.route('**/api/libraries?**', async (route) => {
    const asked = new URL(route.request().url())
    const size = Number(asked.searchParams.get('itemsPerPage'))
    const first = (Number(asked.searchParams.get('page')) - 1) * size
    asked.searchParams.set('page', '1')
    const answer = await route.fetch({ url: asked.href })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shop's own answer
    const list = (await answer.json()) as { 'hydra:member': Entry[]; 'hydra:totalItems': number }
    const known = list['hydra:member']
    const many = Array.from({ length: Math.max(0, Math.min(size, TITLES - first)) }, (_, at) =>
      another(known[(first + at) % known.length]!, first + at),
    )
    await route.fulfill({
      response: answer,
      json: { ...list, 'hydra:member': many, 'hydra:totalItems': TITLES },
    })
  })
}

interface Entry {
  id: string
  addedAt: string
  audioBook: { slug: string; title: string } | null
  eBook: { slug: string; title: string } | null
}

function another(entry: Entry, number: number): Entry {
  const named = (book: Entry['audioBook']) =>
    book && { ...book, slug: `${book.slug}-${number}`, title: `${book.title} ${number}` }
  return {
    ...entry,
    id: `${entry.id.slice(0, -6)}${String(number).padStart(6, '0')}`,
    addedAt: new Date(Date.UTC(2026, 0, 1) - number * 60_000).toISOString(),
    audioBook: named(entry.audioBook),
    eBook: named(entry.eBook),
  }
}

async function pressLibrary(page: Page): Promise<number> {
  const shown = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        document.addEventListener(
          'click',
          ({ timeStamp: pressedAt }) => {
            const look = () =>
              document.querySelector('main li[aria-posinset] h2')
                ? requestAnimationFrame(() => resolve(performance.now() - pressedAt))
                : requestAnimationFrame(look)
            look()
          },
          { capture: true, once: true },
        )
      }),
  )
  const tabs = page.getByRole('navigation', { name: 'Sections' })
  await tabs.getByRole('link', { name: 'Library' }).click()
  const took = await shown
  await tabs.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return took
}

async function scrollThrough(page: Page): Promise<{ longest: number; cards: number }> {
  await page.goto('/library')
  await page.locator('main li[aria-posinset]').first().waitFor()
  await page.waitForTimeout(2_000)
  return page.evaluate(async (flings) => {
    let longest = 0
    let cards = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ entryTypes: ['longtask'] })
    for (let fling = 0; fling < flings; fling += 1) {
      scrollBy(0, fling < flings / 2 ? 1800 : -1800)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await new Promise((resolve) => setTimeout(resolve, 50))
      cards = Math.max(cards, document.querySelectorAll('main li[aria-posinset]').length)
    }
    scrollTo(0, document.body.scrollHeight)
    await new Promise((resolve) => setTimeout(resolve, 300))
    cards = Math.max(cards, document.querySelectorAll('main li[aria-posinset]').length)
    return { longest, cards }
  }, FLINGS)
}
