export type Scheme = 'system' | 'light' | 'dark'

/** Where the setting lies; the script in index.html that runs before the first paint reads the same key. */
export const SCHEME_KEY = 'scheme'

/** The setting of this device. Blocked storage counts as "system". */
export function readScheme(): Scheme {
  try {
    const stored = localStorage.getItem(SCHEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Keeps the setting and shows it at once. */
export function writeScheme(scheme: Scheme) {
  if (scheme === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme
  try {
    if (scheme === 'system') localStorage.removeItem(SCHEME_KEY)
    else localStorage.setItem(SCHEME_KEY, scheme)
  } catch {
    // Private windows without storage keep it until they close.
  }
}
