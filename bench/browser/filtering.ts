import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { observeInteractions, placeOf, worstInteraction } from './interactions.ts'
import { slowDown } from './paints.ts'

const MOST_MS = 150
/** Alternates between filters that every demo shop has. */
const PRESSES = 12
/** Time between presses; about as fast as a person. */
const PAUSE_MS = 400

/** Time from a press on a filter to the next paint, on a computer as slow as the phone. Reports the worst press. */
export async function measureFiltering({ browser, url, slowdown }: MeasuredApp): Promise<Row> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${url}/audiobooks`, { waitUntil: 'networkidle' })
  await slowDown(page, slowdown)
  await observeInteractions(page)
  const press = async (selector: string, index = 0): Promise<void> => {
    const { x, y } = await placeOf(page, { selector, index })
    await page.mouse.click(x, y)
    await page.waitForTimeout(PAUSE_MS)
  }
  await page.evaluate(() => {
    const buttons = Array.from(document.querySelectorAll('button'))
    buttons.find(({ textContent }) => textContent.includes('Show filters'))!.dataset['measured'] = 'show'
  })
  await press('[data-measured=show]')
  await placeOf(page, { selector: 'details', index: 0 })
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
  const value = await worstInteraction(page)
  await context.close()
  return {
    what: 'a filter pressed, to the next paint, slow phone',
    figures: `the worst of ${PRESSES} presses`,
    value,
    unit: 'ms',
    goal: { most: MOST_MS },
  }
}
