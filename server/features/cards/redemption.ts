import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import { cardHash, readTyped } from '../../codes/cards.ts'
import type { Db } from '../../db/open.ts'
import { limitedGuess } from '../../codes/find-by-code.ts'
import { notFound, refusedCard } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { ownsBook } from '../library/queries.ts'
import { createOrder, payOrder, freeBasket } from '../orders/service.ts'
import { attributeReader } from '../outlets/service.ts'
import { ratesAt } from '../prices/pricing.ts'
import { type CardRow, lockCard, selectByCode, unredeem, updateCard } from './queries.ts'
import { selectHasPaid } from '../orders/queries.ts'

interface Typed {
  readonly code: string
  /** On the page of one title, codes of other titles count as unknown. */
  readonly spiSin: string | undefined
  readonly address: string
  readonly userId: string | null
}

export interface SoldCard extends CardRow {
  readonly outletName: string
}

/** Changes nothing. @throws 404 for an unknown code or one of another title, 422 if the card was not sold */
export async function lookUpCard(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  typed: Typed,
): Promise<SoldCard> {
  const card = await findSoldCard(shop, typed)
  if (!card || (typed.spiSin !== undefined && card.spiSin !== typed.spiSin)) throw notFound()
  if (!isSold(card)) throw refusedCard(CARD_REFUSALS.notActivated)
  return card
}

export const openAgain = (tx: Db, orderId: string): Promise<string | null> => unredeem(tx, orderId)

/** A free order adds the title to the library. If any step fails, the card is not spent. */
export async function redeem(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { country, ...typed }: Typed & { readonly userId: string; readonly country: string },
): Promise<SoldCard> {
  const { id } = (await lookUpCard(shop, typed)).card
  const { userId } = typed
  return shop.db.transaction(async (tx) => {
    const found = await lockCard(tx, id)
    // It may have been taken back or replaced since the lookup.
    if (!found || found.card.voidedAt) throw notFound()
    if (!isSold(found)) throw refusedCard(CARD_REFUSALS.notActivated)
    const { card, bookId, title, activation } = found
    if (card.redeemedAt)
      throw refusedCard(
        card.redeemedBy === userId ? CARD_REFUSALS.redeemedByYou : CARD_REFUSALS.alreadyRedeemed,
      )
    if (await ownsBook(tx, userId, bookId)) throw refusedCard(CARD_REFUSALS.alreadyOwned)
    const now = shop.clock.now()
    const isUnattributed = !(await selectHasPaid(tx, userId))
    const order = await createOrder(tx, {
      basket: freeBasket(
        { kind: 'title', bookId, format: 'audio_book' },
        title,
        ratesAt(shop.config, country, now),
      ),
      source: null,
      buyer: { userId, country },
      taken: 'card',
      waiver: false,
      now,
    })
    const { refused: undelivered } = await payOrder(tx, shop, order, { type: 'free', last4: null })
    if (undelivered.length > 0) throw refusedCard(CARD_REFUSALS.alreadyOwned)
    await updateCard(tx, card.id, { redeemedAt: now, redeemedBy: userId, orderId: order.id })
    if (isUnattributed) await attributeReader(tx, { userId, outletId: activation!.outletId, at: now })
    await publish(tx, userId, { type: 'library' }, now)
    return { ...found, card: { ...card, redeemedAt: now } }
  })
}

/** Wrong codes, unsold cards and other titles run the same statements and count as guesses (decision 24). */
const findSoldCard = (
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { code, spiSin, address, userId }: Typed,
): Promise<CardRow | undefined> =>
  limitedGuess(
    shop,
    { kind: 'card', address, userId },
    () => selectByCode(shop.db, cardHash(shop.config, readTyped(code))),
    (found) => !found || !isSold(found) || (spiSin !== undefined && found.spiSin !== spiSin),
  )

const isSold = (card: CardRow): card is SoldCard => card.activation !== null && card.outletName !== null
