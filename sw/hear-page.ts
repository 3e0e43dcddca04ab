import type { WorkerMessage } from '#device/messages.ts'
import { fetchAndKeepPublic } from './catalogue.ts'
import { warmCover } from './covers.ts'

declare const self: ServiceWorkerGlobalScope

/** A first screen's worth: nobody's data plan pays for a catalogue they did not ask for. */
const MOST_ADDRESSES = 12
const MOST_COVERS = 60

export function hearPage(event: ExtendableMessageEvent): void {
  const message = event.data as WorkerMessage
  if (message.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  else if (message.type === 'WARM') event.waitUntil(warm(message.addresses.slice(0, MOST_ADDRESSES)))
}

async function warm(addresses: readonly string[]) {
  const covers = new Set<string>()
  for (const address of addresses) {
    const url = new URL(address, location.origin)
    if (url.origin !== location.origin || !url.pathname.startsWith('/api/')) continue
    const answer = await fetchAndKeepPublic(url.href, url.href).catch(() => undefined)
    if (answer?.ok)
      for (const cover of coversIn(await answer.json().catch(() => undefined))) covers.add(cover)
  }
  for (const cover of [...covers].slice(0, MOST_COVERS)) await warmCover(cover).catch(() => undefined)
}

interface WithCover {
  cover330?: string
  'hydra:member'?: WithCover[]
}

function coversIn(body: WithCover | undefined): string[] {
  const own = body?.cover330 ? [new URL(body.cover330, location.origin).href] : []
  return [...own, ...(body?.['hydra:member'] ?? []).flatMap(coversIn)]
}
