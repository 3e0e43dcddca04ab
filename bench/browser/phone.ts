import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'

export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}

/**
 * How fast the emulated phone is, in Lighthouse's unit (BenchmarkIndex): its default phone is a desktop of 1,500 to
 * 2,000, slowed down four times. The browser's developer tools call 1,000 a mid-tier phone and 264 a low-tier one.
 */
const PHONE_INDEX = 400
const MEASUREMENTS = 5

/** How many times this machine has to be slowed down to be as fast as the phone. At least 1. */
export async function slowdownOfPhone(browser: Browser): Promise<number> {
  const page = await browser.newPage()
  const indexes: number[] = []
  for (let times = 0; times < MEASUREMENTS; times += 1) indexes.push(await page.evaluate(benchmarkIndex))
  await page.close()
  // The fastest one, because everything else that runs only makes it slower.
  return Math.max(1, Math.max(...indexes) / PHONE_INDEX)
}

/** For how long a finger that taps rests on the glass. Playwright's `tap` lifts it at once. */
const TAP_MS = 80

/** @param x in CSS pixels of the window, as `y` */
export async function tap(page: Page, x: number, y: number): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await wait(TAP_MS)
  await protocol.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await protocol.detach()
}

const SAMPLE_MS = 200
const IDLE_SAMPLES = 2
/** Of one core. */
const IDLE_SHARE = 0.1
const IDLE_WITHIN_MS = 15_000

/**
 * Opens a tab and waits until the browser has nothing to do. A new tab of the whole Chromium renders parts of its own
 * window for up to a second, on both cores, and a page that is opened meanwhile paints up to 600 ms later.
 */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const protocol = await context.browser()!.newBrowserCDPSession()
  const usedSeconds = async () => {
    const { processInfo } = await protocol.send('SystemInfo.getProcessInfo')
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  }
  const end = Date.now() + IDLE_WITHIN_MS
  let used = await usedSeconds()
  for (let idle = 0; idle < IDLE_SAMPLES;) {
    if (Date.now() > end)
      throw new Error(`the browser was still busy ${IDLE_WITHIN_MS} ms after a tab opened`)
    await wait(SAMPLE_MS)
    const now = await usedSeconds()
    idle = now - used < (SAMPLE_MS / 1000) * IDLE_SHARE ? idle + 1 : 0
    used = now
  }
  await protocol.detach()
  return page
}

/** Runs in the page: the mean of strings of 10,000 letters, and copies of 100,000 numbers, in a tenth of a second. */
function benchmarkIndex(): number {
  const perTenth = (work: (turn: number) => void): number => {
    const start = performance.now()
    let turns = 0
    for (; performance.now() - start < 500; turns += 10) for (let turn = 0; turn < 10; turn += 1) work(turn)
    return turns / ((performance.now() - start) / 100)
  }
  const strings = perTenth(() => {
    let text = ''
    for (let letter = 0; letter < 10_000; letter += 1) text += 'a'
    if (text.length === 1) throw new Error('keeps the compiler from leaving the loop out')
  })
  const lists = [0, 1].map(() => Array.from({ length: 100_000 }, (_, n) => n))
  const copies = perTenth((turn) => {
    const from = lists[turn % 2]!
    const to = lists[(turn + 1) % 2]!
    for (let n = 0; n < from.length; n += 1) to[n] = from[n]!
  })
  return (strings + copies) / 2
}
