import type { Holding } from '#storage/inventory.ts'
import type { DownloadFailure, StoredTitle } from '#storage/sound-db.ts'
import { CHUNK_BYTES } from '#storage/sound-path.ts'
import type { TitleKey } from '#storage/title-key.ts'

export interface Download {
  readonly key: TitleKey
  readonly state: 'none' | 'waiting' | 'downloading' | 'done' | 'failed'
  readonly failure: DownloadFailure | null
  /** From 0 to 1. */
  readonly share: number
  readonly bytes: number
  readonly totalBytes: number
  /** By the number of the stored chapter: the SHA-256 of its sound, empty if unknown. */
  readonly stored: ReadonlyMap<number, string>
  readonly coming: number | undefined
}

export const isRunning = ({ state }: Pick<Download, 'state'>): boolean =>
  state === 'downloading' || state === 'waiting'

/** A download that has come this far is not removed without a question. */
export const isMuch = ({ state, share }: Download): boolean => state === 'done' || share >= 0.1

export const noDownload = (key: TitleKey): Download => ({
  key,
  state: 'none',
  failure: null,
  share: 0,
  bytes: 0,
  totalBytes: 0,
  stored: new Map(),
  coming: undefined,
})

/**
 * The state of each title's download. One is fetched at a time, in the order of the requests.
 *
 * @param failed failures that could not be stored on the device.
 */
export function downloadsFrom(
  holdings: readonly Holding[],
  online: boolean,
  failed: ReadonlyMap<TitleKey, DownloadFailure> = new Map(),
): Map<TitleKey, Download> {
  // A failure that a full device could not store is only known to this page.
  const told = holdings.map((holding): Holding => {
    const failure = holding.title.failure ?? failed.get(holding.title.key)
    return failure ? { ...holding, title: { ...holding.title, failure, wanted: 0 } } : holding
  })
  const first = nextWanted(told.map(({ title }) => title))?.key
  return new Map(
    told.map((holding) => [holding.title.key, downloadOf(holding, holding.title.key === first && online)]),
  )
}

export const nextWanted = (titles: readonly StoredTitle[]): StoredTitle | undefined =>
  titles
    .filter(({ wanted }) => wanted === 1)
    .sort((a, b) => a.addedAtMs - b.addedAtMs || a.key.localeCompare(b.key))[0]

function downloadOf({ title, files, begun, bytes }: Holding, isNext: boolean): Download {
  const stored = new Map(files.map(({ chapter, sha256 }) => [chapter, sha256]))
  const totalBytes = title.files.reduce((sum, file) => sum + file.bytes, 0)
  const inProgress = title.files.reduce(
    (sum, file) =>
      sum +
      (stored.has(file.chapter)
        ? file.bytes
        : Math.min(file.bytes, (begun.get(file.chapter) ?? 0) * CHUNK_BYTES)),
    0,
  )
  const whole = title.files.length > 0 && title.files.every(({ chapter }) => stored.has(chapter))
  return {
    key: title.key,
    state: stateOf(title, whole, isNext),
    failure: title.failure,
    share: whole ? 1 : totalBytes > 0 ? inProgress / totalBytes : 0,
    bytes,
    totalBytes: totalBytes || bytes,
    stored,
    coming: title.wanted === 1 ? title.files.find(({ chapter }) => !stored.has(chapter))?.chapter : undefined,
  }
}

function stateOf(
  { kept, wanted, failure }: Holding['title'],
  whole: boolean,
  isNext: boolean,
): Download['state'] {
  if (kept === 0) return 'none'
  if (failure) return 'failed'
  if (whole) return 'done'
  return wanted === 1 && isNext ? 'downloading' : 'waiting'
}

export const FAILURE_WORDS: Record<DownloadFailure, string> = {
  space: 'This device is full. Make some room and try again.',
  refused: 'This title can’t be downloaded just now. Try again later.',
  broken: 'The download didn’t finish. Try again.',
}

/** Its files are not made yet (BOOK-25). Nothing is stored for such a title; the listener can retry later. */
export class NothingYet extends Error {
  readonly words = 'There’s nothing to download yet. Its files are still being made.'
}
