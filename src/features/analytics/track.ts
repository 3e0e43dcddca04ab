import { readConsent } from './consent.ts'
import type { DataLayerEvent } from './events.ts'

type Events = typeof import('./events.ts')

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/**
 * Pushes an event to the data layer where the reader agreed; otherwise nothing happens, now or later (ANLT-01). The
 * code that makes the events is fetched with the first one: `tell((events) => events.viewItem(book))`.
 */
export async function track(make: (events: Events) => DataLayerEvent): Promise<void> {
  if (readConsent() !== 'on') return
  try {
    const event = make(await import('./events.ts'))
    // It may have been taken back while the code was on its way.
    if (readConsent() === 'on') (window.dataLayer ??= []).push(event)
  } catch {
    // Counting is the least thing a screen may stumble over.
  }
}
