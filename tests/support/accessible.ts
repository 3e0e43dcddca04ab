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

/** What a colour scheme can change; everything else of a page is the same by day and by night. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']

export interface Look {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

/**
 * Two runs see structure at both sizes, and colours in both schemes. `npm run test:long` changes the sizes over, so that it
 * sees a desk by day and a phone by night.
 */
export const LOOKS: readonly [Look, Look] = [
  { name: 'by day', viewport: PHONE, colorScheme: 'light' },
  { name: 'by night', viewport: DESKTOP, colorScheme: 'dark' },
]

/** `once` is by day: for a screen whose parts another one shows in every look. `frame` sees each size in each scheme. */
export type Depth = 'once' | 'looks' | 'frame'

/** No violation of WCAG 2.2 AA on a screen of the matrix, which stands where it is while its looks change. */
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

/** A state that only a story reaches, at the size that the story has: by day, and its colours by night. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessibleNow(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNone(page, OF_COLOUR)
}

/** As it is shown now, in one run. */
export const expectAccessibleNow = (page: Page): Promise<void> => expectNone(page, TAGS)

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
  const { notOurs, parts } = await page.evaluate(asItStands)
  const options: RunOptions = {
    runOnly: [...wanted],
    resultTypes: ['violations'],
    rules: Object.fromEntries(notOurs.map((rule) => [rule, { enabled: false }])),
  }
  const looks = parts.map((part) => `${wanted.join()} ${part}`)
  const { violations } = await (page.frames().length > 1
    ? inEveryFrame(page, options)
    : inOnePage(
        page,
        options,
        looks.map((look) => seen.has(look)),
      ))
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`),
    page.url(),
  ).toEqual([])
  for (const look of looks) seen.add(look)
}

/** Headers, footers and tab bars that had no violation: where the very same stands again it is passed over. */
const seen = new Set<string>()

/** What the page's own code is asked before a run: rules that are not ours, and the frame around the screen. */
function asItStands(): { notOurs: string[]; parts: string[] } {
  const open = document.querySelector('[role=dialog], dialog[open], [role=menu]') !== null
  const around = [...document.querySelectorAll('header, footer, nav[data-bar]')]
  return {
    notOurs: [
      // The system's own colours, whose contrast is its own affair.
      ...(matchMedia('(forced-colors: active)').matches ? ['color-contrast'] : []),
      // An open menu lies beside the landmarks, has the focus, and is gone with it.
      ...(document.querySelector('[role=menu]') === null ? [] : ['region']),
    ],
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

/** The small one: the other is a megabyte and a half, which each document would read again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Once to a document, however often it is looked at. */
async function bringAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE)
}
