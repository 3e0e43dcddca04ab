export type Scheme = 'system' | 'light' | 'dark'

/** The setting's key; also read by the script in index.html that runs before the first paint. */
const SCHEME_KEY = 'scheme'

/** This device's setting; if storage is blocked, this page's current scheme. */
export function readScheme(): Scheme {
  const stored = read()
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function writeScheme(scheme: Scheme) {
  if (scheme === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme
  try {
    if (scheme === 'system') localStorage.removeItem(SCHEME_KEY)
    else localStorage.setItem(SCHEME_KEY, scheme)
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
}

function read(): string | null | undefined {
  try {
    return localStorage.getItem(SCHEME_KEY)
  } catch {
    return globalThis.document?.documentElement.dataset.scheme
  }
}
