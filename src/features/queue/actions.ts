import type { ListKind, WantedRow } from '#sync/lists.ts'
import type { ListRow } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { openedListening } from '#features/listening/lazy.ts'
import { currentOwner } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { movedTo, put, without } from './arrange.ts'

/** The queue is changed here at once, and told to the server when it answers. */
export const playNext = (key: TitleKey, title: string): Promise<void> =>
  added(key, 'first', `${title} is next.`)

export async function addToQueue(key: TitleKey, title: string): Promise<void> {
  let isThere = false
  await change('queue', (rows) => {
    isThere = rows.some((row) => row.key === key)
    return put(rows, key, 'last', { kind: 'queue' })
  })
  toast(isThere ? `${title} is in your queue already.` : `${title} is in your queue.`, undo(key, isThere))
}

async function added(key: TitleKey, where: 'first' | 'last', words: string) {
  let isThere = false
  await change('queue', (rows) => {
    isThere = rows.some((row) => row.key === key)
    return put(rows, key, where, { kind: 'queue' })
  })
  toast(words, undo(key, isThere))
}

const undo = (key: TitleKey, wasThere: boolean) =>
  wasThere ? {} : { action: { label: 'Undo', onPress: () => void takeOut(key) } }

export const takeOut = (key: TitleKey): Promise<void> => change('queue', (rows) => without(rows, key))

export const moveInQueue = (id: string, index: number): Promise<void> =>
  change('queue', (rows) => {
    const row = rows.find((each) => each.id === id)
    return row ? movedTo(rows, row, index) : []
  })

/** Changes rows of a kind; `work` sees those that stand. */
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
