/**
 * Maps an address that can't be decoded, as in a broken link, to the page "not found". API addresses stay as they are:
 * the API reports what is wrong.
 */
export function readableUrl(url: string): string {
  if (/^\/(?:api|media|dev|\.well-known)(?:\/|$)/.test(url)) return url
  try {
    decodeURI(url.split('?')[0]!)
    return url
  } catch {
    return '/404'
  }
}
