import { clock } from '#format/clock.ts'
import type { Bookmark, Highlight } from '#storage/places-db.ts'

export interface BookName {
  readonly title: string
  readonly authors: string
  readonly chapters: Readonly<Record<number, string>>
}

interface Kept {
  readonly id: string
  readonly slug: string
  readonly note: string
  readonly madeAtMs: number
  /** "The tide table, 0:42", or the title in an e-book's contents. */
  readonly where: string
}
export interface KeptBookmark extends Kept {
  readonly kind: 'bookmark'
  readonly mark: Bookmark
}
interface KeptHighlight extends Kept {
  readonly kind: 'highlight'
  readonly mark: Highlight
}
export type KeptNote = KeptBookmark | KeptHighlight

export interface BookNotes {
  /** `audio/salt-road-letters`: both formats of a title may have notes. */
  readonly key: string
  readonly slug: string
  readonly kind: KeptNote['kind']
  readonly title: string
  readonly authors: string
  readonly notes: readonly KeptNote[]
}

export type NamesOf = (kind: KeptNote['kind'], slug: string) => BookName | undefined

export const keyOf = (kind: KeptNote['kind'], slug: string): string =>
  `${kind === 'bookmark' ? 'audio' : 'ebook'}/${slug}`

export function notesByBook(
  bookmarks: readonly Bookmark[],
  highlights: readonly Highlight[],
  namesOf: NamesOf,
): BookNotes[] {
  const heard = bookmarks
    .toSorted((a, b) => a.chapter - b.chapter || a.seconds - b.seconds)
    .map((mark): KeptBookmark => {
      const chapter = namesOf('bookmark', mark.slug)?.chapters[mark.chapter] ?? `Chapter ${mark.chapter}`
      return { ...common(mark), kind: 'bookmark', where: `${chapter}, ${clock(mark.seconds)}`, mark }
    })
  const read = highlights
    .toSorted((a, b) => a.share - b.share || a.madeAtMs - b.madeAtMs)
    .map((mark): KeptHighlight => {
      const where = mark.chapter || `${Math.round(mark.share * 100)}% of the book`
      return { ...common(mark), kind: 'highlight', where, mark }
    })
  const all: readonly KeptNote[] = [...heard, ...read]
  const books = new Map<string, BookNotes>()
  for (const kept of all) {
    const { kind, slug } = kept
    const key = keyOf(kind, slug)
    const name = namesOf(kind, slug)
    const book = { key, slug, kind, title: name?.title ?? titleOf(slug), authors: name?.authors ?? '' }
    books.set(key, { ...book, notes: [...(books.get(key)?.notes ?? []), kept] })
  }
  const lastOf = ({ notes }: BookNotes) => Math.max(...notes.map(({ madeAtMs }) => madeAtMs))
  return [...books.values()].sort((a, b) => lastOf(b) - lastOf(a))
}

const common = ({ id, slug, note, madeAtMs }: Bookmark | Highlight) => ({ id, slug, note, madeAtMs })

/** Offline, an unknown book has no title; its slug is close enough. */
const titleOf = (slug: string) => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ')

/** The notes that contain every word of the search, ignoring case and accents. */
export function findNotes(books: readonly BookNotes[], { words, book }: { words: string; book: string }) {
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  return books
    .filter(({ key }) => book === '' || key === book)
    .map((each) => ({
      ...each,
      notes: each.notes.filter((note) => {
        const said = plain(`${each.title} ${each.authors} ${note.where} ${note.note} ${quoteOf(note)}`)
        return wanted.every((word) => said.includes(word))
      }),
    }))
    .filter(({ notes }) => notes.length > 0)
}

/** The words of the e-book: highlighted, or spoken at the bookmark. */
export const quoteOf = (note: KeptNote): string =>
  (note.kind === 'highlight' ? note.mark.quote : note.mark.sentence) ?? ''

const plain = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()
