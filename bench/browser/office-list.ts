import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { joinOffice, LINK_TO_OFFICE, withFingerprint } from '#tests/support/office.ts'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'

const ROWS = 100_000
/** The most that an answer of a list has (`contract/office/office-endpoint.ts`). */
const PAGE = 200
const PRESSES = 10
const LONG_MS = 50

/**
 * Measures the office's list of titles with 100,000 rows: the longest task while all of them are scrolled through, and
 * while rows are selected when they are loaded. The answers repeat the shop's own titles, so that only the browser works.
 */
export async function measureOfficeList(
  { browser, url }: MeasuredApp,
  env: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
  })
  try {
    const page = await withFingerprint(context)
    await joinOffice(page, await linkToOffice(url, env), 'Hana Brodie')
    await listMany(page)
    await page.goto(`${new URL(page.url()).origin}/office/titles`)
    await page.locator('tr[data-row="0"]').waitFor()
    await page.waitForTimeout(2_000)
    const scroll = await longestTaskWhile(page, () => scrollToEnd(page))
    const select = await longestTaskWhile(page, () => selectRows(page))
    return [
      {
        what: `the longest task while the office’s list of ${ROWS.toLocaleString('en-GB')} titles is scrolled through`,
        figures: `${ROWS / PAGE} pages, ${scroll.tasks} tasks above 50 ms`,
        value: scroll.longest,
        unit: 'ms',
        goal: { most: LONG_MS },
      },
      {
        what: 'the same, while single rows are selected, then all, then none',
        figures: `${PRESSES} presses, ${select.tasks} tasks above 50 ms`,
        value: select.longest,
        unit: 'ms',
        goal: { most: LONG_MS },
      },
    ]
  } finally {
    await context.close()
  }
}

/** At `localhost`, because browsers keep passkeys for no IP address. */
async function linkToOffice(url: string, env: Readonly<Record<string, string>>): Promise<string> {
  const invite = ['office', 'invite', 'hana@bench.example', '--role', 'owner']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', ...invite],
    { env: { ...process.env, ...env } },
  )
  const { pathname, hash } = new URL(LINK_TO_OFFICE.exec(stdout)![0])
  return `${url.replace('127.0.0.1', 'localhost')}${pathname}${hash}`
}

async function listMany(page: Page): Promise<void> {
  // The headers, too: the office ignores answers that are not the shop's own.
  const { known, headers } = await page.evaluate(async () => {
    const answer = await fetch('/api/office/titles')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shop's own answer
    const { rows } = (await answer.json()) as { rows: { title: string }[] }
    return { known: rows, headers: { ...Object.fromEntries(answer.headers), 'content-encoding': 'identity' } }
  })
  await page.route(
    ({ pathname }) => pathname === '/api/office/titles',
    (route) => {
      const asked = new URL(route.request().url()).searchParams
      if (asked.get('part') === 'totals')
        return route.fulfill({ headers, json: { rows: [], next: null, total: ROWS, sums: {} } })
      const first = Number(asked.get('after') ?? 0)
      const rows = Array.from({ length: PAGE }, (_, index) => {
        const row = known[(first + index) % known.length]!
        return { ...row, id: first + index + 1, title: `${row.title} ${first + index + 1}` }
      })
      const next = first + PAGE < ROWS ? String(first + PAGE) : null
      return route.fulfill({ headers, json: { rows, next } })
    },
  )
}

async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(async (rows) => {
    const isAtEnd = () => document.querySelector(`tr[data-row="${rows - 1}"]`) !== null
    while (!isAtEnd()) {
      scrollTo(0, document.documentElement.scrollHeight)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    // Some flings through rows that are loaded.
    for (let fling = 0; fling < 40; fling += 1) {
      scrollBy(0, fling < 20 ? -1800 : 1800)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, ROWS)
}

async function selectRows(page: Page): Promise<void> {
  const boxes = page.locator('tr[data-row] input[type=checkbox]')
  for (let press = 0; press < PRESSES; press += 1) {
    await boxes.nth(press + 2).click()
    await page.waitForTimeout(100)
  }
  await page.getByRole('checkbox', { name: /^Select (all|the first) [\d,]+ titles/ }).click()
  await page.waitForTimeout(500)
  await page.keyboard.press('Escape')
  await page.waitForTimeout(500)
}

/**
 * In time of the page's thread, without what it waited for the processor, because a single task is compared with a limit
 * and not with another measure of the same moment.
 */
async function longestTaskWhile(
  page: Page,
  act: () => Promise<void>,
): Promise<{ readonly longest: number; readonly tasks: number }> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Chromium's format
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const pages = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map((event) => threadOf(event)),
  )
  const times = traceEvents
    .filter((event) => event.name === 'ThreadControllerImpl::RunTask' && pages.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000)
  return {
    longest: times.reduce((longest, time) => Math.max(longest, time), 0),
    tasks: times.filter((time) => time > LONG_MS).length,
  }
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the thread. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}
