/** An address that cannot be read, as a broken link's, is a page that is not there; the API says what is wrong with it. */
export function readableUrl(url: string): string {
  if (/^\/(?:api|media|dev|\.well-known)(?:\/|$)/.test(url)) return url
  try {
    decodeURI(url.split('?')[0]!)
    return url
  } catch {
    return '/404'
  }
}
