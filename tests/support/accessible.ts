import AxeBuilder from '@axe-core/playwright'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import { expect, type Page } from '@playwright/test'
import { DESKTOP, PHONE } from './journey.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What a colour scheme can change; everything else of a page is the same by day and by night. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** No violation of WCAG 2.2 AA on what is shown now. */
export const expectAccessible = (page: Page): Promise<void> => expectNone(page, TAGS)

/** By day and by night, without another visit: colours follow the system while the page stands. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNone(page, OF_COLOUR)
}

/** On a phone and on a desk, each by day and by night. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await expectAccessibleInBoth(page)
  }
}

async function expectNone(page: Page, wanted: readonly string[]): Promise<void> {
  const { violations } =
    page.frames().length > 1 ? await inEveryFrame(page, wanted) : await inOnePage(page, wanted)
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`),
  ).toEqual([])
}

/** Brought into the page once, however often it is asked: half a megabyte of script each time was most of the cost. */
async function inOnePage(page: Page, wanted: readonly string[]): Promise<AxeResults> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options: RunOptions = {
    runOnly: [...wanted],
    resultTypes: ['violations'],
    rules: Object.fromEntries((await notOurs(page)).map((rule) => [rule, { enabled: false }])),
  }
  return page.evaluate(
    (asked) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(asked),
    options,
  )
}

async function inEveryFrame(page: Page, wanted: readonly string[]): Promise<AxeResults> {
  const axeBuilder = new AxeBuilder({ page })
  const isTags = wanted === TAGS
  const rules = isTags ? axeBuilder.withTags([...wanted]) : axeBuilder.withRules([...wanted])
  return (isTags ? rules.disableRules(await notOurs(page)) : rules).analyze()
}

const notOurs = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    // The system's own colours, whose contrast is its own affair.
    ...(matchMedia('(forced-colors: active)').matches ? ['color-contrast'] : []),
    // An open menu lies beside the landmarks, has the focus, and is gone with it.
    ...(document.querySelector('[role=menu]') === null ? [] : ['region']),
  ])
