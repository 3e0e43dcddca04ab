import { readValue, removeValue, writeValue } from './values.ts'

/** Users whose databases must not be opened again in this page or worker. */
const barred = new Set<string>()

export const isBarred = (ownerUuid: string): boolean => barred.has(ownerUuid)
export const bar = (ownerUuid: string): void => void barred.add(ownerUuid)

/** The user has logged in again: keep their data from now on. */
export async function admit(ownerUuid: string): Promise<void> {
  barred.delete(ownerUuid)
  const removals = await readRemovals()
  if (removals.includes(ownerUuid)) await writeRemovals(removals.filter((uuid) => uuid !== ownerUuid))
}

/** Users whose data is to be removed from this device; listed until a later start finds it removed. */
export const readRemovals = async (): Promise<readonly string[]> =>
  (await readValue('removals').catch(() => undefined)) ?? []

/**
 * Recorded before the removal begins, so that an interrupted one is finished later and other tabs join in.
 */
export async function requestRemoval(ownerUuid: string): Promise<void> {
  await writeRemovals([...new Set([...(await readRemovals()), ownerUuid])])
}

export const writeRemovals = (uuids: readonly string[]): Promise<void> =>
  (uuids.length > 0 ? writeValue('removals', uuids) : removeValue('removals')).catch(() => undefined)
