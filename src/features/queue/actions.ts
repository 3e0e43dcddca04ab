import type { ListKind, WantedRow } from '#sync/lists.ts'
import type { ListRow } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { openedListening } from '#features/listening/lazy.ts'
import { currentOwner } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { movedTo, put, without } from './arrange.ts'

/** Changes the queue on this device at once, and syncs it to the server later if necessary. */
export const playNext = (key: TitleKey, title: string): Promise<void> =>
  addTo('first', key, () => `${title} is next.`)

export const addToQueue = (key: TitleKey, title: string): Promise<void> =>
  addTo('last', key, (isThere) =>
    isThere ? `${title} is in your queue already.` : `${title} is in your queue.`,
  )

async function addTo(where: 'first' | 'last', key: TitleKey, words: (isThere: boolean) => string) {
  let isThere = false
  await change('queue', (rows) => {
    isThere = rows.some((row) => row.key === key)
    return put(rows, key, where, { kind: 'queue' })
  })
  toast(words(isThere), undo(key, isThere))
}

const undo = (key: TitleKey, wasThere: boolean) =>
  wasThere ? {} : { action: { label: 'Undo', onPress: () => void takeOut(key) } }

export const takeOut = (key: TitleKey): Promise<void> => change('queue', (rows) => without(rows, key))

export const moveInQueue = (id: string, index: number): Promise<void> =>
  change('queue', (rows) => {
    const row = rows.find((each) => each.id === id)
    return row ? movedTo(rows, row, index) : []
  })

/** `work` gets the rows that were not removed. */
export async function change(
  kind: ListKind,
  work: (rows: readonly ListRow[]) => readonly WantedRow[],
): Promise<void> {
  const owner = currentOwner()
  if (!owner) return
  const { changeLists } = await import('#sync/lists.ts')
  await changeLists(owner, kind, work)
  void openedListening()
    ?.then((listening) => listening.sendNow())
    .catch(() => undefined)
}

/** Adds a shelf after all others; resolves to its id. */
export async function putUpShelf(name: string): Promise<string> {
  const id = crypto.randomUUID()
  await change('shelf', (rows) => movedTo(rows, { id, kind: 'shelf', name, position: '' }, rows.length))
  return id
}

export const renameShelf = (id: string, name: string): Promise<void> =>
  change('shelf', (rows) =>
    rows.filter((row) => row.id === id).map(({ kind, position }) => ({ id, kind, position, name })),
  )

export const moveShelf = (id: string, to: number): Promise<void> =>
  change('shelf', (rows) => {
    const row = rows.find((each) => each.id === id)
    return row ? movedTo(rows, row, to) : []
  })

/** Its titles stay in the library. */
export const takeDownShelf = (id: string): Promise<void> =>
  change('shelf', (rows) =>
    rows
      .filter((row) => row.id === id)
      .map(({ kind, position, name = '' }) => ({ id, kind, position, name, removed: true })),
  )

export const putOnShelf = (shelf: string, key: TitleKey): Promise<void> =>
  change('shelfTitle', (rows) =>
    put(
      rows.filter((row) => row.shelf === shelf),
      key,
      'last',
      { kind: 'shelfTitle', shelf },
    ),
  )

export const takeOffShelf = (shelf: string, key: TitleKey): Promise<void> =>
  change('shelfTitle', (rows) =>
    without(
      rows.filter((row) => row.shelf === shelf),
      key,
    ),
  )

export const moveOnShelf = (shelf: string, id: string, to: number): Promise<void> =>
  change('shelfTitle', (rows) => {
    const own = rows.filter((row) => row.shelf === shelf)
    const row = own.find((each) => each.id === id)
    return row ? movedTo(own, row, to) : []
  })
