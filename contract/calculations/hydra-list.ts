export interface PageOf {
  readonly page: number
  readonly itemsPerPage: number
}

interface PageQuery {
  readonly page?: number
  readonly _page?: number
  readonly itemsPerPage?: number
}

/** `page` and `_page` are the same parameter (OP-56). */
export const pageOf = (query: PageQuery, itemsPerPage: number): PageOf => ({
  page: query.page ?? query._page ?? 1,
  itemsPerPage: query.itemsPerPage ?? itemsPerPage,
})

interface List<M> extends PageOf {
  readonly type: string
  readonly url: string
  readonly members: M[]
  readonly total: number
}

export function hydraList<M>({ type, url, members, total, page, itemsPerPage }: List<M>) {
  const address = new URL(url, 'http://shop')
  const path = address.pathname
  const last = Math.max(1, Math.ceil(total / itemsPerPage))
  const list = {
    '@context': `/api/contexts/${type}`,
    '@id': path,
    '@type': 'hydra:Collection' as const,
    'hydra:member': members,
    'hydra:totalItems': total,
  }
  if (last === 1 && address.search === '') return list

  const name = address.searchParams.has('_page') ? '_page' : 'page'
  const pageAddress = (number: number) => {
    const query = new URLSearchParams(address.searchParams)
    query.set(name, String(number))
    return `${path}?${readable(query)}`
  }
  const view = {
    '@id': address.search ? `${path}?${readable(address.searchParams)}` : path,
    '@type': 'hydra:PartialCollectionView' as const,
  }
  if (last === 1) return { ...list, 'hydra:view': view }
  return {
    ...list,
    'hydra:view': {
      ...view,
      'hydra:first': pageAddress(1),
      'hydra:last': pageAddress(last),
      ...(page > 1 ? { 'hydra:previous': pageAddress(Math.min(page - 1, last)) } : {}),
      ...(page < last ? { 'hydra:next': pageAddress(page + 1) } : {}),
    },
  }
}

/** A list that is never divided into pages. */
export const wholeList = <M>(type: string, url: string, members: M[]) =>
  hydraList({ type, url, members, total: members.length, page: 1, itemsPerPage: members.length || 1 })

/** Leaves brackets and commas unencoded, as in the URLs that the app shows. */
const readable = (query: URLSearchParams) =>
  query.toString().replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',')
