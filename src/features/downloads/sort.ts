import type { Holding } from '#storage/inventory.ts'

export type SortBy = 'size' | 'title' | 'newest'
export const SORTS: Record<SortBy, string> = { size: 'Largest first', title: 'Title', newest: 'Newest first' }
export const isSort = (value: string): value is SortBy => value in SORTS

const ORDERS: Record<SortBy, (a: Holding, b: Holding) => number> = {
  size: (a, b) => b.bytes - a.bytes,
  title: (a, b) => a.title.title.localeCompare(b.title.title, 'en-GB'),
  newest: (a, b) => b.title.addedAtMs - a.title.addedAtMs,
}

export const sorted = (holdings: readonly Holding[], by: SortBy): Holding[] => holdings.toSorted(ORDERS[by])
