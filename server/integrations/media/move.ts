import { join } from 'node:path'
import { fingerprint, fingerprintOf } from './files.ts'
import type { FolderStore } from './folder-store.ts'
import { everyFile, type MediaStore, type StoredMedia, StoreUnavailable } from './media-store.ts'
import { hashInPath } from './paths.ts'

export interface Moved {
  /** Copied, and read back as they are. */
  readonly copied: number
  /** There already. */
  readonly there: number
  /** Files of the folder that are not what their names say; they are left out. */
  readonly damaged: readonly string[]
}

type Target = Pick<MediaStore, 'list' | 'put' | 'remove' | 'stream'>

/** A store answers one after the other as slowly as its distance; it takes many at once. */
const AT_ONCE = 6

/**
 * Copies a folder of media into a store. What is there already stays, so one that was interrupted goes on where it
 * stopped. Each file is compared with its name before, and read back after; nothing is removed.
 *
 * @param onBytes how much of how much is there by now
 * @throws {StoreUnavailable}
 */
export async function moveMedia(
  from: FolderStore,
  to: Target,
  onBytes: (done: number, all: number) => void = () => undefined,
): Promise<Moved> {
  const files = await everyFile(from)
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const known = new Map<string, number>()
  for await (const { path, bytes } of to.list()) known.set(path, bytes)
  const moved = { copied: 0, there: 0, damaged: new Array<string>() }
  let done = 0
  let isBroken = false
  const next = files.values()
  const copySome = async () => {
    for (const file of next) {
      if (isBroken) return
      if (known.get(file.path) === file.bytes) moved.there += 1
      else if (await copied(from, to, file)) moved.copied += 1
      else moved.damaged.push(file.path)
      onBytes((done += file.bytes), all)
    }
  }
  const copying = Array.from({ length: AT_ONCE }, () =>
    copySome().catch((error: unknown) => {
      isBroken = true
      throw error
    }),
  )
  // Nothing goes on behind whoever is told that it broke off.
  await Promise.allSettled(copying)
  await Promise.all(copying)
  return moved
}

async function copied(from: FolderStore, to: Target, { path }: StoredMedia): Promise<boolean> {
  const file = join(from.name, path)
  const { sha256, bytes } = await fingerprint(file)
  if ((hashInPath(path) ?? sha256) !== sha256) return false
  await to.put(path, { file, sha256, bytes })
  if ((await fingerprintOf(await to.stream(path))).sha256 === sha256) return true
  await to.remove(path)
  throw new StoreUnavailable(`The store of media gave back other bytes for ${path} than it was given.`)
}
