import type { QueryClient } from '@tanstack/react-query'
import { bookQuery } from '#features/catalogue/queries.ts'
import { storedTitle } from '#features/downloads/lazy.ts'

/** Lengths of a book's chapters in seconds, from the device or from what was seen of the catalogue. */
export const chapterLengths =
  (queryClient: QueryClient) =>
  async (slug: string): Promise<ReadonlyMap<number, number>> => {
    const stored = await storedTitle(slug)
    if (stored) return new Map(stored.files.map(({ chapter, playtime }) => [chapter, playtime]))
    const book = await queryClient.fetchQuery(bookQuery('audio_books', slug)).catch(() => null)
    return new Map(book?.chapters.map(({ chapterOrderNumber, playtime }) => [chapterOrderNumber, playtime]))
  }
