import { flush } from '#device/flush.ts'
import { OUTBOX_SYNC } from '#device/messages.ts'
import { readValue } from '#device/values.ts'

/** The browser's own event, which the language's types do not know yet. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

/** The same flush as the page's, for a tab that was closed in the tunnel. A bonus: many browsers never call it. */
export function flushInBackground(event: Event): void {
  const sync = event as SyncEvent
  if (sync.tag === OUTBOX_SYNC) sync.waitUntil(sendWhatWaits())
}

async function sendWhatWaits() {
  const owner = await readValue('rememberedUser')
  if (!owner) return
  // Rejecting asks the browser to come again later.
  if ((await flush(owner.uuid)) === 'later') throw new Error('The server could not take it yet')
}
