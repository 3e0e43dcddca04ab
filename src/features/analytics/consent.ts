import { localStore } from '#storage/page-storage.ts'

export type Consent = 'on' | 'off'

/** The key of the answer on this device. It is the device's, not the account's: a log-out does not ask again. */
const KEY = 'analytics'

const listeners = new Set<() => void>()

/** Undefined until somebody has answered, which counts as no. */
export function readConsent(): Consent | undefined {
  const answer = localStore.getItem(KEY)
  return answer === 'on' || answer === 'off' ? answer : undefined
}

export function giveConsent(consent: Consent): void {
  localStore.setItem(KEY, consent)
  for (const listener of listeners) listener()
}

/** Calls back when the answer changes, in this tab or in another. */
export function onConsent(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}
