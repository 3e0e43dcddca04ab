/**
 * Screens that show a person's own things: they render in the browser, and the server sends the bare shell.
 * Everything else is public: rendered here and kept.
 */
const PERSONAL =
  /^\/(?:login|sign-?up|app-sign-up|forgot-password|reset-password|confirm|activation|newsletter|library|downloads|settings|player|read|sample|access-denied|server-error|change-password|orders|payment|payment-successful|payment-problem|payment-successful-problem|get-book|shopping-bag|subscription-details)(?:\/|$)/

export const isPublicPage = (path: string): boolean => !PERSONAL.test(path)

/** Query parameters a page reads; others are dropped, so that no stranger's link fills the memory. */
const KNOWN =
  /^(?:_?page|itemsPerPage|(?:styles|categories|locations|publishers|nationalities)\[\]|lengthHours\[(?:gte|lte)\]|pages\[gte\]|keyword|sort|direction|types)$/

/** One spelling for a page: known parameters in order, no trailing slash. */
export function pageAddress(url: string): string {
  const [path = '/', search = ''] = url.split('?', 2)
  const known = [...new URLSearchParams(search)]
    .filter(([name]) => KNOWN.test(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const query = new URLSearchParams(known)
    .toString()
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%2C', ',')
  return (path === '/' ? '/' : path.replace(/\/+$/, '') || '/') + (query ? `?${query}` : '')
}
