import { and, desc, eq } from 'drizzle-orm'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { savedCards } from '../../db/schema/membership.ts'

export type SavedCardRow = typeof savedCards.$inferSelect

export const selectSavedCards = (db: Db, userId: string): Promise<SavedCardRow[]> =>
  db.select().from(savedCards).where(eq(savedCards.userId, userId)).orderBy(desc(savedCards.usedAt)).limit(50)

const isOwn = (userId: string, id: string) => and(eq(savedCards.userId, userId), eq(savedCards.id, id))

export async function selectSavedCard(db: Db, userId: string, id: string): Promise<SavedCardRow | undefined> {
  const [row] = await db.select().from(savedCards).where(isOwn(userId, id))
  return row
}

export async function insertSavedCard(db: Db, card: typeof savedCards.$inferInsert): Promise<void> {
  const { userId, brand, last4, expiresAt } = savedCards
  const { methodId, usedAt } = card
  await db
    .insert(savedCards)
    .values(card)
    .onConflictDoUpdate({ target: [userId, brand, last4, expiresAt], set: { methodId, usedAt } })
}

export async function updateCardUsed(
  db: Db,
  { userId, id }: SavedCardRow,
  usedAt: BusinessTime,
): Promise<void> {
  await db.update(savedCards).set({ usedAt }).where(isOwn(userId, id))
}

export async function deleteSavedCard(db: Db, userId: string, id: string): Promise<void> {
  await db.delete(savedCards).where(isOwn(userId, id))
}
