import { and, desc, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { outlets } from '../../db/schema/accounts.ts'
import { cardActivations, cardBatches, cards } from '../../db/schema/cards.ts'
import { books } from '../../db/schema/catalogue.ts'

type ActivationRow = typeof cardActivations.$inferSelect

export interface CardRow {
  readonly card: typeof cards.$inferSelect
  readonly bookId: number
  readonly title: string
  readonly spiSin: string | null
  readonly priceMinor: number
  readonly onlyOutletId: string | null
  readonly activation: ActivationRow | null
  readonly outletName: string | null
}

const CARD = {
  card: cards,
  bookId: cardBatches.bookId,
  title: books.title,
  spiSin: books.spiSin,
  priceMinor: cardBatches.priceMinor,
  onlyOutletId: cardBatches.outletId,
  activation: cardActivations,
  outletName: outlets.name,
}

const standing = and(eq(cardActivations.cardId, cards.id), isNull(cardActivations.takenBackAt))

const selectCards = (db: Db) =>
  db
    .select(CARD)
    .from(cards)
    .innerJoin(cardBatches, eq(cardBatches.id, cards.batchId))
    .innerJoin(books, eq(books.id, cardBatches.bookId))
    .leftJoin(cardActivations, standing)
    .leftJoin(outlets, eq(outlets.id, cardActivations.outletId))

export async function selectByCode(db: Db, codeHash: string): Promise<CardRow | undefined> {
  const [row] = await selectCards(db).where(and(eq(cards.codeHash, codeHash), isNull(cards.voidedAt)))
  return row
}

export async function selectByNumber(db: Db, number: string): Promise<CardRow | undefined> {
  const [row] = await selectCards(db).where(and(eq(cards.number, number), isNull(cards.voidedAt)))
  return row
}

export async function selectAnyByNumber(db: Db, number: string): Promise<CardRow | undefined> {
  const [row] = await selectCards(db).where(eq(cards.number, number))
  return row
}

/** By the last digits of its number, as a statement names a card. */
export const selectByEnding = (db: Db, ending: string, limit: number): Promise<CardRow[]> =>
  selectCards(db)
    .where(sql`right(${cards.number}, 4) = ${ending}`)
    .orderBy(cards.number)
    .limit(limit)

export async function lockCard(tx: Db, id: string): Promise<CardRow | undefined> {
  await tx.select({ id: cards.id }).from(cards).where(eq(cards.id, id)).for('update')
  const [row] = await selectCards(tx).where(eq(cards.id, id))
  return row
}

export async function updateCard(
  tx: Db,
  id: string,
  change: Partial<typeof cards.$inferInsert>,
): Promise<void> {
  await tx.update(cards).set(change).where(eq(cards.id, id))
}

export async function unredeem(tx: Db, orderId: string): Promise<string | null> {
  const [row] = await tx
    .update(cards)
    .set({ redeemedAt: null, redeemedBy: null, orderId: null })
    .where(eq(cards.orderId, orderId))
    .returning({ number: cards.number })
  return row?.number ?? null
}

export async function insertActivation(
  tx: Db,
  activation: typeof cardActivations.$inferInsert,
): Promise<ActivationRow> {
  const [row] = await tx.insert(cardActivations).values(activation).returning()
  return row!
}

export async function updateActivation(
  tx: Db,
  id: string,
  change: Partial<typeof cardActivations.$inferInsert>,
): Promise<void> {
  await tx.update(cardActivations).set(change).where(eq(cardActivations.id, id))
}

export interface ActivationOfCard {
  readonly activation: ActivationRow
  readonly card: typeof cards.$inferSelect
  readonly bookId: number
  readonly priceMinor: number
}

const OF_CARD = {
  activation: cardActivations,
  card: cards,
  bookId: cardBatches.bookId,
  priceMinor: cardBatches.priceMinor,
}
const selectActivations = (db: Db) =>
  db
    .select(OF_CARD)
    .from(cardActivations)
    .innerJoin(cards, eq(cards.id, cardActivations.cardId))
    .innerJoin(cardBatches, eq(cardBatches.id, cards.batchId))

export async function selectActivation(
  db: Db,
  { id, outletId }: { id: string; outletId: string },
): Promise<ActivationOfCard | undefined> {
  const [row] = await selectActivations(db).where(
    and(eq(cardActivations.id, id), eq(cardActivations.outletId, outletId)),
  )
  return row
}

export const selectActivationsSince = (db: Db, outletId: string, since: Date): Promise<ActivationOfCard[]> =>
  selectActivations(db)
    .where(and(eq(cardActivations.outletId, outletId), gte(cardActivations.activatedAt, since)))
    .orderBy(desc(cardActivations.activatedAt), cardActivations.id)
    .limit(1000)

export async function insertBatch(db: Db, batch: typeof cardBatches.$inferInsert): Promise<number> {
  const [row] = await db.insert(cardBatches).values(batch).returning({ id: cardBatches.id })
  return row!.id
}

/** Returns the numbers that were stored; a card whose number already exists is skipped. */
export async function insertCards(db: Db, rows: (typeof cards.$inferInsert)[]): Promise<Set<string>> {
  const stored = await db.insert(cards).values(rows).onConflictDoNothing().returning({ number: cards.number })
  return new Set(stored.map(({ number }) => number))
}

const LOOK = {
  title: books.title,
  coverId: books.coverId,
  backgroundColour: books.backgroundColour,
  textColour: books.textColour,
}

export async function selectTitle(db: Db, slug: string) {
  const [row] = await db
    .select({
      ...LOOK,
      id: books.id,
      priceMinor: books.priceMinor,
      availableAsCard: books.availableAsCard,
    })
    .from(books)
    .where(and(eq(books.slug, slug), eq(books.format, 'audio_book')))
  return row
}

/** Audiobooks that cards can be made for. */
export const selectCardTitles = (db: Db, limit: number) =>
  db
    .select({ slug: books.slug, title: books.title, priceMinor: books.priceMinor })
    .from(books)
    .where(and(eq(books.format, 'audio_book'), eq(books.availableAsCard, true)))
    .orderBy(books.title, books.id)
    .limit(limit)

export async function selectBatchBook(db: Db, batchId: number) {
  const [row] = await db
    .select({ ...LOOK, slug: books.slug, priceMinor: cardBatches.priceMinor })
    .from(cardBatches)
    .innerJoin(books, eq(books.id, cardBatches.bookId))
    .where(eq(cardBatches.id, batchId))
  return row!
}

export async function moveActivation(tx: Db, id: string, cardId: string): Promise<void> {
  await tx.update(cardActivations).set({ cardId }).where(eq(cardActivations.id, id))
}

export const selectBatches = (db: Db) =>
  db
    .select({
      id: cardBatches.id,
      title: books.title,
      coverId: books.coverId,
      background: books.backgroundColour,
      outlet: outlets.name,
      priceMinor: cardBatches.priceMinor,
      madeAt: cardBatches.madeAt,
      made: sql<number>`count(${cards.id})::int`,
      activated: sql<number>`count(${cardActivations.id})::int`,
      redeemed: sql<number>`count(${cards.redeemedAt})::int`,
      voided: sql<number>`count(${cards.voidedAt})::int`,
    })
    .from(cardBatches)
    .innerJoin(books, eq(books.id, cardBatches.bookId))
    .leftJoin(outlets, eq(outlets.id, cardBatches.outletId))
    .leftJoin(cards, eq(cards.batchId, cardBatches.id))
    .leftJoin(cardActivations, standing)
    .groupBy(cardBatches.id, books.id, outlets.name)
    .orderBy(cardBatches.id)

/** Locks the cards in the order of their ids. A batch can have more cards than a statement can have parameters. */
export async function voidUnsoldCards(tx: Db, batchId: number, voidedAt: BusinessTime): Promise<number> {
  await tx.execute(sql`
    select count(*) from (select from cards where batch_id = ${batchId} order by id for update) locked`)
  const { rows } = await tx.execute<{ count: number }>(sql`
    with voided as (
      update cards c set voided_at = ${voidedAt.toISOString()}::timestamptz
      where c.batch_id = ${batchId} and c.voided_at is null
        and not exists (select from card_activations a where a.card_id = c.id and a.taken_back_at is null)
      returning c.id)
    select count(*)::int as count from voided`)
  return rows[0]!.count
}

export async function deleteBuyerEmails(db: Db, before: BusinessTime): Promise<void> {
  await db
    .update(cardActivations)
    .set({ buyerEmail: null })
    .where(and(isNotNull(cardActivations.buyerEmail), lt(cardActivations.activatedAt, before)))
}
