import type { BusinessTime } from '../../clock.ts'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import { readTyped } from '../../codes/cards.ts'
import { limitedGuess } from '../../codes/find-by-code.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { notFound, unprocessable, refusedCard } from '../../http/http-errors.ts'
import { HOME_COUNTRY } from '../../auth/country.ts'
import type { Shop } from '../../shop.ts'
import { sellCard, takeBackCard } from '../outlets/service.ts'
import { startOfDay } from '../outlets/time-zone.ts'
import { requiresPurchaserEmail } from '../pages/service.ts'
import { ratesAt } from '../prices/pricing.ts'
import {
  type ActivationOfCard,
  type CardRow,
  insertActivation,
  lockCard,
  selectActivation,
  selectActivationsSince,
  selectByNumber,
  updateActivation,
} from './queries.ts'

const TAKE_BACK_MS = 10 * 60_000

interface AtPointOfSale {
  readonly token: string
  readonly outletId: string
  readonly userId: string
  readonly address: string
}

export async function activate(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { buyerEmail, ...typed }: AtPointOfSale & { readonly buyerEmail: string | null },
): Promise<ActivationOfCard> {
  if (buyerEmail === null && (await requiresPurchaserEmail(shop.db)))
    throw unprocessable('buyerEmail', 'Please add the buyer’s email.')
  const { id } = (await findCard(shop, typed)).card
  const { outletId } = typed
  return shop.db.transaction(async (tx) => {
    const found = await lockCard(tx, id)
    if (!found || found.card.voidedAt) throw notFound()
    if (found.onlyOutletId !== null && found.onlyOutletId !== outletId)
      throw refusedCard(CARD_REFUSALS.ofAnotherBookshop)
    if (found.activation) throw refusedCard(CARD_REFUSALS.alreadyActivated)
    const { card, bookId, title, priceMinor } = found
    const at = shop.clock.now()
    const activation = await insertActivation(tx, { cardId: id, outletId, activatedAt: at, buyerEmail })
    const ending = endingOf(card)
    // All bookshops are in the shop's home country.
    const { audiobook: vatPercent } = ratesAt(shop.config, HOME_COUNTRY, at)
    await sellCard(tx, { activationId: activation.id, outletId, title, ending, priceMinor, vatPercent, at })
    if (buyerEmail !== null)
      await queueMail(tx, {
        to: buyerEmail,
        kind: 'card_receipt',
        key: `card_receipt:${activation.id}`,
        data: { title, ending, priceMinor },
      })
    return { activation, card, bookId, priceMinor }
  })
}

/** Safe to repeat. Refused if the card was redeemed or replaced, or after `TAKE_BACK_MS`. */
export async function takeBack(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { id, outletId }: { readonly id: string; readonly outletId: string },
): Promise<ActivationOfCard> {
  return shop.db.transaction(async (tx) => {
    const known = await selectActivation(tx, { id, outletId })
    if (!known) throw notFound()
    await lockCard(tx, known.card.id)
    // Read the row again under the lock: the card may have been redeemed, replaced or taken back meanwhile.
    const found = await selectActivation(tx, { id, outletId })
    if (!found) throw notFound()
    if (found.activation.takenBackAt) return found
    if (found.card.id !== known.card.id || found.card.redeemedAt)
      throw refusedCard(CARD_REFUSALS.alreadyRedeemed)
    const at = shop.clock.now()
    if (at.getTime() >= found.activation.activatedAt.getTime() + TAKE_BACK_MS)
      throw refusedCard(CARD_REFUSALS.tooLate)
    await updateActivation(tx, id, { takenBackAt: at })
    await takeBackCard(tx, id, at)
    const { buyerEmail } = found.activation
    if (buyerEmail !== null)
      await queueMail(tx, {
        to: buyerEmail,
        kind: 'card_taken_back',
        key: `card_taken_back:${id}`,
        data: { ending: endingOf(found.card) },
      })
    return { ...found, activation: { ...found.activation, takenBackAt: at } }
  })
}

export async function findActivation(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  typed: AtPointOfSale,
): Promise<ActivationOfCard> {
  const { card, bookId, priceMinor, activation } = await findCard(shop, typed)
  if (activation?.outletId !== typed.outletId) throw notFound()
  return { activation, card, bookId, priceMinor }
}

export const activationsToday = (
  { db, clock, config }: Pick<Shop, 'db' | 'clock' | 'config'>,
  outletId: string,
): Promise<ActivationOfCard[]> =>
  selectActivationsSince(db, outletId, startOfDay(clock.now(), config.shopZone))

export function takeBackUntil({ activation, card }: ActivationOfCard, now: BusinessTime): Date | null {
  if (activation.takenBackAt || card.redeemedAt || card.voidedAt) return null
  const until = new Date(activation.activatedAt.getTime() + TAKE_BACK_MS)
  return until > now ? until : null
}

export const endingOf = ({ number }: CardRow['card']): string => number.slice(-4)

async function findCard(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { token, userId, address }: AtPointOfSale,
): Promise<CardRow> {
  const found = await limitedGuess(
    shop,
    { kind: 'till', address, userId },
    () => selectByNumber(shop.db, readTyped(token)),
    (card) => card === undefined,
  )
  if (!found) throw notFound()
  return found
}
