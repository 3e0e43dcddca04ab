import type { BusinessTime, RealTime } from '../../clock.ts'
import { couponCode } from '#contract/limits.ts'
import type { DiscountRefusal } from '#contract/messages.ts'
import type { Db } from '../../db/open.ts'
import { type Limit, limitedLookup } from '../../rate-limiting/rate-limit.ts'
import { refusedCode } from '../../http/http-errors.ts'
import { type Line, type Reduction, touchedBy } from '../prices/pricing.ts'
import {
  countTaken,
  countUses,
  type DiscountRow,
  lockUses,
  selectDiscount,
  selectDiscounts,
} from './queries.ts'
import { PLANS } from '#contract/plans.ts'
import type { Kind, Sold } from '../products/product.ts'
import type { DiscountType } from '#contract/discounts.ts'

export const findDiscount = (db: Db, typed: string): Promise<DiscountRow | undefined> =>
  selectDiscount(db, couponCode(typed))

/** True if the code is active now, even if all its uses are taken. */
export const isActive = ({ active, stoppedAt, startsAt, endsAt }: DiscountRow, now: BusinessTime): boolean =>
  active && stoppedAt === null && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now)

export async function listCodes(db: Db, now: BusinessTime): Promise<{ row: DiscountRow; taken: number }[]> {
  const codes: { row: DiscountRow; taken: number }[] = []
  for (const row of await selectDiscounts(db))
    codes.push({ row, taken: await countTaken(db, row.code, { source: null, now }) })
  return codes
}

export type ResolvedCode =
  | { readonly row: DiscountRow; readonly reduction: Reduction }
  | { readonly refused: DiscountRefusal }

interface CodeContext {
  /** Null for a visitor: whether the account has used the code is checked after the log-in. */
  readonly userId: string | null
  readonly lines: readonly Line[]
  /** What a use is reserved for: a bag, a gift, or the account that joins. */
  readonly source: string | null
  readonly now: BusinessTime
}

/** The effect of a code on a basket, or the reason why it cannot be used (OP-39). */
export async function resolveCode(
  db: Db,
  typed: string,
  { userId, lines, source, now }: CodeContext,
): Promise<ResolvedCode> {
  const row = await findDiscount(db, typed)
  if (!row || !isActive(row, now) || (await isUsedUp(db, row, { source, now })))
    return { refused: 'discount_not_valid' }
  const kind = lines[0]?.sold.kind ?? 'title'
  const reduction = reductionOf(row, kind)
  const missing = touchedBy(reduction, lines).size === 0 ? nothingReduced(row, kind) : null
  // Checked before `discount_already_used`, so that guesses count towards the limit.
  if (missing === 'discount_not_valid') return { refused: missing }
  if (row.oncePerAccount && userId !== null && (await countUses(db, row.code, userId)) > 0)
    return { refused: 'discount_already_used' }
  return missing === null ? { row, reduction } : { refused: missing }
}

export const isUsedUp = async (
  db: Db,
  { code, uses }: Pick<DiscountRow, 'code' | 'uses'>,
  asking: { readonly source: string | null; readonly now: BusinessTime },
): Promise<boolean> => uses !== null && (await countTaken(db, code, asking)) >= uses

/** Long enough to pay, and short because another buyer may be waiting for the use. */
const RESERVED_MS = 30 * 60_000

/** The caller stores the returned end in the same transaction. @throws 422 for a code that is used up */
export async function reserveUse(
  tx: Db,
  code: string,
  asking: { readonly source: string; readonly now: BusinessTime },
): Promise<Date> {
  const uses = await lockUses(tx, code)
  if (uses !== undefined && (await isUsedUp(tx, { code, uses }, asking)))
    throw refusedCode('discount_not_valid')
  return new Date(asking.now.getTime() + RESERVED_MS)
}

/** Only unknown codes count: a buyer who knows a code may check it without limit. */
const UNKNOWN_CODES: Limit = { name: 'discount code of', most: 20, windowSeconds: 3600 }

