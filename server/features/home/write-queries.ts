import { eq, gt, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { contentRecords, homePanels, menuEntries, staffPicks } from '../../db/schema/pages.ts'

export async function storePanels(
  db: Db,
  panels: readonly (typeof homePanels.$inferInsert)[],
): Promise<void> {
  await db.delete(homePanels).where(
    notInArray(
      homePanels.section,
      panels.map(({ section }) => section),
    ),
  )
  for (const panel of panels)
    await db.insert(homePanels).values(panel).onConflictDoUpdate({ target: homePanels.section, set: panel })
}

export interface WrittenPick {
  readonly title: string
  readonly description: string
  readonly author: string
  readonly visible: boolean
  readonly audioBook: string | null
}

export async function storePicks(db: Db, picks: readonly WrittenPick[]): Promise<void> {
  for (const [index, { audioBook, ...texts }] of picks.entries()) {
    const values = { ...texts, bookId: audiobookId(audioBook) }
    await db
      .insert(staffPicks)
      .values({ position: index + 1, ...values })
      .onConflictDoUpdate({ target: staffPicks.position, set: values })
  }
  await db.delete(staffPicks).where(gt(staffPicks.position, picks.length))
}

const audiobookId = (slug: string | null) =>
  slug === null
    ? null
    : sql<number>`(select ${books.id} from ${books} where ${books.slug} = ${slug} and ${books.format} = 'audio_book')`

export async function storeMenu(
  db: Db,
  menu: 'main' | 'search',
  entries: readonly Omit<typeof menuEntries.$inferInsert, 'id' | 'menu' | 'position'>[],
): Promise<void> {
  await db.delete(menuEntries).where(eq(menuEntries.menu, menu))
  if (entries.length > 0)
    await db
      .insert(menuEntries)
      .values(entries.map((entry, index) => ({ menu, position: index + 1, ...entry })))
}

export async function storeRecord(db: Db, name: string, content: unknown): Promise<void> {
  await db
    .insert(contentRecords)
    .values({ name, content })
    .onConflictDoUpdate({ target: contentRecords.name, set: { content } })
}
