import type { ListRow, PlacesDb } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { useStored } from '#features/library/use-places.ts'
import { onceEach, standing } from './arrange.ts'

type QueueRow = ListRow & { readonly key: TitleKey }

export const readQueue = async (db: PlacesDb): Promise<QueueRow[]> =>
  onceEach(standing(await db.listRows.where('kind').equals('queue').toArray())).flatMap((row) =>
    row.key === undefined ? [] : { ...row, key: row.key },
  )

/** The queue, synced across devices; undefined until it was read. */
export const useQueue = (owner: string): readonly QueueRow[] | undefined =>
  useStored(owner, 'queue', readQueue)

const LEFT_OUT = 'leftOut'

/** Titles of a series that should not play automatically, with the book that precedes them. */
interface LeftOut {
  readonly after: TitleKey
  readonly keys: readonly TitleKey[]
}

export const readLeftOut = async (db: PlacesDb): Promise<LeftOut | null> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this device
  ((await db.settings.get(LEFT_OUT))?.value as LeftOut | undefined) ?? null

export const leftOutAfter = (leftOut: LeftOut | null | undefined, after: TitleKey): ReadonlySet<TitleKey> =>
  new Set(leftOut?.after === after ? leftOut.keys : [])

export const useLeftOut = (owner: string) => useStored(owner, 'left-out', readLeftOut)

export async function leaveOut(owner: string, after: TitleKey, key: TitleKey): Promise<void> {
  const { writeSetting } = await import('#storage/places.ts')
  await writeSetting(owner, LEFT_OUT, { after, keys: [key] } satisfies LeftOut)
}

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

export const useShelves = (owner: string): readonly OwnShelf[] =>
  useStored(owner, 'shelves', readShelves) ?? NONE
const NONE: readonly OwnShelf[] = []
