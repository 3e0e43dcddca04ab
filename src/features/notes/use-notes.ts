import { useEffect, useMemo, useState } from 'react'
import type { Bookmark, Highlight } from '#storage/places-db.ts'
import { whileSeen } from '#ui/while-seen.ts'
import { useBookNames } from './book-names.ts'
import { notesByBook, type BookNotes } from './model.ts'

interface Marks {
  readonly bookmarks: readonly Bookmark[]
  readonly highlights: readonly Highlight[]
}

/** Every note of the listener, as this device has them now, in whatever tab they change; undefined until it was read. */
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

/** What other devices marked meanwhile; without a network this device's stay as they are. */
async function bringIn(owner: string): Promise<void> {
  const [{ followBookmarks }, { followHighlights }] = await Promise.all([
    import('#sync/bookmarks.ts'),
    import('#sync/highlights.ts'),
  ])
  await Promise.allSettled([followBookmarks(owner), followHighlights(owner)])
}
