import type { ListRow } from '#storage/places-db.ts'
import { byPosition, positionBetween } from '#storage/position.ts'
import type { TitleKey } from '#storage/title-key.ts'

type Row = Pick<ListRow, 'id' | 'kind' | 'position' | 'key' | 'shelf' | 'name'>
type Wanted = Row & { removed?: boolean }

/** Each title once: two devices may have added it independently. */
export function onceEach<R extends Row>(rows: readonly R[]): readonly R[] {
  const seen = new Set<TitleKey | undefined>()
  return rows.filter(({ key }) => !seen.has(key) && seen.add(key))
}

/** Moves a row to an index of the list without it. No other row changes. */
export function movedTo(rows: readonly Row[], row: Row, index: number): Wanted[] {
  const others = onceEach(rows).filter(({ id }) => id !== row.id)
  const at = Math.max(0, Math.min(index, others.length))
  const before = others[at - 1]?.position
  // Two devices may have chosen the same position: skip rows that share it.
  const after = others.slice(at).find(({ position }) => before === undefined || position > before)?.position
  return [{ ...bare(row), position: positionBetween(before, after) }]
}

/** Puts a title first or last. Adding a title that is in the list already keeps its place; playing it next moves it. */
export function put(
  rows: readonly Row[],
  key: TitleKey,
  where: 'first' | 'last',
  more: Omit<Row, 'id' | 'position' | 'key'>,
): Wanted[] {
  const existing = rows.find((row) => row.key === key)
  if (existing && where === 'last') return []
  const row = existing ?? { ...more, key, id: crypto.randomUUID(), position: '' }
  return movedTo(rows, row, where === 'first' ? 0 : rows.length)
}

/** Removes duplicates from two devices too. */
export const without = (rows: readonly Row[], key: TitleKey): Wanted[] =>
  rows.filter((row) => row.key === key).map((row) => ({ ...bare(row), removed: true }))

/** The fields of a change, without the sync state of the last one. */
const bare = ({ id, kind, position, key, shelf, name }: Row): Row => ({
  ...{ id, kind, position },
  ...(key === undefined ? {} : { key }),
  ...(shelf === undefined ? {} : { shelf }),
  ...(name === undefined ? {} : { name }),
})

export const standing = (rows: readonly ListRow[]): ListRow[] =>
  rows.filter(({ removed }) => removed === 0).sort(byPosition)
