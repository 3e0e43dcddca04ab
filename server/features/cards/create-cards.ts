import { cardHash, newCardCode, newCardNumber, readTyped, isWholeCard } from '../../codes/cards.ts'
import type { Database, Db } from '../../db/open.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { selectOutletNamed } from '../outlets/queries.ts'
import {
  insertBatch,
  insertCards,
  lockCard,
  moveActivation,
  selectAnyByNumber,
  selectBatchBook,
  selectTitle,
  updateCard,
  voidUnsoldCards,
  selectBatches,
  selectByCode,
  selectByEnding,
  type CardRow,
} from './queries.ts'
import { formatPounds } from '../../format.ts'

/** Only here is the code available; the database stores its hash. */
export interface PrintedCard {
  readonly number: string
  readonly code: string
}

export interface Maker {
  readonly db: Database
  readonly config: Pick<Shop['config'], 'codeKey'>
  readonly now: () => Date
}

export interface Made {
  readonly batch: number
  readonly slug: string
  readonly title: string
  readonly priceMinor: number
  readonly coverId: string | null
  readonly backgroundColour: string | null
  readonly textColour: string | null
}

interface CardsRequest {
  readonly slug: string
  readonly count: number
  readonly outletSlug?: string
  readonly priceMinor?: number
}

const CARDS_PER_INSERT = 1000

/** `take` receives each card once, up to 1,000 at a time, before the commit; if it throws, none is created. */
export async function makeCards(
  { db, config, now }: Maker,
  { slug, count, outletSlug, priceMinor: askedPriceMinor }: CardsRequest,
  take: (cards: readonly PrintedCard[], made: Made) => Promise<void>,
): Promise<Made> {
  const book = await selectTitle(db, slug)
  if (!book) throw notFound(`There is no audiobook ${slug}.`)
  if (!book.availableAsCard)
    throw refused(
      `${book.title} is not available as a card. Say so in its book.json, "audiobook": { "availableAsCard": true }, and import it again.`,
    )
  const outlet = outletSlug === undefined ? undefined : await selectOutletNamed(db, outletSlug)
  if (outletSlug !== undefined && !outlet) throw notFound(`There is no bookshop ${outletSlug}.`)
  if (outlet?.closedAt) throw refused(`${outlet.name} is closed.`)
  const priceMinor = askedPriceMinor ?? book.priceMinor
  if (priceMinor === 0) throw refused(`${book.title} costs nothing. Name a price for its cards with --price.`)
  return db.transaction(async (tx) => {
    const batch = await insertBatch(tx, {
      bookId: book.id,
      outletId: outlet?.id ?? null,
      priceMinor,
      madeAt: now(),
    })
    const made: Made = { ...book, slug, batch, priceMinor }
    for (let left = count; left > 0;) {
      const cards = await makeSome(tx, config, batch, Math.min(left, CARDS_PER_INSERT))
      await take(cards, made)
      left -= cards.length
    }
    return made
  })
}

export const voidBatch = ({ db, now }: Maker, batch: number): Promise<number> =>
  db.transaction((tx) => voidUnsoldCards(tx, batch, now()))

/** @throws 404 if there is no such card; 422 if it was sold */
export const voidCard = ({ db, now }: Maker, number: string): Promise<void> =>
  db.transaction(async (tx) => {
    const known = await selectAnyByNumber(tx, readTyped(number))
    const found = known && (await lockCard(tx, known.card.id))
    if (!found) throw notFound(`There is no card ${number}.`)
    if (found.activation) throw refused('It was sold. Take it back at the till, or replace it.')
    if (!found.card.voidedAt) await updateCard(tx, found.card.id, { voidedAt: now() })
  })

