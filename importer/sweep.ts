import { DAY_MS } from '#contract/durations.ts'
import type { Database } from '#server/db/open.ts'
import { everyFile, type MediaStore, type StoredMedia } from '#server/integrations/media/media-store.ts'
import { lockImports } from './lock.ts'
import { forgetMedia, selectNamedMedia } from './sweep-queries.ts'

export interface Unnamed {
  /** Nothing names them, and nothing has for a day. */
  readonly old: readonly StoredMedia[]
  /** They may belong to an import that is under way. */
  readonly young: readonly StoredMedia[]
}

/** What is stored and what nothing in the shop names any more. Files with names that we never give are left alone. */
export async function unnamedMedia(db: Database, media: MediaStore, now: Date): Promise<Unnamed> {
  // First the files: what is named after this was looked at is no more than named.
  const stored = await everyFile(media)
  const named = await selectNamedMedia(db)
  const unnamed = stored.filter(({ path }) => {
    const id = idIn(path)
    return id !== undefined && !named.has(id)
  })
  const isOld = ({ changedAt }: StoredMedia) => now.getTime() - changedAt.getTime() > DAY_MS
  return { old: unnamed.filter(isOld), young: unnamed.filter((file) => !isOld(file)) }
}

const BATCH = 200

/** Removes files that nothing names, looked at once more while nothing is brought in. Answers how many. */
export async function removeUnnamed(
  db: Database,
  media: Pick<MediaStore, 'remove'>,
  files: readonly StoredMedia[],
): Promise<number> {
  let removed = 0
  for (let from = 0; from < files.length; from += BATCH) {
    const batch = files.slice(from, from + BATCH)
    const gone = await db.transaction(async (tx) => {
      await lockImports(tx)
      const named = await selectNamedMedia(tx)
      const still = batch.filter(({ path }) => !named.has(idIn(path)!))
      await forgetMedia(tx, [...new Set(still.map(({ path }) => idIn(path)!))])
      return still
    })
    for (const { path } of gone) await media.remove(path)
    removed += gone.length
  }
  return removed
}

/** The hash or the cover that a file of ours is named by. */
const idIn = (path: string): string | undefined =>
  (/^[0-9a-f]{2}\/([0-9a-f]{64})\.(?:mp3|m4a|epub)$/.exec(path) ??
    /^covers\/[0-9a-f]{2}\/([0-9a-f]{32})-[0-9a-z]+\.(?:avif|webp|jpg)$/.exec(path))?.[1]
