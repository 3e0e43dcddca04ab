import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { titleKey } from '#storage/title-key.ts'
import { authorsOf } from '#features/catalogue/model.ts'
import { bookQuery } from '#features/catalogue/queries.ts'
import { keyOf, type BookName, type KeptNote, type NamesOf } from './model.ts'

type Kind = KeptNote['kind']

/** Names of books: as a download has them, else as the shop says, else as this device was told before. */
export function useBookNames(owner: string, books: readonly { kind: Kind; slug: string }[]): NamesOf {
  const queryClient = useQueryClient()
  const found = useQueries({
    queries: books.map(({ kind, slug }) => ({
      queryKey: ownKey(owner, 'note-book', kind, slug),
      queryFn: () => bookName(queryClient, owner, kind, slug),
      staleTime: Infinity,
      retry: false,
      // Without a network the device answers.
      networkMode: 'always' as const,
    })),
    combine: (answers) => answers.map(({ data }) => data ?? undefined),
  })
  const byKey = new Map(books.map(({ kind, slug }, index) => [keyOf(kind, slug), found[index]]))
  return (kind, slug) => byKey.get(keyOf(kind, slug))
}

async function bookName(
  queryClient: QueryClient,
  owner: string,
  kind: Kind,
  slug: string,
): Promise<BookName | null> {
  const [{ readTitle }, { readSetting, writeSetting }] = await Promise.all([
    import('#storage/sound-store.ts'),
    import('#storage/places.ts'),
  ])
  const stored = await readTitle(owner, titleKey(kind === 'bookmark' ? 'audio' : 'ebook', slug)).catch(
    () => undefined,
  )
  if (stored) {
    const chapters = Object.fromEntries(stored.files.map(({ chapter, name }) => [chapter, name]))
    return { title: stored.title, authors: stored.authors.join(', '), chapters }
  }
  const setting = `bookName/${keyOf(kind, slug)}`
  const told = await readSetting<BookName>(owner, setting).catch(() => undefined)
  if (told) return told
  const book = await queryClient
    .fetchQuery(bookQuery(kind === 'bookmark' ? 'audio_books' : 'e_books', slug))
    .catch(() => null)
  if (!book) return null
  const chapters = Object.fromEntries(
    book.chapters.map(({ chapterOrderNumber, chapterTitle }) => [chapterOrderNumber, chapterTitle]),
  )
  const name = { title: book.title, authors: authorsOf(book), chapters }
  await writeSetting(owner, setting, name).catch(() => undefined)
  return name
}
