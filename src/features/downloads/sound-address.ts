import { soundPath } from '#storage/sound-path.ts'
import { titleKey } from '#storage/title-key.ts'
import { readDownload } from './store.ts'

/** True if the worker answers ranges on this device; checked once per page, with the first stored chapter. */
let workerAnswers: boolean | undefined
const blobs = new Map<string, string>()

/**
 * The number under which a chapter is stored: the shop's owner may have moved it since.
 *
 * @param sound the SHA-256 of the chapter's file; without it the number decides
 */
export function storedNumber(
  stored: ReadonlyMap<number, string>,
  chapter: number,
  sound = '',
): number | undefined {
  const here = stored.get(chapter)
  if (here !== undefined && (sound === '' || here === '' || here === sound)) return chapter
  return sound === '' ? undefined : [...stored].find(([, each]) => each === sound)?.[0]
}

/**
 * The URL of a stored chapter, or undefined if it is not stored. Uses the worker if that works, since it
 * reads only what is played; else a `blob:` of the whole chapter (trap 15). Returns a promise only until the
 * worker has been checked: later a chapter change must not wait (trap 6).
 */
export function storedSound(
  ownerUuid: string,
  slug: string,
  chapter: number,
  sound?: string,
): string | undefined | Promise<string | undefined> {
  const { stored } = readDownload(titleKey('audio', slug))
  const number = storedNumber(stored, chapter, sound)
  if (number === undefined) return undefined
  const address = soundPath(ownerUuid, slug, number, stored.get(number))
  if (workerAnswers && navigator.serviceWorker?.controller) return address
  return blobs.get(address) ?? probe(ownerUuid, slug, number, address)
}

/** Wakes the worker and opens its database before a stored chapter is played. */
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
  // Two chapters are enough: the current one and the next.
  const [oldest] = blobs.keys()
  if (blobs.size >= 2 && oldest) {
    URL.revokeObjectURL(blobs.get(oldest) ?? '')
    blobs.delete(oldest)
  }
  const url = URL.createObjectURL(new Blob([bytes], { type: file.type }))
  blobs.set(address, url)
  return url
}
