import { soundDb, type SoundDb, type StoredTitle } from './sound-db.ts'
import { chunksOf, chunksOfTitle } from './sound-store.ts'
import type { TitleKey } from './title-key.ts'

type Renewal = Pick<StoredTitle, 'files'> &
  Partial<Pick<StoredTitle, 'title' | 'authors' | 'narrators' | 'page'>>

/**
 * Stores an audiobook's new chapters, and moves the stored sound to the chapters that have it now. Sound that
 * no chapter has any more is removed. One transaction, so that names and sound agree at every moment.
 */
export const renewTitle = (ownerUuid: string, key: TitleKey, renewal: Renewal): Promise<void> =>
  soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.titles, db.files, db.chunks, async () => {
      const title = await db.titles.get(key)
      if (!title) return
      const stored = await db.files.where('title').equals(key).toArray()
      const known = new Map(title.files.map(({ chapter, sha256 }) => [chapter, sha256]))
      const moves: Move[] = []
      const kept = new Set<number>()
      const files = renewal.files.flatMap(({ chapter, sha256 }) => {
        const same = stored.filter((file) => sha256 !== '' && file.sha256 === sha256)
        const file = same.find((each) => each.chapter === chapter) ?? same[0]
        if (file && file.chapter !== chapter) moves.push({ from: file.chapter, to: chapter })
        // Also the beginning of a chapter that is not complete yet.
        if (file || known.get(chapter) === sha256) kept.add(chapter)
        return file ? [{ ...file, chapter }] : []
      })
      await moveChunks(db, key, moves)
      const chunks = await chunksOfTitle(db, key).primaryKeys()
      await db.chunks.bulkDelete(chunks.filter(([, chapter]) => !kept.has(chapter)))
      await db.files.where('title').equals(key).delete()
      await db.files.bulkPut(files)
      const isIncomplete = files.length < renewal.files.length
      await db.titles.update(key, { ...renewal, failure: null, wanted: title.kept && isIncomplete ? 1 : 0 })
    }),
  )

interface Move {
  from: number
  readonly to: number
}

/** No title has a chapter with this number. */
const SPARE = 1_000_000

/** First to chapters that are free. If none is, chapters have changed places: then one of them is set aside. */
async function moveChunks(db: SoundDb, key: TitleKey, moves: Move[]): Promise<void> {
  const pending = [...moves]
  while (pending.length > 0) {
    const free = pending.findIndex(({ to }) => pending.every(({ from }) => from !== to))
    if (free >= 0) {
      const move = pending[free]!
      pending.splice(free, 1)
      await copyChunks(db, key, move)
    } else {
      const { from } = pending[0]!
      await copyChunks(db, key, { from, to: SPARE })
      for (const move of pending) if (move.from === from) move.from = SPARE
    }
  }
}

/** One at a time: a chapter may have 500 MB. */
async function copyChunks(db: SoundDb, title: TitleKey, { from, to }: Move): Promise<void> {
  await chunksOf(db, title, to).delete()
  for (const chunkKey of await chunksOf(db, title, from).primaryKeys()) {
    const chunk = await db.chunks.get(chunkKey)
    if (chunk) await db.chunks.put({ ...chunk, chapter: to })
  }
}
