import { CHUNK_BYTES } from './sound-path.ts'
import { soundDb, type SoundDb, type StoredFile, type StoredTitle } from './sound-db.ts'
import { chunksOfTitle, removeAllSound } from './sound-store.ts'
import type { TitleKey } from './title-key.ts'
import { watchQuery } from './places.ts'

export interface Holding {
  title: StoredTitle
  files: StoredFile[]
  begun: ReadonlyMap<number, number>
  /** All stored bytes; incomplete chapters are counted in whole chunks. */
  bytes: number
}

export const listHoldings = (ownerUuid: string): Promise<Holding[]> =>
  soundDb.use(ownerUuid, async (db) => {
    const [shelf, keys] = await Promise.all([readShelf(db), db.chunks.toCollection().primaryKeys()])
    const byTitle = groupedBy(keys, ([title]) => title)
    return shelf.map((entry) => holdingOf(entry, byTitle.get(entry.title.key) ?? []))
  })

type ChunkKey = [TitleKey, number, number]
type ShelfEntry = Pick<Holding, 'title' | 'files'>

async function readShelf(db: SoundDb): Promise<ShelfEntry[]> {
  const [titles, files] = await Promise.all([db.titles.toArray(), db.files.toArray()])
  const whole = groupedBy(
    files.filter(({ complete }) => complete === 1),
    ({ title }) => title,
  )
  return titles.map((title) => ({ title, files: whole.get(title.key) ?? [] }))
}

function holdingOf({ title, files }: ShelfEntry, keys: readonly ChunkKey[]): Holding {
  const whole = new Set(files.map(({ chapter }) => chapter))
  const begun = new Map<number, number>()
  for (const [, chapter] of keys) if (!whole.has(chapter)) begun.set(chapter, (begun.get(chapter) ?? 0) + 1)
  const underWay = [...begun.values()].reduce((sum, chunks) => sum + chunks * CHUNK_BYTES, 0)
  return { title, files, begun, bytes: files.reduce((sum, file) => sum + file.bytes, underWay) }
}

function groupedBy<T>(list: readonly T[], keyOf: (item: T) => TitleKey): ReadonlyMap<TitleKey, T[]> {
  const groups = new Map<TitleKey, T[]>()
  for (const item of list) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

interface CheckResult {
  lost: TitleKey[]
  orphans: number
}

/**
 * Compares the records with the stored chunks at start-up (trap 11): browsers clear parts of a store behind
 * the app. A chapter with a missing chunk becomes incomplete; chunks without a title are removed.
 */
export const checkHoldings = (ownerUuid: string): Promise<CheckResult> =>
  soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.titles, db.files, db.chunks, async () => {
      const titles = new Map((await db.titles.toArray()).map((title) => [title.key, title]))
      const keys = await db.chunks.toCollection().primaryKeys()
      const counts = new Map<string, number>()
      for (const [title, chapter] of keys) {
        counts.set(`${title} ${chapter}`, (counts.get(`${title} ${chapter}`) ?? 0) + 1)
      }

      const orphans = keys.filter(
        ([title, wanted]) => !titles.get(title)?.files.some(({ chapter }) => chapter === wanted),
      )
      await db.chunks.bulkDelete(orphans)

      const lost = new Set<TitleKey>()
      const files = await db.files.toArray()
      for (const file of files) {
        const owner = titles.get(file.title)
        if (owner && counts.get(`${file.title} ${file.chapter}`) === file.chunkCount) continue
        await db.files.delete([file.title, file.chapter])
        if (owner) lost.add(file.title)
      }
      /**
       * Also if the rows of complete chapters vanished: a title that the listener downloaded is fetched
       * again.
       */
      const whole = new Set((await db.files.toArray()).map(({ title, chapter }) => `${title} ${chapter}`))
      for (const title of titles.values()) {
        const complete = title.files.every(({ chapter }) => whole.has(`${title.key} ${chapter}`))
        if (title.kept === 1 && title.wanted === 0 && !title.failure && !complete) {
          lost.add(title.key)
          await db.titles.update(title.key, { wanted: 1 })
        }
      }
      for (const key of lost) await db.titles.update(key, { lost: titles.get(key)?.kept ?? 0 })
      return { lost: [...lost], orphans: orphans.length }
    }),
  )

/**
 * Calls back now and after every change in any tab; returns a stop. Each incomplete title has its own query
 * over its chunks, so that the cost of one more chunk doesn't depend on the number of titles.
 */
export function watchHoldings(ownerUuid: string, onHoldings: (holdings: Holding[]) => void): () => void {
  let shelf: readonly ShelfEntry[] = []
  const unfinished = new Map<TitleKey, Count>()
  const held = new Map<TitleKey, Holding>()

  const notify = () => {
    const holdings = shelf.flatMap(({ title }) => held.get(title.key) ?? [])
    if (holdings.length === shelf.length) onHoldings(holdings)
  }
  const putEntry = (entry: ShelfEntry) => {
    const { key } = entry.title
    const keys = isWhole(entry) ? [] : unfinished.get(key)?.keys
    if (keys) held.set(key, holdingOf(entry, keys))
  }
  const begin = (key: TitleKey) => {
    const read = () => soundDb.use(ownerUuid, (db) => chunksOfTitle(db, key).primaryKeys())
    const counted = (keys: readonly ChunkKey[]) => {
      count.keys = keys
      const entry = shelf.find(({ title }) => title.key === key)
      if (entry) putEntry(entry)
      notify()
    }
    const count: Count = { keys: undefined, stop: watchQuery(read, counted) }
    unfinished.set(key, count)
  }
  const stop = watchQuery(
    () => soundDb.use(ownerUuid, readShelf),
    (entries) => {
      shelf = entries
      const open = new Set(entries.filter((entry) => !isWhole(entry)).map(({ title }) => title.key))
      for (const [key, count] of unfinished) {
        if (open.has(key)) continue
        count.stop()
        unfinished.delete(key)
      }
      for (const key of open) if (!unfinished.has(key)) begin(key)
      held.clear()
      for (const entry of entries) putEntry(entry)
      notify()
    },
  )
  return () => {
    stop()
    for (const count of unfinished.values()) count.stop()
  }
}

interface Count {
  keys: readonly ChunkKey[] | undefined
  readonly stop: () => void
}

const isWhole = ({ title, files }: ShelfEntry) => {
  const stored = new Set(files.map(({ chapter }) => chapter))
  return title.files.every(({ chapter }) => stored.has(chapter))
}

const NAME = /^murmur-sound-(.+)$/

/** Bytes of other users' downloads on this device. For privacy it returns neither their owners nor their titles. */
export async function measureOthersSound(ownerUuid: string): Promise<number> {
  let bytes = 0
  for (const other of await others(ownerUuid))
    for (const holding of await listHoldings(other)) bytes += holding.bytes
  return bytes
}

export async function removeOthersSound(ownerUuid: string): Promise<void> {
  for (const other of await others(ownerUuid)) await removeAllSound(other)
}

/** Empty if the browser can't list its databases. */
async function others(ownerUuid: string): Promise<string[]> {
  const databases = (await globalThis.indexedDB.databases?.()) ?? []
  return databases.flatMap(({ name = '' }) => NAME.exec(name)?.[1] ?? []).filter((uuid) => uuid !== ownerUuid)
}
