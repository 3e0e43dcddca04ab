import type { ShelfEntry } from './shelf-entry.ts'
import type { Sort } from './view.ts'
import { sortKey } from './find.ts'
import { plural } from '#format/plural.ts'
import type { ShelfItem } from './LibraryGrid.tsx'
import type { TitleKey } from '#storage/title-key.ts'
import { placeOf } from '#features/catalogue/model.ts'

/** A stable sort. */
export const ordered = (items: readonly ShelfEntry[], sort: Sort): ShelfEntry[] => {
  const keyed = items.map((item) => ({ item, key: KEYS[sort](item) }))
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ item }) => item)
}

export const inSeries = (items: readonly ShelfEntry[], slug: string): ShelfEntry[] =>
  items
    .flatMap((item) => item.series.filter((one) => one.slug === slug).map(({ place }) => ({ item, place })))
    .sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : 0))
    .map(({ item }) => item)

type Key = readonly (number | string)[]

const LAST = Number.MAX_VALUE

const KEYS: Record<Sort, (item: ShelfEntry) => Key> = {
  added: ({ addedAtMs }) => [-addedAtMs],
  heard: ({ heardAtMs, addedAtMs }) => [-(heardAtMs ?? 0), -addedAtMs],
  title: (item) => [keysOf(item).title],
  author: (item) => [keysOf(item).author, keysOf(item).title],
  // Titles without a series come last, by title.
  series: (item) => [
    ...(item.series[0] ? [keysOf(item).series, item.series[0].place] : [LATE, 0]),
    keysOf(item).title,
  ],
  // E-books have no length: they follow the audiobooks, sorted by pages.
  length: ({ seconds, pages }) => [seconds || LAST, pages],
  // Audiobooks by time left, then e-books, then finished titles.
  left: ({ secondsLeft, finished, share }) => [
    finished ? 2 : secondsLeft === undefined ? 1 : 0,
    secondsLeft ?? 0,
    -(share ?? 0),
  ],
}

/** Sorts after every word. */
const LATE = '\uFFFF'

function compare(one: Key, other: Key): number {
  for (const [at, key] of one.entries()) {
    const against = other[at]!
    if (key !== against) return key < against ? -1 : 1
  }
  return 0
}

interface SortKeys {
  readonly title: string
  readonly author: string
  readonly series: string
}

const remembered = new WeakMap<object, SortKeys>()

function keysOf({ source, title, authorsLast, series }: ShelfEntry): SortKeys {
  let keys = remembered.get(source)
  if (!keys) {
    keys = { title: sortKey(title), author: sortKey(authorsLast), series: sortKey(series[0]?.name ?? '') }
    remembered.set(source, keys)
  }
  return keys
}

/** Groups the titles of a series into one card, at the position of its first title. */
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

/** Counts the two formats of a book once, as the audiobook. */
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

/** The next unfinished title of the series that the listener owns; none after a title they don't own. */
export function nextOfSeries(
  after: TitleKey,
  owned: ReadonlyMap<TitleKey, ShelfEntry>,
): { entry: ShelfEntry; why: string } | undefined {
  for (const { slug, place: from } of owned.get(after)?.series ?? []) {
    let place = from
    for (const { entry, at } of inOrder(slug, owned)) {
      if (at.place <= place) continue
      if (Math.floor(at.place) - Math.floor(place) > 1) break
      if (!entry.finished) return { entry, why: placeOf({ series: [at] }) }
      place = at.place
    }
  }
  return undefined
}

const inOrder = (slug: string, owned: ReadonlyMap<TitleKey, ShelfEntry>) =>
  [...owned.values()]
    .filter(({ format }) => format === 'audioBook')
    .flatMap((entry) => entry.series.filter((at) => at.slug === slug).map((at) => ({ entry, at })))
    // Without a number its position is unknown.
    .filter(({ at }) => Number.isFinite(at.place))
    .sort((one, other) => one.at.place - other.at.place)
