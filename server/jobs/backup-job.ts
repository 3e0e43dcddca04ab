import { MINUTE_MS } from '#contract/durations.ts'
import { backUpSince, type Saved } from '../backup/nightly.ts'
import { progressInWords } from '../backup/progress.ts'
import type { Db } from '../db/open.ts'
import type { MediaStore } from '../integrations/media/media-store.ts'
import { selectJob, storeProgress } from './queries.ts'

export const BACKUP_JOB = 'backup'
const PROGRESS_EACH_MS = 1_000

/** The night's backup, or the one that the office asked for. */
export async function backUpIfDue(
  { db, config, media, now }: { db: Db; config: Saved; media: MediaStore; now: () => Date },
  folder: string,
  lastNight: Date,
): Promise<void> {
  const askedAt = (await selectJob(db, BACKUP_JOB))?.askedAt
  // The names of backups have no seconds.
  const asked = askedAt && new Date(Math.floor(askedAt.getTime() / MINUTE_MS) * MINUTE_MS)
  const since = asked && asked > lastNight ? asked : lastNight
  const progress = progressInWords(
    (text) => void storeProgress(db, BACKUP_JOB, text).catch(() => undefined),
    PROGRESS_EACH_MS,
  )
  await backUpSince(config, media, folder, since, now(), progress)
}
