import type { LibraryEntry } from '#contract/library.ts'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import type { Shop } from '../../shop.ts'
import { cardsOf, readerOf } from '../catalogue/service.ts'
import {
  countEntries,
  deleteEntry,
  insertEntry,
  selectMadeAfterPurchase,
  selectEntries,
  selectOwned,
  type Source,
  notifyOwnFileDue,
} from './queries.ts'
import { libraryEntry } from './serializers.ts'
import type { Countries } from '../../auth/country.ts'

interface Title {
  readonly userId: string
  readonly bookId: number
  readonly source: Source
  readonly addedAt: Date
}

/**
 * Returns the id of the entry, so that exactly this one can be taken back. Null if the title was already there: a
 * return page and a webhook, or two imports, may both grant it.
 */
export async function grantTitle(db: Db, title: Title): Promise<string | null> {
  const entryId = await insertEntry(db, title)
  if (entryId !== null && (await selectMadeAfterPurchase(db, title.bookId))) await notifyOwnFileDue(db)
  return entryId
}

/** Does nothing if the entry is already gone. */
export const takeBackEntry = (db: Db, entryId: string): Promise<void> => deleteEntry(db, entryId)

export const owns = (db: Db, userId: string, bookId: number): Promise<boolean> =>
  selectOwned(db, userId, bookId)

/** Newest first. */
export async function listLibrary(
  shop: Pick<Shop, 'db' | 'answers' | 'clock' | 'config'>,
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
