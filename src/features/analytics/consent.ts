import { create } from 'zustand'
import { persist, type PersistStorage } from 'zustand/middleware'
import { followOtherTabs } from '#session/tabs.ts'
import { localStore } from '#storage/page-storage.ts'

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

export const hasConsent = (): boolean => useConsent.getState().consent === 'on'
export function giveConsent(consent: Consent): void {
  useConsent.setState({ consent })
}
