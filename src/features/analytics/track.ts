import { hasConsent } from './consent.ts'
import type { DataLayerEvent } from './events.ts'

type Events = typeof import('./events.ts')

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/**
 * Pushes an event to the data layer if the user has consented (ANLT-01). The code that builds events is loaded with the
 * first one: `track((events) => events.viewItem(book))`.
 */
export async function track(make: (events: Events) => DataLayerEvent): Promise<void> {
  if (!hasConsent()) return
  try {
    const event = make(await import('./events.ts'))
    // Consent may have been withdrawn while the code was loading.
    if (hasConsent()) (window.dataLayer ??= []).push(event)
  } catch {
    // Never let analytics break a screen.
  }
}
