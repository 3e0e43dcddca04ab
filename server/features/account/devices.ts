import type { Db } from '../../db/open.ts'
import type { Caller } from '../../auth/access.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { renameDevice, selectDeviceNames, selectLiveSessions, revokeSessions } from './queries.ts'

export async function deviceNames(db: Db, userId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await selectDeviceNames(db, userId)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A device with all its sessions. It has two after the user clears local storage and logs in again. */
export interface LoggedInDevice {
  readonly id: string
  readonly name: string
  readonly browser: string
  readonly isCurrent: boolean
  readonly lastSeenAt: Date
  readonly loggedInAt: Date
  readonly sessionIds: readonly string[]
}

export async function loggedInDevices({ db, now }: Shop, caller: Caller): Promise<LoggedInDevice[]> {
  const devices = new Map<string, LoggedInDevice>()
  for (const row of await selectLiveSessions(db, caller.userId, now())) {
    // A session from before devices were recorded is listed as a device of its own.
    const id = row.deviceId ?? row.sessionId
    const browser = row.viewedBy ? 'Read only, for half an hour' : (row.browser ?? 'Unknown browser')
    const seen = devices.get(id) ?? {
      id,
      name: row.viewedBy ? `${row.viewedBy}, who helps you, sees the shop as you` : (row.name ?? browser),
      browser,
      isCurrent: false,
      lastSeenAt: row.usedAt,
      loggedInAt: row.createdAt,
      sessionIds: [],
    }
    devices.set(id, {
      ...seen,
      isCurrent: seen.isCurrent || row.sessionId === caller.sessionId,
      sessionIds: [...seen.sessionIds, row.sessionId],
    })
  }
  return [...devices.values()].sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}

async function deviceOf(shop: Shop, caller: Caller, id: string): Promise<LoggedInDevice> {
  const device = (await loggedInDevices(shop, caller)).find((one) => one.id === id.toLowerCase())
  if (!device) throw notFound()
  return device
}

export async function nameDevice(
  shop: Shop,
  caller: Caller,
  { id, name }: { id: string; name: string },
): Promise<LoggedInDevice> {
  const device = await deviceOf(shop, caller, id)
  const named = name.trim()
  if (!(await renameDevice(shop.db, caller.userId, device.id, named))) throw notFound()
  return { ...device, name: named }
}

/** The device removes the account's data at its next request. */
export async function logOutDevice(shop: Shop, caller: Caller, id: string): Promise<void> {
  const { sessionIds } = await deviceOf(shop, caller, id)
  await endSessions(shop, caller.userId, { only: sessionIds })
  noteSecurity(shop, 'device_logged_out', caller)
}

export async function logOutElsewhere(shop: Shop, caller: Caller): Promise<void> {
  await endSessions(shop, caller.userId, { keep: caller.sessionId })
  noteSecurity(shop, 'logged_out_elsewhere', caller)
}

async function endSessions(
  shop: Shop,
  userId: string,
  which: { keep?: string; only?: readonly string[] },
): Promise<void> {
  const ended = await shop.db.transaction((tx) =>
    revokeSessions(tx, userId, { ...which, removesData: true }, shop.now()),
  )
  for (const id of ended) liveSessionsOf(shop).forget(id)
}
