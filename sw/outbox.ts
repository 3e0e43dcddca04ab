import { flush } from '#sync/flush.ts'
import { OUTBOX_SYNC, type PlaceOnClose } from '#storage/messages.ts'
import { keepPlace } from '#sync/outbox.ts'
import { readRemovals } from '#storage/removals.ts'
import { readValue } from '#storage/values.ts'

/** The browser's own event and register, which the language's types do not know yet. */
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

/** The same flush as the page's, for a tab that was closed in the tunnel. A bonus: many browsers never call it. */
export function flushInBackground(event: SyncEvent): void {
  if (event.tag === OUTBOX_SYNC) event.waitUntil(sendWhatWaits())
}

async function sendWhatWaits() {
  const owner = await readValue('rememberedUser')
  if (!owner) return
  // Rejecting asks the browser to come again later.
  if ((await flush(owner.uuid)) === 'waiting') throw new Error('The server could not take it yet')
}

/**
 * The last word of a page that is gone: kept, which it could not wait for itself, and sent, should its own request
 * have met nobody. For the listener it names and no other: somebody else's token sends nothing of it.
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
