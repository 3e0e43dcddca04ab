import type { ListRow } from '#storage/places-db.ts'
import { byPosition, positionBetween } from '#storage/position.ts'
import type { TitleKey } from '#storage/title-key.ts'

type Row = Pick<ListRow, 'id' | 'kind' | 'position' | 'key' | 'shelf' | 'name'>
type Wanted = Row & { removed?: boolean }

/** Each title once: two devices may have added it without knowing of each other. */
export function onceEach<R extends Row>(rows: readonly R[]): readonly R[] {
  const seen = new Set<TitleKey | undefined>()
  return rows.filter(({ key }) => !seen.has(key) && seen.add(key))
}

/** The row at this place of the list, counted without it. Every other row stays as it is. */
export function movedTo(rows: readonly Row[], row: Row, index: number): Wanted[] {
  const others = onceEach(rows).filter(({ id }) => id !== row.id)
  const at = Math.max(0, Math.min(index, others.length))
  const before = others[at - 1]?.position
  // Where two devices chose the same position, the one after is the next that is really behind.
  const after = others.slice(at).find(({ position }) => before === undefined || position > before)?.position
  return [{ ...bare(row), position: positionBetween(before, after) }]
}

/** A title put first or last; one that is there already is moved. */
export function put(
  rows: readonly Row[],
  key: TitleKey,
  where: 'first' | 'last',
  more: Omit<Row, 'id' | 'position' | 'key'>,
): Wanted[] {
  const there = rows.find((row) => row.key === key)
  if (there && where === 'last') return []
  const row = there ?? { ...more, key, id: crypto.randomUUID(), position: '' }
  return movedTo(rows, row, where === 'first' ? 0 : rows.length)
}

/** Also where two devices had added it. */
export const without = (rows: readonly Row[], key: TitleKey): Wanted[] =>
  rows.filter((row) => row.key === key).map((row) => ({ ...bare(row), removed: true }))

/** The fields of a change, without the sending state of the last one. */
const bare = ({ id, kind, position, key, shelf, name }: Row): Row => ({
  ...{ id, kind, position },
  ...(key === undefined ? {} : { key }),
  ...(shelf === undefined ? {} : { shelf }),
  ...(name === undefined ? {} : { name }),
})

/** Rows that were not removed, in their order. */
export const standing = (rows: readonly ListRow[]): ListRow[] =>
  rows.filter(({ removed }) => removed === 0).sort(byPosition)
