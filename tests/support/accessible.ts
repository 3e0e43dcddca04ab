import axe, { type AxeResults, type FrameContext, type PartialResult, type RunOptions } from 'axe-core'
import { expect, type Frame, type Page } from '@playwright/test'
import { DESKTOP, PHONE } from './journey.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

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

/** What is fading has no contrast of its own yet; what turns for as long as it is there does not count. */
const atRest = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  )

async function expectNone(page: Page, wanted: readonly string[]): Promise<void> {
  await atRest(page)
  const options: RunOptions = {
    runOnly: [...wanted],
    resultTypes: ['violations'],
    rules: Object.fromEntries((await notOurs(page)).map((rule) => [rule, { enabled: false }])),
  }
  const { violations } = await (page.frames().length > 1 ? inEveryFrame : inOnePage)(page, options)
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`),
  ).toEqual([])
}

async function inOnePage(page: Page, options: RunOptions): Promise<AxeResults> {
  await bringAxe(page.mainFrame())
  return page.evaluate((asked) => window.axe.run(asked), options)
}

/** Slower than `inOnePage` by what the frames' findings weigh on their way here and back. */
async function inEveryFrame(page: Page, options: RunOptions): Promise<AxeResults> {
  const parts = await partsOf(page.mainFrame(), { include: [], exclude: [] }, options)
  return page.evaluate(([found, asked]) => window.axe.finishRun(found, asked), [parts, options] as const)
}

/** Each frame looks at itself, then at the frames in it; none is passed over. */
async function partsOf(
  frame: Frame,
  context: FrameContext['frameContext'],
  options: RunOptions,
): Promise<PartialResult[]> {
  await bringAxe(frame)
  const [own, inside] = await frame.evaluate(
    async ([looked, asked]) =>
      [await window.axe.runPartial(looked, asked), window.axe.utils.getFrameContexts(looked, asked)] as const,
    [context, options] as const,
  )
  const parts = [own]
  for (const { frameSelector, frameContext } of inside) {
    const element = await frame.evaluateHandle(
      (selector) => window.axe.utils.shadowSelect(selector),
      frameSelector,
    )
    const child = await element.asElement()!.contentFrame()
    parts.push(...(await partsOf(child!, frameContext, options)))
  }
  return parts
}

/** Once, however often it is asked: half a megabyte of script each time was most of the cost. */
async function bringAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
}

const notOurs = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    // The system's own colours, whose contrast is its own affair.
    ...(matchMedia('(forced-colors: active)').matches ? ['color-contrast'] : []),
    // An open menu lies beside the landmarks, has the focus, and is gone with it.
    ...(document.querySelector('[role=menu]') === null ? [] : ['region']),
  ])
