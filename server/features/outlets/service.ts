import { DateTime } from 'luxon'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { shareOf } from '../prices/pricing.ts'
import { vatIn } from '../prices/vat.ts'
import { shareLockOutlet, insertLine, insertReader, selectLineOfActivation } from './queries.ts'

/** How long the bookshop earns commission for a reader. */
const READER_MONTHS = 24
interface Sale {
  readonly activationId: string
  readonly outletId: string
  readonly title: string
  readonly ending: string
  readonly priceMinor: number
  /** Cards contain audiobooks only. */
  readonly vatPercent: number
  readonly at: BusinessTime
}

/**
 * On the bookshop's current terms.
 * @throws 404 for an unknown bookshop; 422 if it is closed
 */
export async function sellCard(
  tx: Db,
  { activationId, outletId, title, ending, priceMinor, vatPercent, at }: Sale,
): Promise<void> {
  const outlet = await shareLockOutlet(tx, outletId)
  if (!outlet) throw notFound()
  if (outlet.closedAt) throw refused(CARD_REFUSALS.bookshopClosed)
  const amountMinor = shareOf(priceMinor, 100 - outlet.discountPercent)
  await insertLine(tx, {
    outletId,
    kind: 'card',
    at,
    activationId,
    title,
    ending,
    ofMinor: priceMinor,
    percent: outlet.discountPercent,
    amountMinor,
    vatMinor: vatIn(amountMinor, vatPercent),
  })
}

export async function takeBackCard(tx: Db, activationId: string, at: BusinessTime): Promise<void> {
  const sale = await selectLineOfActivation(tx, activationId)
  if (!sale) return
  const { outletId, title, ending, ofMinor, percent, amountMinor, vatMinor } = sale
  await insertLine(tx, {
    outletId,
    kind: 'card_taken_back',
    at,
    activationId,
    title,
    ending,
    ofMinor: -ofMinor,
    percent,
    amountMinor: -amountMinor,
    vatMinor: -vatMinor,
  })
}

/** Unless the reader is already attributed to a bookshop. */
export async function attributeReader(
  tx: Db,
  { userId, outletId, at }: { userId: string; outletId: string; at: BusinessTime },
): Promise<void> {
  const until = DateTime.fromJSDate(at, { zone: 'utc' }).plus({ months: READER_MONTHS }).toJSDate()
  await insertReader(tx, { userId, outletId, since: at, until })
}
