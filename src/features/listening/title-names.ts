import { useQuery } from '@tanstack/react-query'
import { EVERYONES_OWN } from '#features/query-keys.ts'
import { bookQuery } from '#features/catalogue/queries.ts'
import { storedTitle } from '#features/downloads/lazy.ts'

export interface TitleNames {
  readonly title: string
  /** By chapter number. */
  readonly chapters: ReadonlyMap<number, string>
}

/** Names of a book and its chapters, from this device first: the question may come up in the tunnel. */
export function useTitleNames(slug: string | undefined): TitleNames | undefined {
  const stored = useQuery({
    queryKey: [...EVERYONES_OWN, 'stored-names', slug],
    queryFn: async () => (slug ? ((await storedTitle(slug)) ?? null) : null),
    enabled: slug !== undefined,
  })
  const book = useQuery({
    ...bookQuery('audio_books', slug ?? ''),
    enabled: slug !== undefined && stored.data === null,
  })
  if (stored.data) {
    const { title, files } = stored.data
    return { title, chapters: new Map(files.map(({ chapter, name }) => [chapter, name])) }
  }
  if (!book.data) return undefined
  const { title, chapters } = book.data
  return {
    title,
    chapters: new Map(
      chapters.map(({ chapterOrderNumber, chapterTitle }) => [chapterOrderNumber, chapterTitle]),
    ),
  }
}
