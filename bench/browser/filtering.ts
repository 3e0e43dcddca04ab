import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { observeInteractions, worstInteraction } from './interactions.ts'
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
  await page.getByRole('button', { name: 'Show filters' }).click()
  const panel = page.getByRole('complementary', { name: 'Filters' })
  const style = panel.locator('details').filter({ has: page.getByRole('heading', { name: 'Style' }) })
  if (!(await style.evaluate((details: HTMLDetailsElement) => details.open)))
    await style.locator('summary').click()
  const filters = style.getByRole('checkbox')
  await page.waitForTimeout(PAUSE_MS)
  const some = Math.min(PRESSES / 2, await filters.count())
  for (const press of Array.from({ length: PRESSES }, (_, n) => n)) {
    await filters.nth(press % some).click()
    await page.waitForTimeout(PAUSE_MS)
  }
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
