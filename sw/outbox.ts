import { flush } from '#sync/flush.ts'
import { OUTBOX_SYNC, type PlaceOnClose } from '#storage/messages.ts'
import { keepPlace } from '#sync/outbox.ts'
import { readRemovals } from '#storage/removals.ts'
import { readValue } from '#storage/values.ts'

/** Background Sync types, which TypeScript's library lacks. */
declare global {
  interface SyncEvent extends Event {
    readonly tag: string
    readonly waitUntil: (work: Promise<unknown>) => void
  }
  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent
  }
  interface ServiceWorkerRegistration {
    readonly sync?: { readonly register: (tag: string) => Promise<void> }
  }
}

/**
 * The same flush as the page's, for a tab that was closed while offline. A bonus: many browsers never call
 * it.
 */
export function flushInBackground(event: SyncEvent): void {
  if (event.tag === OUTBOX_SYNC) event.waitUntil(sendWhatWaits())
}

async function sendWhatWaits() {
  const owner = await readValue('rememberedUser')
  if (!owner) return
  // Rejecting makes the browser retry later.
  if ((await flush(owner.uuid)) === 'waiting') throw new Error('The server could not take it yet')
}

/**
 * Stores the last position of a closed page, which couldn't wait for its own database, and sends it if the
 * page's own request failed. Only for the listener it names: it is never sent with another user's token.
 */
export async function storePlaceOnClose(
  { ownerUuid, heard }: PlaceOnClose,
  { sync }: Pick<ServiceWorkerRegistration, 'sync'>,
): Promise<void> {
  // Don't store a place for a user whose data was just removed from this device.
  if ((await readRemovals()).includes(ownerUuid)) return
  await keepPlace(ownerUuid, heard, { late: true })
  if ((await flush(ownerUuid)) !== 'waiting') return
  await sync?.register(OUTBOX_SYNC).catch(() => undefined)
}
