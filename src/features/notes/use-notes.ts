import { useEffect, useMemo, useState } from 'react'
import type { Bookmark, Highlight } from '#storage/places-db.ts'
import { whileSeen } from '#ui/while-seen.ts'
import { notesByBook, type BookNotes, keyOf, type BookName, type KeptNote, type NamesOf } from './model.ts'
import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { titleKey } from '#storage/title-key.ts'
import { authorsOf } from '#features/catalogue/model.ts'
import { bookQuery } from '#features/catalogue/queries.ts'
import { openedListening } from '#features/listening/lazy.ts'
import { toast } from '#ui/toast.ts'

interface Marks {
  readonly bookmarks: readonly Bookmark[]
  readonly highlights: readonly Highlight[]
}

/** All of the listener's notes on this device, updated from any tab; undefined until the first read. */
export function useNotes(owner: string): readonly BookNotes[] | undefined {
  const [marks, setMarks] = useState<Marks>()
  useEffect(() => {
    let stop = () => {}
    let left = false
    void import('#storage/places.ts').then(({ watchPlaces }) => {
      if (left) return
      stop = whileSeen(() =>
        watchPlaces(
          owner,
          async (db) => ({
            bookmarks: await db.bookmarks.toArray(),
            highlights: await db.highlights.toArray(),
          }),
          setMarks,
        ),
      )
    })
    void bringIn(owner)
    return () => {
      left = true
      stop()
    }
  }, [owner])

  const books = useMemo(() => {
    const both = [
      ...(marks?.bookmarks ?? []).map(({ slug }) => ({ kind: 'bookmark' as const, slug })),
      ...(marks?.highlights ?? []).map(({ slug }) => ({ kind: 'highlight' as const, slug })),
    ]
    return [...new Map(both.map((book) => [`${book.kind} ${book.slug}`, book])).values()]
  }, [marks])
  const namesOf = useBookNames(owner, books)
  return marks && notesByBook(marks.bookmarks, marks.highlights, namesOf)
}

/** Fetches other devices' changes; offline, this device's notes stay as they are. */
async function bringIn(owner: string): Promise<void> {
  const [{ followBookmarks }, { followHighlights }] = await Promise.all([
    import('#sync/marks.ts'),
    import('#sync/marks.ts'),
  ])
  await Promise.allSettled([followBookmarks(owner), followHighlights(owner)])
}

type Kind = KeptNote['kind']

/** Names of books: from a download, else from the server, else from earlier data on this device. */
function useBookNames(owner: string, books: readonly { kind: Kind; slug: string }[]): NamesOf {
  const queryClient = useQueryClient()
  const found = useQueries({
    queries: books.map(({ kind, slug }) => ({
      queryKey: ownKey(owner, 'note-book', kind, slug),
      queryFn: () => bookName(queryClient, owner, kind, slug),
      staleTime: Infinity,
      retry: false,
      // Also runs offline, because the device can answer.
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

const NOT_KEPT = 'That didn’t save. This device is out of space.'

export const writeNote = (owner: string, kept: KeptNote, note: string): Promise<void> =>
  stored(async () => {
    const marks = await devices()
    if (kept.kind === 'bookmark') await marks.putBookmark(owner, { ...kept.mark, note })
    else await marks.putHighlight(owner, { ...kept.mark, note })
  })

export async function removeNote(owner: string, kept: KeptNote): Promise<void> {
  await stored(async () => {
    const marks = await devices()
    if (kept.kind === 'bookmark') await marks.removeBookmark(owner, kept.id)
    else await marks.removeHighlight(owner, kept.id)
  })
  const words = kept.kind === 'bookmark' ? 'Bookmark removed.' : 'Highlight removed.'
  toast(words, { action: { label: 'Undo', onPress: () => void restore(owner, kept) } })
}

/** A new id: a removed note stays removed on every device. */
const restore = (owner: string, kept: KeptNote): Promise<void> =>
  stored(async () => {
    const marks = await devices()
    const id = crypto.randomUUID()
    if (kept.kind === 'bookmark') await marks.putBookmark(owner, { ...kept.mark, id })
    else await marks.putHighlight(owner, { ...kept.mark, id })
  })

async function devices() {
  const [bookmarks, highlights] = await Promise.all([import('#sync/marks.ts'), import('#sync/marks.ts')])
  return { ...bookmarks, ...highlights }
}

async function stored(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    toast(NOT_KEPT)
    return
  }
  void openedListening()?.then((listening) => listening.sendNow())
}
