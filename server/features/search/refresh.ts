import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../db/open.ts'
import { namingWords, vectorOf } from '#contract/calculations/search-document.ts'
import { addWords, forgetTexts, selectBooksToRefresh, selectItemsToRefresh, updateTexts } from './queries.ts'

interface Changed {
  readonly bookIds?: readonly number[]
  readonly itemIds?: readonly number[]
}

/** Small enough that visitors do not notice. */
const TEXTS_PER_TRANSACTION = 250

/** Call this after setting a title's `searchText` to null. Safe to run repeatedly and concurrently. */
export async function refreshSearch(
  db: Database,
  { bookIds = [], itemIds = [] }: Changed = {},
): Promise<number> {
  if (bookIds.length > 0) await forgetTexts(db, 'books', bookIds)
  if (itemIds.length > 0) await forgetTexts(db, 'items', itemIds)
  return (
    (await refreshAll(db, 'books', selectBooksToRefresh)) +
    (await refreshAll(db, 'items', selectItemsToRefresh))
  )
}

async function refreshAll(
  db: Database,
  table: 'books' | 'items',
  select: typeof selectBooksToRefresh,
): Promise<number> {
  let refreshed = 0
  let last: number | undefined = 0
  for (;;) {
    const after: number = last
    const batch = await db.transaction(async (tx) => {
      const documents = await select(tx, after, TEXTS_PER_TRANSACTION)
      if (documents.length === 0) return documents
      await updateTexts(
        tx,
        table,
        documents.map((document) => ({ id: document.id, vector: vectorOf(document) })),
      )
      const uses = new Map<string, number>()
      for (const document of documents)
        for (const word of namingWords(document)) uses.set(word, (uses.get(word) ?? 0) + 1)
      if (uses.size > 0) await addWords(tx, uses)
      return documents
    })
    last = batch.at(-1)?.id
    if (last === undefined) return refreshed
    refreshed += batch.length
    await breathe()
  }
}
