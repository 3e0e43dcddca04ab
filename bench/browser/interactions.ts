import type { Page } from '@playwright/test'
import { storedSession } from '#tests/support/stored-session.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { slowDown } from './paints.ts'
import { PHONE, tap } from './phone.ts'

const MOST_MS = 150
const PRESSES = 8
/** The share of visits that Interaction to Next Paint is defined by (web.dev/articles/inp). */
const SHARE = 0.75
/** About as fast as a person; long enough for the paint that an interaction waits for. */
const PAUSE_MS = 900
/** From the first cover to a page that has loaded everything. */
const SETTLES_MS = 2_500

interface EventTiming extends PerformanceEntry {
  readonly interactionId: number
}

interface Interaction {
  readonly what: string
  readonly path: string
  readonly of?: string
  readonly pressed: Pressed
}

/** The element at this index, from 0, of those that match the selector. */
interface Pressed {
  readonly selector: string
  readonly index: number
}

/** The browser's own share of a press: no page can be faster. */
const EMPTY_PAGE = `data:text/html,<meta name=viewport content="width=device-width"><button
  onclick="document.querySelector('p').textContent = 'pressed'">Press</button><p>Nothing`

const INTERACTIONS: readonly Interaction[] = [
  { what: 'a button of an empty page', path: EMPTY_PAGE, pressed: { selector: 'button', index: 0 } },
  { what: 'a book in a list', path: '/audiobooks', pressed: { selector: 'main li a', index: 1 } },
  {
    what: 'a sample on a cover',
    path: '/audiobooks',
    pressed: { selector: 'main button[aria-label^="Play a sample"]', index: 0 },
  },
  {
    what: 'the bag',
    path: '/audiobooks/the-lamplighters-ledger',
    pressed: { selector: 'header button[aria-label^="Shopping bag"]', index: 0 },
  },
  {
    what: 'a cover in the library',
    path: '/library',
    of: 'reader@murmur.example',
    pressed: { selector: 'main li[aria-posinset] a', index: 0 },
  },
]

/**
 * Interaction to next paint on the slow phone: the 75th percentile of visits, each with one press on a freshly loaded
 * page.
 */
export async function measureInteractions(app: MeasuredApp): Promise<Row[]> {
  const rows: Row[] = []
  for (const interaction of INTERACTIONS) {
    const times: number[] = []
    for (let press = 0; press < PRESSES; press += 1) times.push(await timeOf(app, interaction))
    rows.push({
      what: `${interaction.what} pressed, to the next paint, slow phone`,
      figures: `75 % of ${PRESSES} visits, the worst ${Math.max(...times)} ms`,
      value: ofVisits(times),
      unit: 'ms',
      goal: interaction.path === EMPTY_PAGE ? null : { most: MOST_MS },
    })
  }
  return rows
}

/** The 75th percentile of the visits' times. */
export const ofVisits = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * SHARE) - 1]!

async function timeOf(
  { browser, url, slowdown }: MeasuredApp,
  { path, of, pressed }: Interaction,
): Promise<number> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    serviceWorkers: 'block',
    ...(of ? { storageState: await storedSession(url, of) } : {}),
  })
  try {
    const page = await context.newPage()
    await page.goto(path)
    await placeOf(page, pressed)
    // Not until the network is idle: a listener's live stream stays open.
    await page.waitForTimeout(SETTLES_MS)
    await slowDown(page, slowdown)
    await observeInteractions(page)
    const { x, y } = await placeOf(page, pressed)
    await page.waitForTimeout(PAUSE_MS)
    await tap(page, x, y)
    await page.waitForTimeout(PAUSE_MS)
    return await worstInteraction(page)
  } finally {
    await context.close()
  }
}

/**
 * Waits for an element, scrolls to it and returns its middle. Without a locator: once one is used, Playwright listens to
 * every event of the page, which took 10 to 30 ms of a press on the slow phone.
 */
export const placeOf = (page: Page, pressed: Pressed): Promise<{ x: number; y: number }> =>
  page.evaluate(
    ({ selector, index }) =>
      new Promise((resolve) => {
        const look = () => {
          const element = document.querySelectorAll(selector)[index]
          if (!element) return requestAnimationFrame(look)
          element.scrollIntoView({ block: 'nearest' })
          const { x, y, width, height } = element.getBoundingClientRect()
          return resolve({ x: x + width / 2, y: y + height / 2 })
        }
        look()
      }),
    pressed,
  )

/** As the web-vitals library measures Interaction to Next Paint. */
export const observeInteractions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { interactions: seen })
    new PerformanceObserver((list) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the browser has and its types leave out
      for (const entry of list.getEntries() as EventTiming[])
        if (entry.interactionId > 0) seen.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })

export async function worstInteraction(page: Page): Promise<number> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `observeInteractions` has set
  const times = await page.evaluate(() => (window as unknown as { interactions: number[] }).interactions)
  return Math.max(0, ...times)
}
