import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DECIBELS_PER_STEP, withGain } from '../../integrations/media/mp3-gain.ts'
import { fingerprint } from '../../integrations/media/files.ts'
import { mediaPath } from '../../integrations/media/paths.ts'
import type { Shop } from '../../shop.ts'
import { notifyInstances } from '../catalogue/queries.ts'
import { lockImports } from '../catalogue/vocabulary-queries.ts'
import {
  type ChapterLoudness,
  insertAdjustedSound,
  selectLoudness,
  updateChapterSound,
} from './loudness-queries.ts'

/** LUFS. What most apps of audiobooks and podcasts play at is between -16 and -20. */
const TARGET = -18
/** dBTP. A louder peak may be distorted by the decoder. */
const HIGHEST_PEAK = -1

export interface PlannedLoudness extends ChapterLoudness {
  /** Of the adjusted file, from the original; 0 is the original itself. */
  readonly wantedSteps: number
  /** What listeners hear now, and would hear, in LUFS. */
  readonly now: number | null
  readonly after: number | null
  /** Why the chapter stays as it is, though it is far from the target. */
  readonly reason: 'not-measured' | 'not-mp3' | 'peak' | null
}

/** How loud each chapter of an audiobook is, and would be if all were evened out; or, with `undo`, as they came. */
export async function planLoudness(
  { db }: Pick<Shop, 'db'>,
  bookId: number,
  { undo = false }: { readonly undo?: boolean } = {},
): Promise<PlannedLoudness[]> {
  const chapters = await selectLoudness(db, bookId)
  return chapters.map((chapter) => {
    const { loudness, steps } = chapter
    const { steps: wantedSteps, reason } = undo ? { steps: 0, reason: null } : wantedFor(chapter)
    const at = (given: number) => (loudness === null ? null : loudness + given * DECIBELS_PER_STEP)
    return { ...chapter, wantedSteps, reason, now: at(steps), after: at(wantedSteps) }
  })
}

/** The steps that come closest to the target without a peak above the highest. */
function wantedFor({ loudness, truePeak, extension, steps }: ChapterLoudness): Pick<
  PlannedLoudness,
  'reason'
> & {
  steps: number
} {
  if (loudness === null) return { steps, reason: 'not-measured' }
  const wanted = Math.round((TARGET - loudness) / DECIBELS_PER_STEP)
  if (wanted !== 0 && extension !== 'mp3') return { steps: 0, reason: 'not-mp3' }
  const room = Math.max(0, Math.floor((HIGHEST_PEAK - (truePeak ?? -Infinity)) / DECIBELS_PER_STEP))
  return wanted > room ? { steps: room, reason: 'peak' } : { steps: wanted, reason: null }
}

/**
 * Gives each chapter the planned volume: a file of its own, made from the original, which the shop keeps. Downloads keep
 * theirs until they are fetched again. Returns the numbers of the changed chapters.
 */
export async function changeLoudness(
  shop: Pick<Shop, 'db' | 'media' | 'config'>,
  bookId: number,
  planned: readonly PlannedLoudness[],
): Promise<number[]> {
  const changed: number[] = []
  for (const chapter of planned.filter(({ steps, wantedSteps }) => steps !== wantedSteps))
    if (await changeChapter(shop, bookId, chapter)) changed.push(chapter.number)
  if (changed.length > 0) await notifyInstances(shop.db)
  return changed
}

async function changeChapter(
  { db, media, config }: Pick<Shop, 'db' | 'media' | 'config'>,
  bookId: number,
  { number, soundId, originalId, extension, wantedSteps, loudness, truePeak }: PlannedLoudness,
): Promise<boolean> {
  const change = { bookId, number, from: soundId }
  if (wantedSteps === 0)
    return db.transaction(async (tx) => {
      await lockImports(tx)
      return updateChapterSound(tx, { ...change, to: originalId })
    })
  await mkdir(config.dataDir, { recursive: true })
  const folder = await mkdtemp(join(config.dataDir, 'loudness-'))
  try {
    const path = join(folder, 'sound.mp3')
    const original = await media.stream(mediaPath({ sha256: originalId, extension }))
    await pipeline(withGain(original, wantedSteps), createWriteStream(path))
    const file = await fingerprint(path)
    await media.put(mediaPath({ ...file, extension }), { file: path, ...file })
    return await db.transaction(async (tx) => {
      await lockImports(tx)
      const decibels = wantedSteps * DECIBELS_PER_STEP
      await insertAdjustedSound(tx, {
        ...file,
        originalId,
        steps: wantedSteps,
        loudness: loudness === null ? null : loudness + decibels,
        truePeak: truePeak === null ? null : truePeak + decibels,
      })
      return updateChapterSound(tx, { ...change, to: file.sha256 })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
