import type { Page } from '@playwright/test'
import type { Row } from '../report.ts'
import { observeInteractions, ofVisits, placeOf, worstInteraction } from './interactions.ts'
import type { MeasuredApp } from './measured-app.ts'
import { slowDown } from './paints.ts'
import { openTab, PHONE, tap } from './phone.ts'

const MOST_MS = 150
const VISITS = 8
/** Alternates between filters that every demo shop has. */
const PRESSES = 12
/** Time between presses; about as fast as a person. */
const PAUSE_MS = 400

/** A phone opens the filters in a sheet over the list, a computer in a panel next to it. Both are equally slow. */
const SCREENS = [
  { of: 'phone', look: PHONE, press: tap },
  {
    of: 'computer',
    look: { viewport: { width: 1280, height: 800 } },
    press: (page: Page, x: number, y: number) => page.mouse.click(x, y),
  },
]
type Screen = (typeof SCREENS)[number]

/** Interaction to next paint while filters are pressed: the 75th percentile of visits, of each its worst press. */
export async function measureFiltering(app: MeasuredApp): Promise<Row[]> {
  const rows: Row[] = []
  for (const screen of SCREENS) {
    const worst: number[] = []
    for (let visit = 0; visit < VISITS; visit += 1) worst.push(await worstPress(app, screen))
    rows.push({
      what: `a filter pressed, to the next paint, slow ${screen.of}`,
      figures: `75 % of ${VISITS} visits, of each the worst of ${PRESSES} presses, the worst ${Math.max(...worst)} ms`,
      value: ofVisits(worst),
      unit: 'ms',
      goal: { most: MOST_MS },
    })
  }
  return rows
}

async function worstPress(
  { browser, url, slowdown }: MeasuredApp,
  { look, press: pressAt }: Screen,
): Promise<number> {
  const context = await browser.newContext({ ...look, serviceWorkers: 'block' })
  const page = await openTab(context)
  await page.goto(`${url}/audiobooks`, { waitUntil: 'networkidle' })
  await slowDown(page, slowdown)
  await observeInteractions(page)
  const press = async (selector: string, index = 0): Promise<void> => {
    const { x, y } = await placeOf(page, { selector, index })
    await pressAt(page, x, y)
    await page.waitForTimeout(PAUSE_MS)
  }
  await page.evaluate(() => {
    const buttons = Array.from(document.querySelectorAll('button'))
    buttons.find(({ textContent }) => textContent.includes('Show filters'))!.dataset['measured'] = 'show'
  })
  await press('[data-measured=show]')
  await placeOf(page, { selector: 'details', index: 0 })
  // The sheet moves in.
  await page.waitForTimeout(PAUSE_MS)
  const { boxes, isOpen } = await page.evaluate(() => {
    const groups = Array.from(document.querySelectorAll('details'))
    const group = groups.find((each) => each.querySelector('h2, h3')?.textContent === 'Style')!
    group.dataset['measured'] = 'style'
    return { boxes: group.querySelectorAll('input[type=checkbox]').length, isOpen: group.open }
  })
  if (!isOpen) await press('[data-measured=style] summary')
  const some = Math.min(PRESSES / 2, boxes)
  for (let turn = 0; turn < PRESSES; turn += 1)
    await press('[data-measured=style] input[type=checkbox]', turn % some)
  const worst = await worstInteraction(page)
  await context.close()
  return worst
}
