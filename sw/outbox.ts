import { flush } from '#device/flush.ts'
import { OUTBOX_SYNC, type LeftBehind } from '#device/messages.ts'
import { keepPlace } from '#device/outbox.ts'
import { readValue } from '#device/values.ts'

/** The browser's own event and register, which the language's types do not know yet. */
interface SyncEvent {
  readonly tag: string
  readonly waitUntil: (work: Promise<unknown>) => void
}
export interface WithSync {
  readonly sync?: { readonly register: (tag: string) => Promise<void> }
}

/** The same flush as the page's, for a tab that was closed in the tunnel. A bonus: many browsers never call it. */
export function flushInBackground(event: Event): void {
  const sync = event as unknown as SyncEvent
  if (sync.tag === OUTBOX_SYNC) sync.waitUntil(sendWhatWaits())
}

async function sendWhatWaits() {
  const owner = await readValue('rememberedUser')
  if (!owner) return
  // Rejecting asks the browser to come again later.
  if ((await flush(owner.uuid)) === 'later') throw new Error('The server could not take it yet')
}

/**
 * The last word of a page that is gone: kept, which it could not wait for itself, and sent, should its own request
 * have met nobody. For the listener it names and no other: somebody else's token sends nothing of it.
 */
export async function keepLeftBehind({ ownerUuid, heard }: LeftBehind, { sync }: WithSync): Promise<void> {
  await keepPlace(ownerUuid, heard, { late: true })
  if ((await flush(ownerUuid)) !== 'later') return
  await sync?.register(OUTBOX_SYNC).catch(() => undefined)
}