/** `who` is an account's id, or else an IP address. */
export const lookUpCode = <T>(
  db: Db,
  { who, now }: { who: string; now: RealTime },
  look: () => Promise<T>,
  isUnknown: (found: T) => boolean,
): Promise<T> => limitedLookup(db, { limit: UNKNOWN_CODES, who, now }, look, isUnknown)

export const wasUsedBy = async (db: Db, code: string, userId: string): Promise<boolean> =>
  (await countUses(db, code, userId)) > 0

interface Target extends Pick<Reduction, 'of'> {
  readonly covers: (sold: Sold, code: Pick<DiscountRow, 'bookIds'>) => boolean
  readonly missing: DiscountRefusal
}

const isTitle = ({ kind }: Sold): boolean => kind === 'title'
/** The API calls a code for memberships 'not valid' for books. */
const membershipThat = (fits: (plan: { monthly: boolean; yearly: boolean }) => boolean): Target => ({
  of: 'each',
  covers: (sold) =>
    sold.kind === 'membership' && Object.values(PLANS).some((plan) => plan.id === sold.plan && fits(plan)),
  missing: 'discount_not_valid',
})

const TARGETS = {
  all: { of: 'total', covers: isTitle, missing: 'discount_nothing_left' },
  cheapest_book: { of: 'cheapest', covers: isTitle, missing: 'discount_nothing_left' },
  book: {
    of: 'each',
    covers: (sold, { bookIds }) => sold.kind === 'title' && (bookIds ?? []).includes(sold.bookId),
    missing: 'discount_not_for_this_bag',
  },
  subscription: membershipThat(() => true),
  monthly: membershipThat(({ monthly }) => monthly),
  yearly: membershipThat(({ yearly }) => yearly),
} satisfies Record<DiscountRow['type'], Target>

type CodeTerms = Pick<DiscountRow, 'type' | 'percent' | 'amountMinor' | 'bookIds'>

/** A code of type `all` also applies to plans, and then without rounding to pounds (DISC-10). */
export function reductionOf(
  { type, percent, amountMinor, bookIds }: CodeTerms,
  kind: Kind = 'title',
): Reduction {
  const { of, covers }: Target =
    type === 'all' && kind === 'membership' ? TARGETS.subscription : TARGETS[type]
  return { of, covers: (sold) => covers(sold, { bookIds }), percent, amountMinor }
}

const nothingReduced = ({ type }: Pick<DiscountRow, 'type'>, kind: Kind): DiscountRefusal =>
  kind === 'membership' ? 'discount_not_valid' : TARGETS[type].missing

interface DescribedCode {
  readonly code: string
  readonly type: DiscountType
  readonly percent?: number | undefined
  /** In pounds. */
  readonly amount?: number | undefined
  readonly book?: string | undefined
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly duration?: 'once' | 'repeating' | 'forever' | undefined
  readonly durationMonths?: number | undefined
}

export function contradictionIn(given: DescribedCode): string | undefined {
  const { code, type, percent, amount, book, startsAt, endsAt, duration, durationMonths } = given
  if ((percent === undefined) === (amount === undefined))
    return `“${code}” needs either “percent” or “amount”, in pounds.`
  if ((type === 'book') !== (book !== undefined))
    return `“${code}” needs a “book” exactly where its type is book.`
  if (startsAt && endsAt && endsAt <= startsAt) return `“${code}” ends before it starts.`
  if (duration !== undefined && (type === 'book' || type === 'cheapest_book'))
    return `“${code}”: “duration” is for memberships, and this code is for books.`
  if ((duration === 'repeating') !== (durationMonths !== undefined))
    return `“${code}” needs “durationMonths” exactly where its “duration” is repeating.`
  if (type === 'yearly' && durationMonths !== undefined && durationMonths % 12 !== 0)
    return `“${code}” is for years, so that its “durationMonths” are whole years, 12, 24 or more.`
  return undefined
}
