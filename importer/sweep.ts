import { DAY_MS } from '#contract/durations.ts'
import type { Database } from '#server/db/open.ts'
import { everyFile, type MediaStore, type StoredMedia } from '#server/integrations/media/media-store.ts'
import { lockImports } from './lock.ts'
import { forgetMedia, selectNamedMedia } from './sweep-queries.ts'

export interface Unnamed {
  /** Unused, and stored more than a day ago. */
  readonly old: readonly StoredMedia[]
  /** Unused, but possibly part of a running import. */
  readonly young: readonly StoredMedia[]
}

/** Lists stored files that the shop no longer uses. Ignores files whose names the shop would not create. */
export async function unnamedMedia(db: Database, media: MediaStore, now: Date): Promise<Unnamed> {
  // List the files first: a file stored after this cannot be mistaken for an unused one.
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

/**
 * Removes unused files. Each batch is checked again while imports are locked out.
 *
 * @returns the number of removed files
 */
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

/** The media or cover id in a file name; undefined for files that the shop did not create. */
const idIn = (path: string): string | undefined =>
  (/^[0-9a-f]{2}\/([0-9a-f]{64})\.(?:mp3|m4a|epub)$/.exec(path) ??
    /^covers\/[0-9a-f]{2}\/([0-9a-f]{32})-[0-9a-z]+\.(?:avif|webp|jpg)$/.exec(path))?.[1]
