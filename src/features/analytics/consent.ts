export type Consent = 'on' | 'off'

/** Where the answer lies on this device. It is the device's, not the account's: a log-out does not ask again. */
const KEY = 'analytics'

const listeners = new Set<() => void>()
/** Where storage is blocked the answer holds until the page is closed. */
let answered: Consent | undefined

/** Undefined until somebody has answered, which counts as no. */
export function readConsent(): Consent | undefined {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'on' || kept === 'off' ? kept : answered
  } catch {
    return answered
  }
}

export function giveConsent(consent: Consent): void {
  answered = consent
  try {
    localStorage.setItem(KEY, consent)
  } catch {
    // See `answered`.
  }
  for (const listener of listeners) listener()
}

/** Calls back when the answer changes, in this tab or in another. */
export function onConsent(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', hear)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', hear)
  }
}
