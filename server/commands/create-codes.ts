import { randomInt } from 'node:crypto'
import { DateTime } from 'luxon'
import { DISCOUNT_TYPES, type DiscountType } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import { type Change, textOf, type Typed } from './owner-command.ts'
import { counted } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../http/http-errors.ts'
import { contradictionIn } from '../features/discounts/service.ts'
import { insertCodes, selectTitleIds, type DiscountRow } from '../features/discounts/queries.ts'

const MOST_AT_ONCE = 5_000
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
/** 30 to the power of 8 combinations, too many to guess. */
const RANDOM_LENGTH = 8

/** `codes make CODE …`, or `codes make --count 50 --prefix PRESS- …` for many single-use codes. */
export async function makeCodes(shop: Shop, typed: Typed): Promise<Change | undefined> {
  const [named, ...more] = typed.words
  const count = numberIn(typed, 'count', 1, MOST_AT_ONCE)
  if (more.length > 0 || (named === undefined) === (count === undefined)) return undefined
  const codes =
    named === undefined ? randomCodes(textOf(typed, 'prefix') ?? '', count ?? 1) : [couponCode(named)]
  for (const code of codes)
    if (!/^\S{1,64}$/.test(code)) throw new BadSetting(`“${code}” has spaces, or more than 64 letters.`)
  const row = await describedRow(shop, typed, codes[0]!, named === undefined)
  return {
    about: named === undefined ? 'codes' : `code ${codes[0]}`,
    what:
      named === undefined
        ? `${counted(codes.length, 'new code')}: ${wordsOf(row)}`
        : `a new code: ${wordsOf(row)}`,
    will: [
      named === undefined
        ? `${counted(codes.length, 'code')} like ${codes[0]}: each takes ${wordsOf(row)}.`
        : `${codes[0]} takes ${wordsOf(row)}.`,
    ],
    carryOut: async () => {
      const made = await insertCodes(
        shop.db,
        codes.map((code) => ({ ...row, code })),
      )
      if (made.length === 0) throw refused(`There is a code ${codes[0]} already.`)
      return { lines: made, json: made }
    },
  }
}

async function describedRow(
  shop: Shop,
  typed: Typed,
  code: string,
  isMany: boolean,
): Promise<Omit<DiscountRow, 'code'>> {
  const slug = textOf(typed, 'title')
  const said = textOf(typed, 'for') ?? (slug === undefined ? 'all' : 'book')
  const type = DISCOUNT_TYPES.find((each) => each === said)
  if (!type) throw new BadSetting(`--for is one of ${DISCOUNT_TYPES.join(', ')}, not “${said}”.`)
  const percent = numberIn(typed, 'percent', 1, 100)
  const amount = textOf(typed, 'amount')
  if (amount !== undefined && !/^(?!0+(\.0+)?$)\d{1,4}(\.\d\d)?$/.test(amount))
    throw new BadSetting(`--amount is written 5.00, not “${amount}”.`)
  const months = textOf(typed, 'months')
  const durationMonths = months === 'forever' ? undefined : numberIn(typed, 'months', 1, 120)
  const duration =
    months === 'forever' ? ('forever' as const) : durationMonths ? ('repeating' as const) : undefined
  const { shopZone } = shop.config
  const startsAt = dayIn(typed, 'from', shopZone)
  const until = dayIn(typed, 'until', shopZone)
  // The given day is the last day on which the code is valid.
  const endsAt = until && DateTime.fromJSDate(until, { zone: shopZone }).plus({ days: 1 }).toJSDate()
  const wrong = contradictionIn({
    ...{ code, type, percent, book: slug, startsAt, endsAt, duration, durationMonths },
    amount: amount === undefined ? undefined : Number(amount),
  })
  if (wrong) throw new BadSetting(`${wrong} npm run codes -- --help says how it is written.`)
  const bookIds = slug === undefined ? null : await selectTitleIds(shop.db, slug)
  if (bookIds?.length === 0) throw refused(`There is no title ${slug}.`)
  return {
    ...{ type, startsAt, endsAt, bookIds },
    percent: percent ?? null,
    amountMinor: amount === undefined ? null : Math.round(Number(amount) * 100),
    active: true,
    stoppedAt: null,
    oncePerAccount: typed.values['once-per-account'] === true,
    uses: numberIn(typed, 'uses', 1, 1_000_000) ?? (isMany ? 1 : null),
    folder: null,
    duration: duration ?? null,
    durationMonths: durationMonths ?? null,
  }
}

function numberIn(typed: Typed, option: string, least: number, most: number): number | undefined {
  const said = textOf(typed, option)
  if (said === undefined) return undefined
  const number = Number(said)
  if (!Number.isInteger(number) || number < least || number > most)
    throw new BadSetting(`--${option} is a whole number from ${least} to ${most}, not “${said}”.`)
  return number
}

function dayIn(typed: Typed, option: string, zone: string): Date | null {
  const said = textOf(typed, option)
  if (said === undefined) return null
  const day = DateTime.fromISO(said, { zone })
  if (!/^\d{4}-\d\d-\d\d$/.test(said) || !day.isValid)
    throw new BadSetting(`--${option} is a day like 2026-12-24, not “${said}”.`)
  return day.toJSDate()
}

function randomCodes(prefix: string, count: number): string[] {
  const codes = new Set<string>()
  while (codes.size < count)
    codes.add(
      couponCode(
        prefix + Array.from({ length: RANDOM_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
      ),
    )
  return [...codes]
}

const FOR: Readonly<Record<DiscountType, string>> = {
  all: 'everything',
  cheapest_book: 'the cheapest title of a bag',
  book: 'one title',
  subscription: 'memberships',
  monthly: 'memberships by the month',
  yearly: 'memberships by the year',
}

function wordsOf({
  type,
  percent,
  amountMinor,
  uses,
  oncePerAccount,
  endsAt,
  duration,
  durationMonths,
}: Omit<DiscountRow, 'code'>): string {
  const off = percent === null ? formatPounds(amountMinor ?? 0) : `${percent}%`
  return [
    `${off} off ${FOR[type]}`,
    ...(uses === null ? [] : [uses === 1 ? 'once in all' : `${uses} times in all`]),
    ...(duration === 'forever' ? ['for every payment'] : []),
    ...(duration === 'repeating' ? [`for ${counted(durationMonths ?? 1, 'month')}`] : []),
    ...(oncePerAccount ? ['once for each account'] : []),
    ...(endsAt ? ['until its last day is over'] : []),
  ].join(', ')
}
