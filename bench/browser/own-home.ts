import { storedSession } from '#tests/support/stored-session.ts'
import { median } from '../compare.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { slowDown } from './paints.ts'
import { openTab, PHONE } from './phone.ts'

const VISITS = 7
const SHOWN_WITHIN_MS = 500

/** Milliseconds since the page was requested; zero until then. */
interface Shown {
  /** When the title in progress is painted, from the stored markup. */
  shownMs: number
  /** When the app has rendered it. */
  renderedMs: number
}

declare global {
  interface Window {
    titleTimes?: Shown
  }
}

/** Opens the home page of a member with started titles, offline on the slow phone. */
export async function measureOwnHome({ browser, url, slowdown }: MeasuredApp): Promise<Row[]> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: url,
    storageState: await storedSession(url, 'reader@murmur.example'),
  })
  const first = await context.newPage()
  await first.goto('/')
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await first.reload({ waitUntil: 'networkidle' })
  await first.waitForFunction(() => localStorage.getItem('homeSnapshot') !== null)
  await first.close()
  await context.setOffline(true)
  const visits: Shown[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const page = await openTab(context)
    await slowDown(page, slowdown)
    await page.addInitScript(noteTitle)
    await page.goto('/', { waitUntil: 'load' })
    await page.waitForFunction(() => window.titleTimes?.renderedMs)
    visits.push(await page.evaluate(() => window.titleTimes!))
    // The next visit begins when this one has nothing left to do.
    await page.waitForLoadState('networkidle')
    await page.close()
  }
  await context.close()
  const figures = `median of ${VISITS}, slow phone`
  return [
    {
      what: 'a member’s home offline, until the title in progress is painted',
      figures,
      value: median(visits.map(({ shownMs }) => shownMs)),
      unit: 'ms',
      goal: { most: SHOWN_WITHIN_MS },
    },
    {
      what: 'the same, until the app has rendered it',
      figures,
      value: median(visits.map(({ renderedMs }) => renderedMs)),
      unit: 'ms',
      goal: null,
    },
  ]
}

function noteTitle(): void {
  const times = (window.titleTimes = { shownMs: 0, renderedMs: 0 })
  const noteAfterPaint = (name: keyof Shown) =>
    requestAnimationFrame(() => setTimeout(() => (times[name] ||= performance.now())))
  new MutationObserver((_changes, observer) => {
    if (times.shownMs === 0 && document.querySelector('h1')) noteAfterPaint('shownMs')
    if (!document.querySelector('main h1')) return
    observer.disconnect()
    noteAfterPaint('renderedMs')
  }).observe(document, { childList: true, subtree: true })
}
