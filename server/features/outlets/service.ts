import { DateTime } from 'luxon'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import type { Db } from '../../db/open.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { shareOf } from '../prices/service.ts'
import { vatIn } from '../prices/vat.ts'
import {
  shareLockOutlet,
  insertLine,
  insertReader,
  noteCardTitles,
  selectLineOfActivation,
  selectOutletNamed,
} from './queries.ts'

/** Notes titles that came as cards since it last looked, for the page of what is new. */
export const noticeCardTitles = (db: Db, now: Date): Promise<void> => noteCardTitles(db, now)

/** A reader who came by a card is a bookshop's for this long. */
const READER_MONTHS = 24
interface Sale {
  readonly activationId: string
  readonly outletId: string
  readonly title: string
  /** The last four figures of the card's number. */
  readonly ending: string
  readonly priceMinor: number
  /** Cards hold audiobooks: theirs, on the day of the sale. */
  readonly vatPercent: number
  readonly at: Date
}

/** A card went over the counter: the bookshop bought it, on its terms of today. Throws where it has closed. */
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

/** The same card came back over the counter: another line takes the first one back. */
export async function takeBackCard(tx: Db, activationId: string, at: Date): Promise<void> {
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

/** A reader who redeems a card is that bookshop's for a while, unless they are somebody's already. */
export async function attributeReader(
  tx: Db,
  { userId, outletId, at }: { userId: string; outletId: string; at: Date },
): Promise<void> {
  const until = DateTime.fromJSDate(at, { zone: 'utc' }).plus({ months: READER_MONTHS }).toJSDate()
  await insertReader(tx, { userId, outletId, since: at, until })
}

/** By the name that the owner's commands use. */
export const outletNamed = (db: Db, slug: string) => selectOutletNamed(db, slug)
