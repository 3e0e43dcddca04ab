/** Others are dropped, so that made-up links can't fill the cache. */
const KNOWN =
  /^(?:_?page|itemsPerPage|(?:styles|categories|locations|publishers|nationalities)\[\]|lengthHours\[(?:gte|lte)\]|pages\[gte\]|keyword|sort|direction|types|plan|order)$/

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

/** A broken link leads to "not found". API addresses stay: the API reports what is wrong. */
export function readableUrl(url: string): string {
  if (/^\/(?:api|media|dev|\.well-known)(?:\/|$)/.test(url)) return url
  try {
    decodeURI(url.split('?')[0]!)
    return url
  } catch {
    return '/404'
  }
}
