import type { Shop } from '../../shop.ts'
import { deviceNames } from '../account/devices.ts'
import type { StoredEvent } from './stored-event.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/** Skips the query if the response names only the calling device. */
export async function namesFor(
  { db }: Pick<Shop, 'db'>,
  userId: string,
  kept?: StoredEvent,
  asking?: string,
): Promise<ReadonlyMap<string, string>> {
  const needed =
    !kept || kept.otherPlace !== null || kept.bookTime.deviceId !== (asking?.toLowerCase() ?? null)
  return needed ? deviceNames(db, userId) : NONE
}
