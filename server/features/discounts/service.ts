import { couponCode } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { Db } from '../../db/open.ts'
import { type Limit, limitedLookup } from '../../rate-limiting/rate-limit.ts'
import { refused } from '../../http/http-errors.ts'
import { type Line, type Reduction, touchedBy } from '../prices/reckon.ts'
import {
  countTaken,
  countUses,
  deleteUse,
  type DiscountRow,
  insertUse,
  lockUses,
  selectDiscount,
  selectDiscounts,
  updateStopped,
} from './queries.ts'
import { missingFor, reductionOf } from './code-targets.ts'

/** Finds a code in upper or lower case; undefined for an unknown one. */
export const findDiscount = (db: Db, typed: string): Promise<DiscountRow | undefined> =>
  selectDiscount(db, couponCode(typed))

/** True if the code is active now, even if all its uses are taken. */
export const isActive = ({ active, stoppedAt, startsAt, endsAt }: DiscountRow, now: Date): boolean =>
  active && stoppedAt === null && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now)

/** For the shop's owner: every code, with the number of its uses that are taken or reserved. */
export async function everyCode(db: Db, now: Date): Promise<{ row: DiscountRow; taken: number }[]> {
  const codes: { row: DiscountRow; taken: number }[] = []
  for (const row of await selectDiscounts(db))
    codes.push({ row, taken: await countTaken(db, row.code, { source: null, now }) })
  return codes
}

/**
 * Stops a code, also if it is imported again later; an order that awaits payment keeps its discount. Null activates the
 * code again.
 */
export const stopCode = (db: Db, code: string, stoppedAt: Date | null): Promise<void> =>
  updateStopped(db, code, stoppedAt)

export type Judged =
  | { readonly row: DiscountRow; readonly reduction: Reduction }
  | { readonly refused: string }

interface Basket {
  /** Null for a visitor: whether the account has used the code is checked after the log-in. */
  readonly userId: string | null
  readonly lines: readonly Line[]
  /** What a use is reserved for: a bag, a gift, or the account that joins. */
  readonly source: string | null
  readonly now: Date
}

/** The effect of a code on a basket, or the reason why it cannot be used, in the API's words (OP-39). */
export async function judge(db: Db, typed: string, { userId, lines, source, now }: Basket): Promise<Judged> {
  const row = await findDiscount(db, typed)
  if (!row || !isActive(row, now) || (await isUsedUp(db, row, { source, now })))
    return { refused: MESSAGES.discountNotValid }
  const kind = lines[0]?.sold.kind ?? 'title'
  const reduction = reductionOf(row, kind)
  const missing = touchedBy(reduction, lines).size === 0 ? missingFor(row, kind) : null
  // Checked before 'already used', so that guesses count towards the limit.
  if (missing === MESSAGES.discountNotValid) return { refused: missing }
  if (row.oncePerAccount && userId !== null && (await countUses(db, row.code, userId)) > 0)
    return { refused: MESSAGES.discountAlreadyUsed }
  return missing === null ? { row, reduction } : { refused: missing }
}

/** True if all uses of a code are taken or reserved, without the use that `source` has reserved. */
export const isUsedUp = async (
  db: Db,
  { code, uses }: Pick<DiscountRow, 'code' | 'uses'>,
  asking: { readonly source: string | null; readonly now: Date },
): Promise<boolean> => uses !== null && (await countTaken(db, code, asking)) >= uses

/** Long enough to pay, and short because another buyer may be waiting for the use. */
const RESERVED_MS = 30 * 60_000

/**
 * Reserves a use of a code for an order or membership that is about to await payment. It counts under the code's lock,
 * so that concurrent requests never get more uses than are left.
 *
 * @throws 422 for a code that is used up
 * @returns the end of the reservation, which the caller stores with the order or the membership in the same transaction
 */
export async function reserveUse(
  tx: Db,
  code: string,
  asking: { readonly source: string; readonly now: Date },
): Promise<Date> {
  const uses = await lockUses(tx, code)
  if (uses !== undefined && (await isUsedUp(tx, { code, uses }, asking)))
    throw refused(MESSAGES.discountNotValid)
  return new Date(asking.now.getTime() + RESERVED_MS)
}

/** Only unknown codes count: a buyer who knows a code may check it without limit. */
const UNKNOWN_CODES: Limit = { name: 'discount code of', most: 20, windowSeconds: 3600 }

/**
 * Looks up a typed code within that limit. `who` is an account's id, or else an IP address.
 * @throws 429 over the limit
 */
export const lookAtCode = <T>(
  db: Db,
  { who, now }: { who: string; now: Date },
  look: () => Promise<T>,
  isUnknown: (found: T) => boolean,
): Promise<T> => limitedLookup(db, { limit: UNKNOWN_CODES, who, now }, look, isUnknown)

export const wasUsedBy = async (db: Db, code: string, userId: string): Promise<boolean> =>
  (await countUses(db, code, userId)) > 0

/** An order that used a code was refunded in full: the code can be used again. */
export const forgetUse = (tx: Db, orderId: string): Promise<void> => deleteUse(tx, orderId)

/** Records that a paid order used a code. Safe to repeat. */
export const noteUse = (
  tx: Db,
  use: { code: string; userId: string | null; orderId: string; usedAt: Date },
): Promise<void> => insertUse(tx, use)
