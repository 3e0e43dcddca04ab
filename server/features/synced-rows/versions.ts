import { randomUUID } from 'node:crypto'
import { compareHeard, heardAtMs } from '../listening/place-order.ts'

/** What a device sends with a change. `agoSeconds` takes precedence over `changedAt`, the device's clock. */
export interface SentVersion {
  readonly eventId?: string
  readonly deviceId?: string
  readonly sequence?: number
  readonly changedAt?: string
  readonly agoSeconds?: number
}

export interface Version {
  readonly changedAt: Date
  readonly eventId: string | null
  readonly deviceId: string | null
  readonly sequence: number
}

/** Converts the sent time to the server's clock. Without an event id, each request is a change of its own. */
export const versionOf = (sent: SentVersion, now: Date): Version & { readonly eventId: string } => ({
  changedAt: new Date(heardAtMs({ heardAt: sent.changedAt, agoSeconds: sent.agoSeconds }, now.getTime())),
  eventId: sent.eventId?.toLowerCase() ?? randomUUID(),
  deviceId: sent.deviceId?.toLowerCase() ?? null,
  sequence: sent.sequence ?? 0,
})

/** False for the same event, sent again. */
export const isNewerVersion = (sent: Version, stored: Version): boolean =>
  sent.eventId !== stored.eventId && compareHeard(orderOf(sent), orderOf(stored)) > 0

const orderOf = ({ changedAt, eventId, deviceId, sequence }: Version) => ({
  heardAtMs: changedAt.getTime(),
  eventId: eventId ?? '',
  deviceId,
  sequence,
})
