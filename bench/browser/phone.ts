import type { Browser } from '@playwright/test'

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
