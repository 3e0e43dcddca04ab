import { listHoldings } from './inventory.ts'
import { removeAllSound } from './sound-store.ts'

const NAME = /^murmur-sound-(.+)$/

/** Bytes of other users' downloads on this device. For privacy it returns neither their owners nor their titles. */
export async function measureOthersSound(ownerUuid: string): Promise<number> {
  let bytes = 0
  for (const other of await others(ownerUuid))
    for (const holding of await listHoldings(other)) bytes += holding.bytes
  return bytes
}

/** Removes the downloads, but not those users' places, notes or libraries. */
export async function removeOthersSound(ownerUuid: string): Promise<void> {
  for (const other of await others(ownerUuid)) await removeAllSound(other)
}

/** Empty if the browser can't list its databases. */
async function others(ownerUuid: string): Promise<string[]> {
  const databases = (await globalThis.indexedDB.databases?.()) ?? []
  return databases.flatMap(({ name = '' }) => NAME.exec(name)?.[1] ?? []).filter((uuid) => uuid !== ownerUuid)
}
