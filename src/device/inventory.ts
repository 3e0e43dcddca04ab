import { CHUNK_BYTES } from './chunk-size.ts'
import { soundDb, type StoredFile, type StoredTitle } from './sound-db.ts'
import type { TitleKey } from './title-key.ts'
import { watchQuery } from './watch-query.ts'

export interface Holding {
  title: StoredTitle
  /** The whole chapters, in order. */
  files: StoredFile[]
  /** Chapters that are under way: how many chunks of each are here. */
  begun: ReadonlyMap<number, number>
  /** All bytes held for it; what is under way is counted in whole chunks. */
  bytes: number
}

/** What is on this device, title by title. Reads no sound. */
export const listHoldings = (ownerUuid: string): Promise<Holding[]> =>
  soundDb.use(ownerUuid, async (db) => {
    const [titles, files, keys] = await Promise.all([
      db.titles.toArray(),
      db.files.toArray(),
      db.chunks.toCollection().primaryKeys(),
    ])
    return titles.map((title) => {
      const whole = files.filter((file) => file.title === title.key && file.complete === 1)
      const done = new Set(whole.map(({ chapter }) => chapter))
      const begun = new Map<number, number>()
      for (const [key, chapter] of keys) {
        if (key === title.key && !done.has(chapter)) begun.set(chapter, (begun.get(chapter) ?? 0) + 1)
      }
      const underWay = [...begun.values()].reduce((sum, chunks) => sum + chunks * CHUNK_BYTES, 0)
      return { title, files: whole, begun, bytes: whole.reduce((sum, file) => sum + file.bytes, underWay) }
    })
  })

export interface CheckResult {
  /** Titles that had been whole and no longer are: the listener is told. */
  lost: TitleKey[]
  /** Chunks that belonged to nothing. */
  orphans: number
}

/**
 * Compares what is promised with what is there, at start-up (trap 11): browsers clear parts of a store behind
 * the app. A chapter with a missing chunk is no longer whole; bytes nobody asked for are removed.
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
      // Also when the rows of whole chapters vanished: a title kept by the listener is fetched again.
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

/** Calls back now and after every change, made in whichever tab; returns a stop. */
export const watchHoldings = (ownerUuid: string, onHoldings: (holdings: Holding[]) => void): (() => void) =>
  watchQuery(soundDb, ownerUuid, () => listHoldings(ownerUuid), onHoldings)
