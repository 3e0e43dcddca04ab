import type { ShelfEntry } from './shelf-entry.ts'
import type { Sort } from './view.ts'
import { sortKey } from './words.ts'

/** The same titles in the order that was chosen; equal ones as they came. */
export const ordered = (items: readonly ShelfEntry[], sort: Sort): ShelfEntry[] => {
  const keyed = items.map((item) => ({ item, key: KEYS[sort](item) }))
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ item }) => item)
}

/** The books of one series, in its order. */
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
  // Those of no series come after them all, by title.
  series: (item) => [
    ...(item.series[0] ? [keysOf(item).series, item.series[0].place] : [LATE, 0]),
    keysOf(item).title,
  ],
  // An e-book has no length to compare: after the audiobooks, by its pages.
  length: ({ seconds, pages }) => [seconds || LAST, pages],
  // E-books have no time to compare, and of what is finished nothing is left.
  left: ({ secondsLeft, finished, share }) => [
    finished ? 2 : secondsLeft === undefined ? 1 : 0,
    secondsLeft ?? 0,
    -(share ?? 0),
  ],
}

/** After every word. */
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
