import type { TitleKey } from '#storage/title-key.ts'
import { change } from './actions.ts'
import { movedTo, put, without } from './arrange.ts'

/** Puts up a shelf after all others; answers its id. */
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
