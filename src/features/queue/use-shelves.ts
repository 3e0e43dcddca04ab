import type { ListRow, PlacesDb } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { useStored } from '#features/library/use-places.ts'
import { onceEach, standing } from './arrange.ts'

/** A shelf of the listener's own, with its titles in its order. */
export interface OwnShelf {
  readonly id: string
  readonly name: string
  readonly titles: readonly { readonly id: string; readonly key: TitleKey }[]
  readonly keys: readonly TitleKey[]
}

const readShelves = async (db: PlacesDb): Promise<readonly OwnShelf[]> => {
  const [shelves, titles] = await Promise.all([rows(db, 'shelf'), rows(db, 'shelfTitle')])
  return shelves.map(({ id, name = '' }) => {
    const own = onceEach(titles.filter(({ shelf }) => shelf === id)).flatMap((row) =>
      row.key === undefined ? [] : { id: row.id, key: row.key },
    )
    return { id, name, titles: own, keys: own.map(({ key }) => key) }
  })
}

const rows = async (db: PlacesDb, kind: ListRow['kind']) =>
  standing(await db.listRows.where('kind').equals(kind).toArray())

/** The listener's shelves as they stand, wherever they were changed. */
export const useShelves = (owner: string): readonly OwnShelf[] =>
  useStored(owner, 'shelves', readShelves) ?? NONE
const NONE: readonly OwnShelf[] = []
