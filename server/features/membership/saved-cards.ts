import type { SavedCard } from '#contract/payment-methods.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { ifKnown } from '../../integrations/stripe/problems.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { selectCustomer } from './billing-queries.ts'
import { selectUnended } from './queries.ts'
import {
  deleteSavedCard,
  insertSavedCard,
  type SavedCardRow,
  selectSavedCard,
  selectSavedCards,
} from './saved-card-queries.ts'

/** A card as the provider describes it, after a payment or with a subscription. */
interface Card {
  readonly id: string
  readonly brand: string | null
  readonly last4: string | null
  readonly expiresAt: Date | null
}

/** Only for buyers who asked for it. PayPal accounts are never saved. */
export async function saveCard(
  tx: Db,
  userId: string,
  { id, brand, last4, expiresAt }: Card,
  now: BusinessTime,
): Promise<void> {
  if (brand === null || last4 === null || expiresAt === null) return
  await insertSavedCard(tx, { userId, methodId: id, brand, last4, expiresAt, usedAt: now })
}

export async function savedCardsOf({ db, clock }: Shop, userId: string): Promise<SavedCard[]> {
  const now = clock.now()
  return (await selectSavedCards(db, userId)).map((row) => savedCardView(row, now))
}

/** The one that was used last, if it has not expired. */
export async function usableCardOf({ db, clock }: Shop, userId: string): Promise<SavedCardRow | null> {
  const now = clock.now()
  return (await selectSavedCards(db, userId)).find(({ expiresAt }) => expiresAt > now) ?? null
}

/**
 * Detaches it at the provider, except where a membership renews with it.
 * @throws 404 for another account's card
 */
export async function removeSavedCard(shop: Shop, userId: string, id: string): Promise<void> {
  const { db, billing } = shop
  const card = await selectSavedCard(db, userId, id)
  if (!card) throw notFound()
  const customer = await selectCustomer(db, userId)
  const attached = customer === null ? [] : ((await ifKnown(billing.customers.cards(customer))) ?? [])
  // Each time that the card was typed, the provider has another copy of it.
  const copies = attached.filter((each) => isSameCard(each, card))
  const needed = copies.length === 0 ? [] : await payingMemberships(shop, userId)
  for (const copy of copies) if (!needed.includes(copy.id)) await billing.customers.drop(copy.id)
  await deleteSavedCard(db, userId, id)
}

const isSameCard = (one: Card, { brand, last4, expiresAt }: SavedCardRow): boolean =>
  one.brand === brand && one.last4 === last4 && one.expiresAt?.getTime() === expiresAt.getTime()

async function payingMemberships({ db, billing }: Shop, userId: string): Promise<string[]> {
  const methods: string[] = []
  for (const { providerId } of await selectUnended(db, userId)) {
    const found = providerId === null ? undefined : await ifKnown(billing.subscriptions.retrieve(providerId))
    if (found?.method) methods.push(found.method.id)
  }
  return methods
}

/** `expires` is the last month in which it is valid, in UTC. */
function savedCardView({ id, brand, last4, expiresAt }: SavedCardRow, now: BusinessTime): SavedCard {
  const lastDay = new Date(expiresAt.getTime() - 1)
  return {
    '@id': `/api/payment_methods/${id}`,
    '@type': 'PaymentMethod',
    id,
    brand,
    last4,
    expires: lastDay.toISOString().slice(0, 7),
    expired: expiresAt.getTime() <= now.getTime(),
  }
}
