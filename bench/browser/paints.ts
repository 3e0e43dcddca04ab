import type { Page } from '@playwright/test'
import { openTab, PHONE } from './phone.ts'
import { median } from '../compare.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'

/** A bad connection: 1.6 Mbps, a round trip of 150 ms. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const VISITS = 5

const FIRST_MS = 600
const LARGEST_MS = 1_100
const HOME_KILOBYTES = 350

interface Painted {
  readonly firstMs: number
  readonly largestMs: number
  readonly shift: number
}

export async function measureFirstVisit(app: MeasuredApp, name: string, path: string): Promise<Row[]> {
  // Warm the server's memory first: most visitors get a page that an earlier visitor requested.
  await fetch(app.url + path)
  const visits: Painted[] = []
  for (let visit = 0; visit < VISITS; visit++) visits.push(await visitFirst(app, path))
  const over = `median of ${VISITS}, slow phone`
  return [
    row(`${name}, first paint`, over, median(visits.map(({ firstMs }) => firstMs)), 'ms', FIRST_MS),
    row(`${name}, largest paint`, over, median(visits.map(({ largestMs }) => largestMs)), 'ms', LARGEST_MS),
    row(`${name}, layout shift`, over, median(visits.map(({ shift }) => shift)), '', 0.01),
  ]
}

export async function visitFirst({ browser, url, slowdown }: MeasuredApp, path: string): Promise<Painted> {
  const context = await browser.newContext(PHONE)
  const page = await openTab(context)
  await slowDown(page, slowdown, SLOW_NETWORK)
  await page.goto(url + path, { waitUntil: 'load' })
  const seen = await painted(page)
  await context.close()
  return seen
}

/**
 * Bytes that the first visit to the home page fetches until the network is idle, without the service worker's precache.
 */
export async function measureHomeSize({ browser, url }: MeasuredApp): Promise<Row> {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  let bytes = 0
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(url, { waitUntil: 'networkidle' })
  // The italic font is fetched when the page is idle, at the latest after four seconds.
  await page.waitForTimeout(5_000)
  await page.waitForLoadState('networkidle')
  await context.close()
  return row('home, all that is fetched', 'from the wire', bytes / 1000, 'kB', HOME_KILOBYTES)
}

export async function measureOfflineVisit({ browser, url, slowdown }: MeasuredApp): Promise<Row[]> {
  const context = await browser.newContext(PHONE)
  const first = await context.newPage()
  await first.goto(url)
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await first.reload({ waitUntil: 'networkidle' })
  await first.close()
  await context.setOffline(true)
  const visit = async (slow: boolean): Promise<number> => {
    const page = await openTab(context)
    if (slow) await slowDown(page, slowdown)
    await page.goto(url, { waitUntil: 'load' })
    const { firstMs } = await painted(page)
    await page.close()
    return firstMs
  }
  const times = { asIs: [] as number[], slow: [] as number[] }
  for (let turn = 0; turn < VISITS; turn++) {
    times.asIs.push(await visit(false))
    times.slow.push(await visit(true))
  }
  await context.close()
  return [
    row('repeat visit offline, first paint', `median of ${VISITS}`, median(times.asIs), 'ms', 500),
    row('the same, slow phone', `median of ${VISITS}`, median(times.slow), 'ms', null),
  ]
}

const row = (what: string, figures: string, value: number, unit: Row['unit'], most: number | null): Row => ({
  what,
  figures,
  value,
  unit,
  goal: most === null ? null : { most },
})

export async function slowDown(page: Page, slowdown: number, network?: typeof SLOW_NETWORK): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (!network) return
  await protocol.send('Network.enable')
  await protocol.send('Network.emulateNetworkConditions', network)
}

/** Paint times, once there was no larger paint for a second. */
const painted = (page: Page): Promise<Painted> =>
  page.evaluate(
    () =>
      new Promise<Painted>((resolve) => {
        let firstMs = 0
        let largestMs = 0
        let shift = 0
        const finish = () => resolve({ firstMs, largestMs, shift })
        let quiet = setTimeout(finish, 1_000)
        const watch = (type: string, see: (entry: PerformanceEntry) => void) =>
          new PerformanceObserver((list) => {
            list.getEntries().forEach((entry) => see(entry))
            clearTimeout(quiet)
            quiet = setTimeout(finish, 1_000)
          }).observe({ type, buffered: true })
        watch('paint', ({ name, startTime }) => {
          if (name === 'first-contentful-paint') firstMs = startTime
        })
        watch('largest-contentful-paint', ({ startTime }) => (largestMs = startTime))
        watch('layout-shift', (entry) => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the browser has and its types leave out
          const { value, hadRecentInput } = entry as PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          }
          if (!hadRecentInput) shift += value
        })
      }),
  )
