import { isDeepStrictEqual } from 'node:util'
import { DateTime } from 'luxon'
import type { MonthContent, MonthList, MonthTitle } from '#contract/office/documents.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import {
  deleteMonth,
  selectLatestMonth,
  selectMarked,
  selectMonth,
  selectMonthAfter,
  selectMonths,
  type MonthRow,
  updateMarks,
  updateStarted,
  updateWords,
  upsertMonth,
} from './months-queries.ts'
import { notifyInstances } from './queries.ts'
import { lockImports } from './vocabulary-queries.ts'

export const MONTH_LISTS: readonly MonthList[] = ['highlights', 'editions']

type Timed = Pick<Shop, 'clock' | 'config'>

/** `2026-12`, in the shop's time zone. */
export const monthNow = ({ clock, config }: Timed): string => monthAt(clock.now(), config.shopZone)

const monthAt = (at: Date, zone: string): string => DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM')

export const startOfMonth = (month: string, { config }: Pick<Shop, 'config'>): Date =>
  DateTime.fromFormat(month, 'yyyy-MM', { zone: config.shopZone }).toJSDate()

/** `December 2026` */
export const monthName = (month: string): string =>
  DateTime.fromFormat(month, 'yyyy-MM', { zone: 'utc', locale: 'en-GB' }).toFormat('LLLL yyyy')

/** A plan. What booksellers say in a month that has begun is shown at once. */
export async function storeMonth(db: Db, month: string, content: MonthContent): Promise<void> {
  const before = await selectMonth(db, month)
  await upsertMonth(db, month, content)
  if (before?.startedAt) await updateWords(db, changedWords(before, content))
}

const wordsIn = ({ highlights, editions }: MonthContent): MonthTitle[] => [
  ...new Map([...highlights, ...editions].map((title) => [title.slug, title])).values(),
]
const changedWords = (before: MonthContent, content: MonthContent): MonthTitle[] => {
  const known = new Map(wordsIn(before).map((title) => [title.slug, title]))
  return wordsIn(content).filter((title) => !isDeepStrictEqual(title, known.get(title.slug)))
}

export const removeMonth = (db: Db, month: string): Promise<void> => deleteMonth(db, month)

/**
 * Makes the plan that decides in a month the shop's: marks and order of its titles, and, when it begins, what
 * booksellers say about them. Without a plan everything stays as it is. The plan wins over folders and each title's
 * own mark, so that the office shows what the shop shows.
 */
export async function followMonth(tx: Transaction, month: string, at: Date): Promise<boolean> {
  const plan = await selectLatestMonth(tx, month)
  if (!plan) return false
  let changed = 0
  if (!plan.startedAt) {
    await updateStarted(tx, plan.month, at)
    changed += await updateWords(tx, wordsIn(plan))
  }
  for (const list of MONTH_LISTS)
    changed += await updateMarks(
      tx,
      list,
      plan[list].map(({ slug }) => slug),
    )
  if (changed > 0) await notifyInstances(tx)
  return changed > 0
}

/** Job: a month begins on its first day, and no import changes its titles. */
export const followMonths = (shop: Pick<Shop, 'db' | 'clock' | 'config' | 'now'>): Promise<boolean> =>
  shop.db.transaction(async (tx) => {
    const month = monthNow(shop)
    if (!(await selectLatestMonth(tx, month))) return false
    await lockImports(tx)
    return followMonth(tx, month, shop.now())
  })

export async function nextMonthToBegin(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  now: Date,
): Promise<Date | null> {
  const month = await selectMonthAfter(db, monthAt(now, config.shopZone))
  return month === null ? null : startOfMonth(month, { config })
}

/** Whether a plan decides which titles are marked now. */
export const currentPlan = (shop: Timed & Pick<Shop, 'db'>): Promise<MonthRow | undefined> =>
  selectLatestMonth(shop.db, monthNow(shop))

/** The plans of this month and later that have a title. */
export async function monthsOf(
  shop: Timed & Pick<Shop, 'db'>,
  slug: string,
): Promise<{ readonly month: string; readonly list: MonthList }[]> {
  const current = (await currentPlan(shop))?.month ?? monthNow(shop)
  return (await selectMonths(shop.db))
    .filter(({ month }) => month >= current)
    .flatMap((plan) =>
      MONTH_LISTS.filter((list) => plan[list].some((title) => title.slug === slug)).map((list) => ({
        month: plan.month,
        list,
      })),
    )
}

const SHOWN_AFTER = 11
const SHOWN_BEFORE = 12

export interface ListedMonth {
  readonly month: string
  readonly state: 'past' | 'current' | 'planned' | 'as-before'
  readonly highlights: string[]
  readonly editions: string[]
}

/** This month and the next eleven, each with what is or would be shown in it, and what was planned before and after. */
export async function listMonths(
  shop: Timed & Pick<Shop, 'db'>,
): Promise<{ readonly months: ListedMonth[]; readonly isPlanned: boolean }> {
  const now = monthNow(shop)
  const plans = await selectMonths(shop.db)
  const known = new Set(plans.map(({ month }) => month))
  const first = DateTime.fromFormat(now, 'yyyy-MM', { zone: 'utc' })
  const coming = Array.from({ length: 1 + SHOWN_AFTER }, (_, index) =>
    first.plus({ months: index }).toFormat('yyyy-MM'),
  )
  const all = [
    ...[...known].filter((month) => month < now).slice(-SHOWN_BEFORE),
    ...coming,
    ...[...known].filter((month) => month > coming.at(-1)!),
  ]
  const marked = {
    highlights: await selectMarked(shop.db, 'highlights'),
    editions: await selectMarked(shop.db, 'editions'),
  }
  return {
    isPlanned: plans.some(({ month }) => month <= now),
    months: all.map((month) => {
      const { highlights, editions } = plans.findLast((plan) => plan.month <= month) ?? marked
      return {
        month,
        state: month < now ? 'past' : month === now ? 'current' : known.has(month) ? 'planned' : 'as-before',
        highlights: highlights.map(({ slug }) => slug),
        editions: editions.map(({ slug }) => slug),
      }
    }),
  }
}
