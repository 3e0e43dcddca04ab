import { plural } from '#format/plural.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import type { ShelfEntry } from './shelf-entry.ts'

/** Titles in the order of their series: those of one series are one card, where the first of them would stand. */
export function stacked(items: readonly ShelfEntry[]): ShelfItem[] {
  const stacks = new Map<string, ShelfEntry[]>()
  for (const item of items) {
    const [series] = item.series
    if (series) stacks.set(series.slug, [...(stacks.get(series.slug) ?? []), item])
  }
  return items.flatMap((item) => {
    const [series] = item.series
    const books = (series && stacks.get(series.slug)) ?? [item]
    const titles = onceEach(books)
    if (!series || titles.length === 1) return item
    return books[0] === item ? [stackOf(series.slug, series.name, titles)] : []
  })
}

/** Both formats of a book are one book, and the one that is heard stands for it. */
function onceEach(books: readonly ShelfEntry[]): readonly ShelfEntry[] {
  const byTitle = new Map<string, ShelfEntry>()
  for (const book of books) {
    const known = byTitle.get(book.title)
    if (!known || known.format === 'eBook') byTitle.set(book.title, book)
  }
  return [...byTitle.values()]
}

function stackOf(slug: string, name: string, books: readonly ShelfEntry[]): ShelfItem {
  const [first] = books
  const heard = books.filter(({ finished }) => finished).length
  return {
    ...first!,
    title: name,
    to: '/library',
    search: { series: slug },
    stack: books.length,
    share: undefined,
    words: heard > 0 ? `${plural(books.length, 'book')}, ${heard} heard` : plural(books.length, 'book'),
    note: undefined,
  }
}
