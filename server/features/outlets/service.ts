import type { BusinessTime, RealTime } from '../../clock.ts'
import { DateTime } from 'luxon'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import type { Db, Database } from '../../db/open.ts'
import { notFound, refused, refusedCard } from '../../http/http-errors.ts'
import { shareOf, vatIn } from '../prices/pricing.ts'
import {
  shareLockOutlet,
  insertLine,
  insertReader,
  selectLineOfActivation,
  insertCommission,
  selectEarningLines,
  type Sums,
  insertOutlet,
  insertStaff,
  lockOutlet,
  moveAccount,
  type OutletRow,
  selectOutletNamed,
  updateOutlet,
} from './queries.ts'
import { randomBytes } from 'node:crypto'
import { hashPassword } from '../account/passwords.ts'
import { logOutEverywhere } from '../account/service.ts'

/** How long the bookshop earns commission for a reader. */
const READER_MONTHS = 24
interface Sale {
  readonly activationId: string
  readonly outletId: string
  readonly title: string
  readonly ending: string
  readonly priceMinor: number
  readonly vatPercent: number
  readonly at: BusinessTime
}

/** Of every bookshop without terms of its own: the defaults of the table. */
const USUAL_TERMS = { discountPercent: 60, commissionPercent: 10 }

/** What a card brings a bookshop, as its sale and a later purchase are settled. */
export const cardSumOf = (priceMinor: number, vatPercent: number) => ({
  invoicedMinor: shareOf(priceMinor, 100 - USUAL_TERMS.discountPercent),
  commissionMinor: shareOf(priceMinor - vatIn(priceMinor, vatPercent), USUAL_TERMS.commissionPercent),
})

export async function sellCard(
  tx: Db,
  { activationId, outletId, title, ending, priceMinor, vatPercent, at }: Sale,
): Promise<void> {
  const outlet = await shareLockOutlet(tx, outletId)
  if (!outlet) throw notFound()
  if (outlet.closedAt) throw refusedCard(CARD_REFUSALS.bookshopClosed)
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

export async function attributeReader(
  tx: Db,
  { userId, outletId, at }: { userId: string; outletId: string; at: BusinessTime },
): Promise<void> {
  const until = DateTime.fromJSDate(at, { zone: 'utc' }).plus({ months: READER_MONTHS }).toJSDate()
  await insertReader(tx, { userId, outletId, since: at, until })
}

/** In the payment's transaction, rounded half up. A negative `amountMinor` is owed by the shop. */
export async function earnCommission(
  tx: Db,
  order: { orderId: string; userId: string; now: BusinessTime },
): Promise<void> {
  const lines = await selectEarningLines(tx, order)
  const earned = lines.map((line) => ({ ...line, amountMinor: -shareOf(line.netMinor, line.percent) }))
  await insertCommission(tx, earned, order.now)
}

export interface StatementTotals extends Sums {
  keepsMinor: number
  /** Negative if the shop owes the bookshop. */
  toPayMinor: number
}

export const totalsOf = (sums: Sums): StatementTotals => ({
  ...sums,
  keepsMinor: sums.soldMinor - sums.owedMinor + sums.commissionMinor,
  toPayMinor: sums.owedMinor - sums.commissionMinor,
})

const isAddress = (email: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)

interface Opening {
  readonly name: string
  readonly email: string
  readonly slug: string
  readonly discountPercent: number
  readonly commissionPercent: number
  readonly now: RealTime
}

/** The password is random until the staff choose one. */
export async function addOutlet(
  db: Database,
  { email, now, ...outlet }: Opening,
): Promise<{ name: string; slug: string }> {
  if (!isAddress(email)) throw refused(`“${email}” isn’t an email address.`)
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'), { one: 'outlets' })
  return db.transaction(async (tx) => {
    const id = await insertOutlet(tx, { ...outlet, createdAt: now })
    if (!id) throw refused(`There is a bookshop ${outlet.slug} already. Name another with --slug.`)
    if (!(await insertStaff(tx, { email, passwordHash, outletId: id, name: outlet.name, now })))
      throw refused(`${email} has an account already. A bookshop needs one of its own.`)
    return outlet
  })
}

interface Change {
  readonly slug: string
  readonly discountPercent?: number
  readonly commissionPercent?: number
  readonly email?: string
}

/** New terms apply from the next sale on. A new email address needs a new password and ends the sessions. */
export async function changeOutlet(
  db: Database,
  { slug, email, ...terms }: Change,
  now: RealTime,
): Promise<OutletRow> {
  if (email !== undefined && !isAddress(email)) throw refused(`“${email}” isn’t an email address.`)
  const passwordHash =
    email && (await hashPassword(randomBytes(32).toString('base64url'), { one: 'outlets' }))
  return db.transaction(async (tx) => {
    const known = await selectOutletNamed(tx, slug)
    const outlet = known && (await lockOutlet(tx, known.id))
    if (!outlet) throw notFound(`There is no bookshop ${slug}.`)
    if (outlet.closedAt) throw refused(`${outlet.name} is closed.`)
    if (Object.keys(terms).length > 0) await updateOutlet(tx, outlet.id, terms)
    if (email && passwordHash) {
      const userId = await moveAccount(tx, { outletId: outlet.id, email, passwordHash, now })
      if (!userId) throw refused(`${email} has an account already. A bookshop needs one of its own.`)
      await logOutEverywhere(tx, userId, now)
    }
    return { ...outlet, ...terms }
  })
}

/** `Maddern’s & Söhne` → `madderns-sohne`. */
export const slugOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
