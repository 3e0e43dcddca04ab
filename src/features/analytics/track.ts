import { create } from 'zustand'
import { persist, type PersistStorage } from 'zustand/middleware'
import { followOtherTabs } from '#session/tabs.ts'
import { localStore } from '#storage/page-storage.ts'
import type { DataLayerEvent } from './events.ts'

export type Consent = 'on' | 'off'

interface ConsentState {
  /** Undefined until the user has answered, which counts as no. `unknown` in the server's markup. */
  readonly consent: Consent | 'unknown' | undefined
}

/** The answer belongs to the device, not to the account: logging out does not ask again. */
const KEY = 'analytics'

const isAnswer = (value: unknown): value is Consent => value === 'on' || value === 'off'

/** Stores the bare answer, without zustand's envelope, as earlier releases did. */
const storage: PersistStorage<ConsentState> = {
  getItem: (name) => {
    const answer = localStore.getItem(name)
    return { state: { consent: isAnswer(answer) ? answer : undefined } }
  },
  setItem: (name, { state: { consent } }) => {
    if (isAnswer(consent)) localStore.setItem(name, consent)
  },
  removeItem: localStore.removeItem,
}

export const useConsent = create<ConsentState>()(
  persist((): ConsentState => ({ consent: 'unknown' }), {
    name: KEY,
    storage,
    skipHydration: import.meta.env.SSR,
  }),
)

if (!import.meta.env.SSR) followOtherTabs(KEY, () => void useConsent.persist.rehydrate())

const hasConsent = (): boolean => useConsent.getState().consent === 'on'
export function giveConsent(consent: Consent): void {
  useConsent.setState({ consent })
}

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