export const replaceCard = (
  { db, config, now }: Maker,
  number: string,
  newNumber = newCardNumber,
): Promise<{ card: PrintedCard; made: Made }> =>
  db.transaction(async (tx) => {
    const known = await selectAnyByNumber(tx, readTyped(number))
    const found = known && (await lockCard(tx, known.card.id))
    if (!found) throw notFound(`There is no card ${number}.`)
    const { card: old, activation } = found
    if (old.voidedAt) throw refused('It is void already.')
    if (old.redeemedAt) throw refused('Somebody redeemed it already.')
    if (!activation) throw refused('This card wasn’t sold. Void it and sell another one.')
    const { batchId } = old
    let card: PrintedCard | undefined
    while (!card) [card] = await makeSome(tx, config, batchId, 1, newNumber)
    const made = await selectAnyByNumber(tx, card.number)
    await moveActivation(tx, activation.id, made!.card.id)
    await updateCard(tx, old.id, { voidedAt: now(), replacedBy: made!.card.id })
    const book = await selectBatchBook(tx, batchId)
    return { card, made: { ...book, batch: batchId } }
  })

async function makeSome(
  tx: Db,
  config: Maker['config'],
  batchId: number,
  count: number,
  newNumber = newCardNumber,
): Promise<readonly PrintedCard[]> {
  const cards = Array.from({ length: count }, () => ({ number: newNumber(), code: newCardCode() }))
  const stored = await insertCards(
    tx,
    cards.map(({ number, code }) => ({ batchId, number, codeHash: cardHash(config, readTyped(code)) })),
  )
  return cards.filter(({ number }) => stored.has(number))
}

/** By its number, or by the code inside it. */
export async function findCard(
  { db, config }: Pick<Maker, 'db' | 'config'>,
  typed: string,
): Promise<CardRow | undefined> {
  const read = readTyped(typed)
  const found = await selectAnyByNumber(db, read)
  return found ?? (isWholeCard(read) ? selectByCode(db, cardHash(config, read)) : undefined)
}

const ENDINGS_AT_MOST = 20

/** Also by the last four digits of its number. */
export async function findCards(
  maker: Pick<Maker, 'db' | 'config'>,
  typed: string,
): Promise<readonly CardRow[]> {
  const read = readTyped(typed)
  if (/^\d{4}$/.test(read)) return selectByEnding(maker.db, read, ENDINGS_AT_MOST)
  const found = await findCard(maker, typed)
  return found ? [found] : []
}

/** Never shows who redeemed the card. */
export async function describeCard(db: Database, typed: string): Promise<string[]> {
  const read = readTyped(typed)
  const found = await selectAnyByNumber(db, read)
  if (!found)
    throw notFound(
      isWholeCard(read)
        ? `There is no card ${typed}.`
        : `${typed} isn’t a card number: a digit is wrong or missing.`,
    )
  return cardLines(found)
}

export function cardLines({ card, title, activation, outletName }: CardRow): string[] {
  const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')
  return [
    `${title}, batch ${card.batchId}`,
    ...(activation ? [`sold by ${outletName} on ${minute(activation.activatedAt)} UTC`] : []),
    ...(card.redeemedAt ? [`redeemed on ${minute(card.redeemedAt)} UTC`] : []),
    ...(card.voidedAt
      ? [`void since ${minute(card.voidedAt)} UTC${card.replacedBy ? ', replaced by another' : ''}`]
      : []),
    ...(activation || card.voidedAt ? [] : ['not sold yet']),
  ]
}

export async function describeBatches(db: Database): Promise<string[]> {
  const batches = await selectBatches(db)
  if (batches.length === 0) return ['There are no cards yet.']
  return batches.map(({ id, title, outlet, priceMinor, madeAt, made, activated, redeemed, voided }) =>
    [
      `${id}  ${madeAt.toISOString().slice(0, 10)}  ${title}, ${formatPounds(priceMinor)}`,
      `${outlet ? `, for ${outlet}` : ''}: `,
      `${made} made, ${activated} sold, ${redeemed} redeemed, ${voided} void`,
    ].join(''),
  )
}
