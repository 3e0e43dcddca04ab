import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { AxeResults, FrameContext, PartialResult, RunOptions } from 'axe-core'
import { expect, type Frame, type Page } from '@playwright/test'
import { DESKTOP, PHONE } from './journey.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that depend on the colour scheme; all others give the same result in light and dark mode. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']

export interface Look {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

/**
 * Two runs check structure at both sizes and colours in both schemes. `npm run test:long` swaps the sizes, so that
 * it checks the desktop in light mode and the phone in dark mode.
 */
export const LOOKS: readonly [Look, Look] = [
  { name: 'by day', viewport: PHONE, colorScheme: 'light' },
  { name: 'by night', viewport: DESKTOP, colorScheme: 'dark' },
]

/** `once`: light mode only, for screens whose parts another screen checks. `frame`: each size in each scheme. */
export type Depth = 'once' | 'looks' | 'frame'

/** Expects no violation of WCAG 2.2 AA on a screen of the matrix, at the given sizes and colour schemes. */
export async function expectAccessibleScreen(page: Page, depth: Depth = 'looks'): Promise<void> {
  for (const look of depth === 'once' ? LOOKS.slice(0, 1) : LOOKS) {
    await wear(page, look)
    await expectAccessibleNow(page)
    if (depth !== 'frame') continue
    await wear(page, { ...look, colorScheme: look.colorScheme === 'light' ? 'dark' : 'light' })
    await expectNone(page, OF_COLOUR)
  }
}

export async function wear(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
}

/** For a state that only a journey reaches: checks it at the journey's size, and its colours in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessibleNow(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNone(page, OF_COLOUR)
}

/** Checks the page as it is shown now, in one run. */
export const expectAccessibleNow = (page: Page): Promise<void> => expectNone(page, TAGS)

/** Wait for fades to end, since they change the contrast. Endless animations such as spinners don't count. */
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
  const { notOurs, parts, hasScriptedFrame } = await page.evaluate(asItStands)
  const options: RunOptions = {
    runOnly: [...wanted],
    resultTypes: ['violations'],
    iframes: hasScriptedFrame,
    rules: Object.fromEntries(notOurs.map((rule) => [rule, { enabled: false }])),
  }
  const looks = parts.map((part) => `${wanted.join()} ${part}`)
  const { violations } = await (hasScriptedFrame
    ? inEveryFrame(page, options)
    : inOnePage(
        page,
        options,
        looks.map((look) => seen.has(look)),
      ))
  const found: string[] = []
  for (const { id, nodes } of violations) {
    const wrong: string[] = []
    for (const { target } of nodes) {
      const isOfPage = target.length === 1
      if (id === 'target-size' && isOfPage && !(await isTooSmallInTheMiddle(page, String(target[0]))))
        continue
      wrong.push(target.join(' '))
    }
    if (wrong.length > 0) found.push(`${id}: ${wrong.join('; ')}`)
  }
  expect(found, page.url()).toEqual([])
  for (const look of looks) seen.add(look)
}

/** A bar fixed to an edge may cover part of a target until it is scrolled away: looks at it again there. */
const isTooSmallInTheMiddle = (page: Page, target: string): Promise<boolean> =>
  page.evaluate(async (selector) => {
    document.querySelector(selector)?.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { violations } = await window.axe.run(selector, { runOnly: ['target-size'] })
    return violations.length > 0
  }, target)

/** Headers, footers and tab bars that passed; skip them where exactly the same markup appears again. */
const seen = new Set<string>()

/** Runs in the page before each check: which rules don't apply, the parts around the screen, frames with scripts. */
function asItStands(): { notOurs: string[]; parts: string[]; hasScriptedFrame: boolean } {
  const open = document.querySelector('[role=dialog], dialog[open], [role=menu]') !== null
  const around = [...document.querySelectorAll('header, footer, nav[data-bar]')]
  return {
    notOurs: [
      // In forced-colors mode the operating system chooses the colours.
      ...(matchMedia('(forced-colors: active)').matches ? ['color-contrast'] : []),
      // An open menu lies outside the landmarks; it has the focus and closes when it loses it.
      ...(document.querySelector('[role=menu]') === null ? [] : ['region']),
    ],
    // Nothing can run in a sandboxed preview; the page that it shows has journeys of its own.
    hasScriptedFrame: [...document.querySelectorAll('iframe')].some(
      (one) => !one.hasAttribute('sandbox') || one.sandbox.contains('allow-scripts'),
    ),
    parts: around.map((part) => {
      const { backgroundColor, color, colorScheme } = getComputedStyle(part)
      const hidden = part.closest('[inert], [aria-hidden=true]') !== null
      const night = matchMedia('(prefers-color-scheme: dark)').matches
      const html = part.outerHTML.replaceAll(/_r_\w+_/g, '')
      return [innerWidth, night, open, hidden, backgroundColor, color, colorScheme, html].join(' ')
    }),
  }
}

async function inOnePage(page: Page, options: RunOptions, known: boolean[]): Promise<AxeResults> {
  await bringAxe(page.mainFrame())
  return page.evaluate(
    ([asked, pass]) => {
      const around = [...document.querySelectorAll('header, footer, nav[data-bar]')]
      return window.axe.run({ exclude: around.filter((_, index) => pass[index]) }, asked)
    },
    [options, known] as const,
  )
}

/** Slower than `inOnePage`, because the findings of each frame are sent here and back. */
async function inEveryFrame(page: Page, options: RunOptions): Promise<AxeResults> {
  const parts = await partsOf(page.mainFrame(), { include: [], exclude: [] }, options)
  return page.evaluate(([found, asked]) => window.axe.finishRun(found, asked), [parts, options] as const)
}

/** Checks each frame, then the frames inside it. */
async function partsOf(
  frame: Frame,
  context: FrameContext['frameContext'],
  options: RunOptions,
): Promise<(PartialResult | null)[]> {
  await bringAxe(frame)
  const [own, inside] = await frame.evaluate(
    async ([looked, asked]) => {
      // Both at once: a frame that appears during the check would be one too many for `finishRun`.
      const contexts = window.axe.utils.getFrameContexts(looked, asked)
      return [await window.axe.runPartial(looked, asked), contexts] as const
    },
    [context, options] as const,
  )
  const parts: (PartialResult | null)[] = [own]
  for (const { frameSelector, frameContext } of inside) {
    const element = await frame.evaluateHandle(
      (selector) => window.axe.utils.shadowSelect(selector),
      frameSelector,
    )
    const child = await element.asElement()!.contentFrame()
    // A preview, in which nothing can run: the page itself has journeys of its own.
    const runs = await element.evaluate(
      (one) =>
        !(one instanceof HTMLIFrameElement && one.hasAttribute('sandbox')) ||
        one.sandbox.contains('allow-scripts'),
    )
    parts.push(...(runs ? await partsOf(child!, frameContext, options) : [null]))
  }
  return parts
}

/** The minified build: the full one is 1.5 MB, which each document would parse again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Injects axe once per document. */
async function bringAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE)
}
