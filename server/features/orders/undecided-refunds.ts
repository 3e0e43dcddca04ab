import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { formatPounds } from '../../format.ts'
import { refused } from '../../http/http-errors.ts'
import {
  type Line,
  selectLines,
  insertUndecided,
  markDecided,
  selectOpenUndecided,
  selectUndecidedOf,
  type UndecidedRefund,
} from './queries.ts'

interface RefundMatch {
  readonly lines: readonly Line[]
  readonly undecided: readonly number[]
}

/**
 * An amount pays for the line with exactly this price: those that delivered nothing first, and the owner decides
 * between others. An amount that no line costs is goodwill.
 */
export function matchRefunds(kept: readonly Line[], amounts: readonly number[]): RefundMatch {
  const lines: Line[] = []
  const undecided: number[] = []
  for (const price of new Set(amounts)) {
    const wanted = amounts.filter((amount) => amount === price).length
    const fitting = kept.filter(({ priceMinor }) => priceMinor === price)
    const matched = fitting.length <= wanted ? fitting : fitting.filter(isUnneeded).slice(0, wanted)
    lines.push(...matched)
    const length = Math.min(fitting.length, wanted) - matched.length
    undecided.push(...Array.from({ length }, () => price))
  }
  return { lines, undecided }
}

export const isUnneeded = ({ gift, deliveredId }: Line): boolean => !gift && deliveredId === null

/** Stores that exactly these amounts of an order are undecided. The caller has locked the order. */
export async function storeUndecided(
  tx: Db,
  orderId: string,
  {
    before,
    amounts,
    now,
  }: { before: readonly UndecidedRefund[]; amounts: readonly number[]; now: BusinessTime },
): Promise<void> {
  const added = [...amounts]
  const decided = before.filter(({ amountMinor }) => {
    const place = added.indexOf(amountMinor)
    if (place !== -1) added.splice(place, 1)
    return place === -1
  })
  await markDecided(
    tx,
    decided.map(({ id }) => id),
    now,
  )
  if (added.length > 0)
    await insertUndecided(
      tx,
      added.map((amountMinor) => ({ orderId, amountMinor, foundAt: now })),
    )
}

interface Choice {
  readonly refund: UndecidedRefund
  readonly orderNumber: string
  /** With their numbers on the order, starting at 1. */
  readonly lines: readonly { readonly place: number; readonly title: string }[]
}

/** For the to-do list. An order without a choice, because a dispute has taken back its lines, is left out. */
export async function undecidedChoices(db: Db, limit: number): Promise<Choice[]> {
  const found = await selectOpenUndecided(db, limit)
  if (found.length === 0) return []
  const lines = await selectLines(
    db,
    found.map(({ refund }) => refund.orderId),
  )
  return found
    .map(({ refund, orderNumber }) => ({
      refund,
      orderNumber,
      lines: lines
        .filter((line) => line.orderId === refund.orderId && fits(line, refund))
        .map(({ position, title }) => ({ place: position + 1, title })),
    }))
    .filter((choice) => choice.lines.length > 0)
}

export const fits = (
  { priceMinor, refundedAt }: Pick<Line, 'priceMinor' | 'refundedAt'>,
  { amountMinor }: UndecidedRefund,
): boolean => refundedAt === null && priceMinor === amountMinor

export async function undecidedFor(
  db: Db,
  order: { readonly id: string; readonly number: string },
  line: Pick<Line, 'priceMinor' | 'refundedAt' | 'title'>,
): Promise<UndecidedRefund> {
  const found = (await selectUndecidedOf(db, order.id)).find((refund) => fits(line, refund))
  if (!found) throw refused(`No money of ${order.number} waits to be assigned to ${line.title}.`)
  return found
}

export async function refuseUndecided(
  db: Db,
  order: { readonly id: string; readonly number: string },
  lines: readonly Line[],
): Promise<void> {
  for (const refund of await selectUndecidedOf(db, order.id))
    if (lines.some((line) => fits(line, refund)))
      throw refused(
        `${formatPounds(refund.amountMinor)} of ${order.number} was paid back already, and the shop has yet to say for which title.`,
      )
}
