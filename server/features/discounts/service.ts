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

/** A code in whatever case; undefined for an unknown one. */
export const findDiscount = (db: Db, typed: string): Promise<DiscountRow | undefined> =>
  selectDiscount(db, couponCode(typed))

/** True if a code can be used now by anybody, whatever became of its uses. */
export const isActive = ({ active, stoppedAt, startsAt, endsAt }: DiscountRow, now: Date): boolean =>
  active && stoppedAt === null && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now)

/** For whoever runs the shop: every code, with the number of its uses that are gone or reserved. */
export async function everyCode(db: Db, now: Date): Promise<{ row: DiscountRow; taken: number }[]> {
  const codes: { row: DiscountRow; taken: number }[] = []
  for (const row of await selectDiscounts(db))
    codes.push({ row, taken: await countTaken(db, row.code, { source: null, now }) })
  return codes
}

/**
 * Nobody can use it from now on, whatever is imported; an order that waits for its payment keeps what was said. Null starts it
 * again.
 */
export const stopCode = (db: Db, code: string, stoppedAt: Date | null): Promise<void> =>
  updateStopped(db, code, stoppedAt)

export type Judged =
  | { readonly row: DiscountRow; readonly reduction: Reduction }
  | { readonly refused: string }

interface Basket {
  /** Null for a visitor: whether an account used it already is asked once there is one. */
  readonly userId: string | null
  readonly lines: readonly Line[]
  /** A use is reserved for this: a bag, a gift, or the account that joins. */
  readonly source: string | null
  readonly now: Date
}

/** The effect of a code on a basket, or the reason why it cannot be used, in the words of the wire (OP-39). */
export async function judge(db: Db, typed: string, { userId, lines, source, now }: Basket): Promise<Judged> {
  const row = await findDiscount(db, typed)
  if (!row || !isActive(row, now) || (await isUsedUp(db, row, { source, now })))
    return { refused: MESSAGES.discountNotValid }
  const kind = lines[0]?.sold.kind ?? 'title'
  const reduction = reductionOf(row, kind)
  const missing = touchedBy(reduction, lines).size === 0 ? missingFor(row, kind) : null
  // Checked before 'already used', so that guesses count against the limit.
  if (missing === MESSAGES.discountNotValid) return { refused: missing }
  if (row.oncePerAccount && userId !== null && (await countUses(db, row.code, userId)) > 0)
    return { refused: MESSAGES.discountAlreadyUsed }
  return missing === null ? { row, reduction } : { refused: missing }
}

/** True if all uses of a code are gone or reserved, but for what `source` has reserved itself. */
export const isUsedUp = async (
  db: Db,
  { code, uses }: Pick<DiscountRow, 'code' | 'uses'>,
  asking: { readonly source: string | null; readonly now: Date },
): Promise<boolean> => uses !== null && (await countTaken(db, code, asking)) >= uses

/** Long enough to pay; somebody else waits for it. */
const RESERVED_MS = 30 * 60_000

/**
 * Reserves a use for what is about to wait for its payment. Counted under the code's lock, so that those who ask at one
 * moment never get more than are left. Throws 422 for a code that is used up.
 *
 * @returns until when; the caller notes it with the order or the membership, in the same transaction
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

/** Only unknown codes count: whoever knows a code may check it as often as they like. */
const UNKNOWN_CODES: Limit = { name: 'discount code of', most: 20, windowSeconds: 3600 }

/** Looks at a typed code, within that limit; throws 429 beyond it. `who` is an account, else an address. */
export const lookAtCode = <T>(
  db: Db,
  { who, now }: { who: string; now: Date },
  look: () => Promise<T>,
  isUnknown: (found: T) => boolean,
): Promise<T> => limitedLookup(db, { limit: UNKNOWN_CODES, who, now }, look, isUnknown)

/** True if an account has paid with a code before. */
export const wasUsedBy = async (db: Db, code: string, userId: string): Promise<boolean> =>
  (await countUses(db, code, userId)) > 0

/** What an order took with a code went back, all of it: the code can be used again. */
export const forgetUse = (tx: Db, orderId: string): Promise<void> => deleteUse(tx, orderId)

/** Notes that a paid order used a code. Safe to repeat. */
export const noteUse = (
  tx: Db,
  use: { code: string; userId: string | null; orderId: string; usedAt: Date },
): Promise<void> => insertUse(tx, use)
