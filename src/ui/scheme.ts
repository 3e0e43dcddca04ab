export type Scheme = 'system' | 'light' | 'dark'

/** The key of the setting; the script in index.html that runs before the first paint reads the same one. */
export const SCHEME_KEY = 'scheme'

/** The setting of this device; where storage is blocked, what this page shows. */
export function readScheme(): Scheme {
  const stored = read()
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Keeps the setting and shows it at once. */
export function writeScheme(scheme: Scheme) {
  if (scheme === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme
  try {
    if (scheme === 'system') localStorage.removeItem(SCHEME_KEY)
    else localStorage.setItem(SCHEME_KEY, scheme)
  } catch {
    // Without storage it lasts until the page is closed.
  }
}

function read(): string | null | undefined {
  try {
    return localStorage.getItem(SCHEME_KEY)
  } catch {
    return globalThis.document?.documentElement.dataset.scheme
  }
}
