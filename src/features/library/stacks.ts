import { plural } from '#format/plural.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import type { ShelfEntry } from './shelf-entry.ts'

/** Titles in the order of their series: those of one series are one card, on the first of them. */
export function stacked(items: readonly ShelfEntry[]): ShelfItem[] {
  const stacks = new Map<string, ShelfEntry[]>()
  for (const item of items) {
    const [series] = item.series
    if (series) stacks.set(series.slug, [...(stacks.get(series.slug) ?? []), item])
  }
  return items.flatMap((item) => {
    const [series] = item.series
    const books = series && stacks.get(series.slug)
    if (!books || books.length === 1) return item
    return books[0] === item ? [stackOf(series.slug, series.name, books)] : []
  })
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
