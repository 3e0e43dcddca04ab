import type { BookCard } from '#contract/catalogue.ts'
import type { LibraryEntry } from '#contract/library.ts'
import type { EntryRow } from './queries.ts'

export const libraryEntry = (row: EntryRow, card: BookCard): LibraryEntry => ({
  '@id': `/api/libraries/${row.id}`,
  '@type': 'Library',
  id: row.id,
  addedAt: row.added_at,
  audioBook: card.entityType === 'audioBook' ? card : null,
  eBook: card.entityType === 'eBook' ? card : null,
  chapterSeconds: row.chapter_ms.map((ms) => ms / 1000),
})
