import { basename, extname } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { books } from '#server/db/schema/catalogue.ts'
import {
  selectChapters,
  updateMeasuredLength,
  writeChapters,
} from '#server/features/catalogue/chapters-queries.ts'
import { withField } from '#server/features/catalogue/title-state-queries.ts'
import { notifyInstances } from '#server/features/catalogue/queries.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import type { Shop } from '#server/shop.ts'
import { refused } from '#server/http/http-errors.ts'
import { writeMedia } from './apply.ts'
import { lockImports } from '#server/features/catalogue/vocabulary-queries.ts'
import { readEpub } from './readers/epub.ts'
import { readM4a, readMp3 } from './readers/sound.ts'
import { ImportRefused } from './refused.ts'

export interface Replacement {
  readonly sha256: string
  readonly bytes: number
  readonly extension: 'mp3' | 'm4a' | 'epub'
  readonly durationMs: number | null
}

const READERS: Readonly<Record<string, (path: string, name: string) => Promise<Replacement>>> = {
  '.mp3': readMp3,
  '.m4a': readM4a,
  '.epub': async (path, name) => ({ ...(await readEpub(path, name)), extension: 'epub', durationMs: null }),
}

/** @throws 422 with the import's reasons */
export async function readReplacement(path: string): Promise<Replacement> {
  const read = READERS[extname(path).toLowerCase()]
  if (!read) throw refused(`${path} is no MP3, M4A or EPUB file.`)
  try {
    const { sha256, bytes, extension, durationMs } = await read(path, basename(path))
    return { sha256, bytes, extension, durationMs }
  } catch (error) {
    if (error instanceof ImportRefused) throw refused(`${path} ${error.message}.`)
    throw refused(`${path} cannot be read.`)
  }
}

/** Existing buyers get the new file too. Places beyond the end of a shorter chapter move to its end. */
export async function replaceFile(
  { db, media }: Pick<Shop, 'db' | 'media'>,
  { bookId, chapter }: { readonly bookId: number; readonly chapter: number | null },
  path: string,
  file: Replacement,
): Promise<void> {
  const { sha256, bytes, durationMs } = file
  await media.put(mediaPath(file), { file: path, sha256, bytes })
  await db.transaction(async (tx) => {
    await lockImports(tx)
    await writeMedia(tx, [file], [])
    if (chapter === null) await tx.update(books).set({ fileId: sha256 }).where(eq(books.id, bookId))
    else {
      const before = await selectChapters(tx, bookId)
      const after = before.map((each, index) =>
        index === chapter - 1 ? { ...each, soundId: sha256, durationMs: durationMs ?? 0 } : each,
      )
      await writeChapters(tx, bookId, after)
      await updateMeasuredLength(tx, bookId, before, after)
    }
    await tx
      .update(books)
      .set({ updatedAt: sql`now()`, setByOwner: withField(chapter === null ? 'file' : `chapter ${chapter}`) })
      .where(eq(books.id, bookId))
    await notifyInstances(tx)
  })
}
