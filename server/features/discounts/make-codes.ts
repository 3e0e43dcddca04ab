import { randomInt } from 'node:crypto'
import { DateTime } from 'luxon'
import type { DiscountType } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import { formatPounds } from '../../format.ts'
import { refused } from '../../http/http-errors.ts'
import { counted } from '../../print/table.ts'
import type { Shop } from '../../shop.ts'
import { type DiscountRow, insertCodes, selectTitleIds } from './queries.ts'
import { contradictionIn } from './service.ts'

export const MOST_AT_ONCE = 5_000
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
/** 30 to the power of 8 combinations, too many to guess. */
const RANDOM_LENGTH = 8

export interface DescribedCodes {
  readonly percent?: number | undefined
  /** In pence. */
  readonly amount?: number | undefined
  readonly for?: DiscountType | undefined
  readonly title?: string | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly uses?: number | undefined
  readonly oncePerAccount?: true | undefined
  readonly months?: number | string | undefined
  readonly count?: number | undefined
  readonly prefix?: string | undefined
}

/**
 * One code, or many random single-use ones if none is named. Nothing is stored yet.
 *
 * @throws 422 for what contradicts itself
 */
export async function planCodes(shop: Shop, named: string | undefined, described: DescribedCodes) {
  const { count, prefix = '' } = described
  const codes = named === undefined ? randomCodes(prefix, count ?? 1) : [couponCode(named)]
  for (const code of codes)
    if (!/^\S{1,64}$/.test(code)) throw refused(`“${code}” has spaces, or more than 64 letters.`)
  const row = await describedRow(shop, described, codes[0]!, named === undefined)
  const words = wordsOf(row)
  return {
    codes,
    words,
    about: named === undefined ? 'codes' : `code ${codes[0]}`,
    what: named === undefined ? `${counted(codes.length, 'new code')}: ${words}` : `a new code: ${words}`,
    /** @throws 422 if there is such a code */
    create: async (): Promise<string[]> => {
      const made = await insertCodes(
        shop.db,
        codes.map((code) => ({ ...row, code })),
      )
      if (made.length === 0) throw refused(`There is a code ${codes[0]} already.`)
      return made
    },
  }
}

async function describedRow(
  shop: Shop,
  {
    percent,
    amount,
    title: slug,
    for: type = slug === undefined ? 'all' : 'book',
    ...described
  }: DescribedCodes,
  code: string,
  isMany: boolean,
): Promise<Omit<DiscountRow, 'code'>> {
  const { months, uses = isMany ? 1 : null, oncePerAccount = false } = described
  const durationMonths = typeof months === 'number' ? months : undefined
  const duration =
    months === 'forever' ? ('forever' as const) : durationMonths ? ('repeating' as const) : undefined
  const { shopZone } = shop.config
  const startsAt = dayIn(described.from, shopZone)
  const until = dayIn(described.until, shopZone)
  // The given day is the last day on which the code is valid.
  const endsAt = until && DateTime.fromJSDate(until, { zone: shopZone }).plus({ days: 1 }).toJSDate()
  const wrong = contradictionIn({
    ...{ code, type, percent, book: slug, startsAt, endsAt, duration, durationMonths },
    amount: amount === undefined ? undefined : amount / 100,
  })
  if (wrong) throw refused(wrong)
  const bookIds = slug === undefined ? null : await selectTitleIds(shop.db, slug)
  if (bookIds?.length === 0) throw refused(`There is no title ${slug}.`)
  return {
    ...{ type, startsAt, endsAt, bookIds },
    percent: percent ?? null,
    amountMinor: amount ?? null,
    active: true,
    stoppedAt: null,
    oncePerAccount,
    uses,
    folder: null,
    duration: duration ?? null,
    durationMonths: durationMonths ?? null,
  }
}

function dayIn(said: string | undefined, zone: string): Date | null {
  if (said === undefined) return null
  const at = DateTime.fromISO(said, { zone })
  if (!/^\d{4}-\d\d-\d\d$/.test(said) || !at.isValid)
    throw refused(`A day is written like 2026-12-24, not “${said}”.`)
  return at.toJSDate()
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

const TARGET_WORDS: Readonly<Record<DiscountType, string>> = {
  all: 'everything',
  cheapest_book: 'the cheapest title of a bag',
  book: 'one title',
  subscription: 'memberships',
  monthly: 'monthly memberships',
  yearly: 'yearly memberships',
}

/** `20% off everything, 50 times in all` */
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
    `${off} off ${TARGET_WORDS[type]}`,
    ...(uses === null ? [] : [uses === 1 ? 'once in all' : `${uses} times in all`]),
    ...(duration === 'forever' ? ['for every payment'] : []),
    ...(duration === 'repeating' ? [`for ${counted(durationMonths ?? 1, 'month')}`] : []),
    ...(oncePerAccount ? ['once for each account'] : []),
    ...(endsAt ? ['until its last day is over'] : []),
  ].join(', ')
}
