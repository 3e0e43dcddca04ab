/** An address that can't be decoded, as in a broken link, is a page not found; the API says what is wrong with it. */
export function readableUrl(url: string): string {
  if (/^\/(?:api|media|dev|\.well-known)(?:\/|$)/.test(url)) return url
  try {
    decodeURI(url.split('?')[0]!)
    return url
  } catch {
    return '/404'
  }
}
