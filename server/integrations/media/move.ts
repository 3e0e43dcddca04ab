import { join } from 'node:path'
import { fingerprint, fingerprintOf } from './files.ts'
import type { FolderStore } from './folder-store.ts'
import { everyFile, type MediaStore, type StoredMedia, StoreUnavailable } from './media-store.ts'
import { hashInPath } from './paths.ts'

export interface Moved {
  readonly copied: number
  readonly there: number
  readonly damaged: readonly string[]
}

type Target = Pick<MediaStore, 'list' | 'put' | 'remove' | 'stream'>

/** Sequential requests would each wait for the network; a store handles many at once. */
const AT_ONCE = 6

/**
 * An interrupted move can be continued; nothing is deleted.
 *
 * @param onBytes bytes in the store so far, and in total
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
  // Wait for all copies before throwing, so that none continues in the background.
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
