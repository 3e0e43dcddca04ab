import { soundPath } from '#storage/sound-path.ts'
import { titleKey } from '#storage/title-key.ts'
import { readDownload } from './store.ts'

/** True if the worker answers ranges on this device; asked once a page, with the first stored chapter. */
let workerAnswers: boolean | undefined
const blobs = new Map<string, string>()

/**
 * The address of a stored chapter, or undefined where it is not stored. Through the worker where that works,
 * since it reads only what is heard; else a `blob:` of the whole chapter (trap 15). By promise only until the
 * first answer is known: later a chapter change must not wait (trap 6).
 */
export function storedSound(
  ownerUuid: string,
  slug: string,
  chapter: number,
): string | undefined | Promise<string | undefined> {
  if (!readDownload(titleKey('audio', slug)).stored.has(chapter)) return undefined
  const address = soundPath(ownerUuid, slug, chapter)
  if (workerAnswers && navigator.serviceWorker?.controller) return address
  return blobs.get(address) ?? probe(ownerUuid, slug, chapter, address)
}

/** Has the worker awake, and its database open, by the time a stored chapter is played from it. */
export function wakeWorker(address: string): void {
  if (workerAnswers) void answersRanges(address)
}

async function probe(ownerUuid: string, slug: string, chapter: number, address: string) {
  workerAnswers = await answersRanges(address)
  return workerAnswers ? address : blobAddress(ownerUuid, slug, chapter, address)
}

async function answersRanges(address: string): Promise<boolean> {
  if (!navigator.serviceWorker?.controller) return false
  try {
    const response = await fetch(address, { headers: { range: 'bytes=0-1' } })
    return response.status === 206 && (await response.arrayBuffer()).byteLength === 2
  } catch {
    return false
  }
}

async function blobAddress(ownerUuid: string, slug: string, chapter: number, address: string) {
  const { readWhole, storedFile } = await import('#storage/sound-store.ts')
  const key = titleKey('audio', slug)
  const [file, bytes] = await Promise.all([
    storedFile(ownerUuid, key, chapter),
    readWhole(ownerUuid, key, chapter),
  ])
  if (!file || !bytes) return undefined
  // Two chapters are enough: the one that is heard and the one that follows.
  const [oldest] = blobs.keys()
  if (blobs.size >= 2 && oldest) {
    URL.revokeObjectURL(blobs.get(oldest) ?? '')
    blobs.delete(oldest)
  }
  const url = URL.createObjectURL(new Blob([bytes], { type: file.type }))
  blobs.set(address, url)
  return url
}
