import type { LibraryEntry } from '#contract/library.ts'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import type { Shop } from '../../shop.ts'
import { cardsOf, readerOf } from '../catalogue/service.ts'
import {
  countEntries,
  insertEntry,
  selectMadeAfterPurchase,
  selectEntries,
  type Source,
  notifyOwnFileDue,
  type EntryRow,
} from './queries.ts'
import type { Countries } from '../../auth/country.ts'
import type { BookCard } from '#contract/catalogue.ts'

interface Title {
  readonly userId: string
  readonly bookId: number
  readonly source: Source
  readonly addedAt: Date
}

/** Null if the title was already there: a return page and a webhook may both grant it. */
export async function grantTitle(db: Db, title: Title): Promise<string | null> {
  const entryId = await insertEntry(db, title)
  if (entryId !== null && (await selectMadeAfterPurchase(db, title.bookId))) await notifyOwnFileDue(db)
  return entryId
}

export async function listLibrary(
  shop: Pick<Shop, 'db' | 'caches' | 'clock' | 'config'>,
  { caller, countries }: { caller: { userId: string }; countries: Countries },
  { page, itemsPerPage }: PageOf,
): Promise<{ entries: LibraryEntry[]; total: number }> {
  const slice = { offset: (page - 1) * itemsPerPage, limit: itemsPerPage }
  const [rows, total, reader] = await Promise.all([
    selectEntries(shop.db, caller.userId, slice),
    countEntries(shop.db, caller.userId),
    readerOf(shop, { caller, countries }),
  ])
  const bookIds = rows.map(({ book_id: bookId }) => bookId)
  const own = { ...reader, owned: new Set(bookIds) }
  const cards = new Map((await cardsOf(shop, bookIds, own)).map((card) => [card.id, card]))
  const entries = rows.flatMap((row) => {
    const card = cards.get(row.book_id)
    return card ? [libraryEntry(row, card)] : []
  })
  return { entries, total }
}

const libraryEntry = (row: EntryRow, card: BookCard): LibraryEntry => ({
  '@id': `/api/libraries/${row.id}`,
  '@type': 'Library',
  id: row.id,
  addedAt: row.added_at,
  audioBook: card.entityType === 'audioBook' ? card : null,
  eBook: card.entityType === 'eBook' ? card : null,
  chapterSeconds: row.chapter_ms.map((ms) => ms / 1000),
  chapterTitles: row.chapter_titles,
})
