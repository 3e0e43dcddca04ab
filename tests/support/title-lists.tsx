import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  type AnyRoute,
} from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import type { Book } from '#contract/catalogue.ts'
import { FailedScreen } from '#app/problems/FailedScreen.tsx'
import { createQueryClient, type RouteContext } from '#app/start/query-client.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { Route as AudioBook } from '../../src/routes/audiobooks.$slug.tsx'
import { Route as AudioBooks } from '../../src/routes/audiobooks.index.tsx'
import { Route as Browse } from '../../src/routes/browse.tsx'
import { Route as EBook } from '../../src/routes/ebooks.$slug.tsx'
import { Route as EBooks } from '../../src/routes/ebooks.index.tsx'
import { Route as Editions } from '../../src/routes/editions.tsx'
import { Route as SearchArticles } from '../../src/routes/search-articles.tsx'
import { Route as SearchBooks } from '../../src/routes/search-books.tsx'
import { Route as Highlights } from '../../src/routes/subscriber-selection.tsx'

/** Odd books are of the first style, even ones of the second. */
export const STYLES = [
  { id: 1, title: 'Lyrical' },
  { id: 2, title: 'Plain' },
]

export const aBook = (number: number, more: object = {}): Book =>
  ({
    '@id': `/api/audio_books/harbour-${number}`,
    entityType: 'audioBook',
    id: number,
    slug: `harbour-${number}`,
    title: `Harbour ${String(number).padStart(2, '0')}`,
    cover: '',
    cover330: '/media/covers/a-330.webp',
    cover900: '/media/covers/a-900.webp',
    coverAlt: 'Boats',
    coverPlaceholder: null,
    price: 12,
    subscriptionPrice: 9.6,
    discountPrice: null,
    published: true,
    geoBlocked: false,
    inLibrary: false,
    edition: false,
    moveToLibrary: false,
    lengthHours: 4,
    lengthMin: 26,
    pages: null,
    style: STYLES[(number + 1) % 2],
    category: null,
    publisher: null,
    authors: [{ firstName: 'Orla', lastName: 'Finnegan', fullName: 'Orla Finnegan' }],
    narrators: [],
    download: null,
    hideDownload: false,
    sample: null,
    sampleSeconds: null,
    sampleText: null,
    preorder: null,
    retired: false,
    sampleOnly: false,
    summary: '<p>Boats.</p>',
    violence: false,
    publisherBookLink: null,
    publisherBookName: null,
    metaDescription: null,
    firstPublished: null,
    language: null,
    translator: null,
    locations: [],
    tags: [],
    audioFiles: [],
    chapters: [],
    spiSIN: null,
    audioBook: null,
    eBook: null,
    relatedArticles: [],
    relatedInterviews: [],
    relatedDiscussions: [],
    ...more,
  }) as unknown as Book

export const books = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => aBook(index + 1, more))

const WRITINGS = (['article', 'interview', 'discussion'] as const).flatMap((kind, at) =>
  [1, 2, 3].map((part) => ({
    [kind]: {
      entityType: kind,
      id: at * 3 + part,
      slug: `${kind}-${part}`,
      title: `On harbours, ${kind} ${part}`,
      summary: '',
      image: null,
      author: null,
      type: null,
      publishedAt: '2026-03-02T08:00:00Z',
      startsAt: null,
    },
  })),
)

const collection = (members: readonly unknown[], total = members.length) => ({
  'hydra:member': members,
  'hydra:totalItems': total,
})

/**
 * The catalogue API of a shop with these books, which also are its editions and highlights. `asked` lists the requests
 * in order. Requests named by `hold` wait for its `release`; those named by `fails` always fail.
 */
export function aShelf(stock: readonly Book[]) {
  let held: Promise<void> | undefined
  let letGo = () => {}
  const shop = {
    asked: [] as string[],
    fails: '',
    /** Additional responses, by path. */
    also: {} as Record<string, unknown>,
    holds: '',
    hold(path: string) {
      shop.holds = path
      held = new Promise((resolve) => (letGo = resolve))
    },
    release: async () => {
      shop.holds = ''
      await act(async () => letGo())
    },
  }
  const listed = (search: URLSearchParams) => {
    // The listing and the search name this parameter differently.
    const wanted = (search.get('styles[]') ?? search.get('styles'))?.split(',').map(Number)
    const hours = [
      Number(search.get('lengthHours[gte]') ?? 0),
      Number(search.get('lengthHours[lte]') ?? 99),
    ] as const
    const found = stock.filter(
      ({ style, lengthHours }) =>
        (wanted?.includes(style!.id) ?? true) && lengthHours! >= hours[0] && lengthHours! <= hours[1],
    )
    return pageOf(found, search)
  }
  const answer = (path: string, search: URLSearchParams): unknown => {
    if (path in shop.also) return shop.also[path]
    if (/^\/api\/(audio_books(\/second_editions)?|e_books)$/.test(path)) return listed(search)
    if (path === '/api/search_books') return found(listed(search), search)
    if (path === '/api/murmurations') {
      const kinds = search.get('search[]')?.split(',')
      const of = WRITINGS.filter((each) => kinds?.includes(`${Object.keys(each)[0]}s`) ?? true)
      return found(pageOf(of, search), search)
    }
    if (path === '/api/quick_results') {
      const nothing = search.get('keyword') === 'zzyzx'
      const articles = nothing ? [] : WRITINGS
      return { articles: articles.slice(0, 2), articlesTotal: articles.length, books: [], series: [] }
    }
    if (path === '/api/styles') return collection(STYLES)
    const [, slug] = /^\/api\/(?:audio_books|e_books)\/([^/]+)$/.exec(path) ?? []
    if (slug === undefined) return { ...collection([]), items: [] }
    const book = stock.find((each) => each.slug === slug)
    if (!book) throw new NetProblem('refused', 404)
    return book
  }
  const exchange = async ({ path, search = new URLSearchParams(), signal }: Exchange) => {
    shop.asked.push(search.size > 0 ? `${path}?${decodeURIComponent(search.toString())}` : path)
    if (shop.holds === path) await Promise.race([held, abortOf(signal)])
    if (shop.fails === path) throw new NetProblem('server', 500)
    return answer(path, search)
  }
  // The API identifies the user by the token.
  const token = `x.${btoa(JSON.stringify({ sub: 'nell' }))}.x`
  configureNet({ exchange, tokens: { read: async () => ({ token }) } } as never)
  return shop
}

/** The shelves, the books and both searches at their addresses, with their loaders. */
export async function atTheShelves(address: string) {
  const queryClient = createQueryClient()
  const root = createRootRouteWithContext<RouteContext>()({
    component: Outlet,
    notFoundComponent: () => <h1>Page not found</h1>,
  })
  const own = {
    '/audiobooks/': AudioBooks,
    '/audiobooks/$slug': AudioBook,
    '/ebooks/': EBooks,
    '/ebooks/$slug': EBook,
    '/browse': Browse,
    '/editions': Editions,
    '/subscriber-selection': Highlights,
    '/search-books': SearchBooks,
    '/search-articles': SearchArticles,
  }
  const others = ['/access-denied', '/server-error', '/login', '/murmurations'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => <h1>{path}</h1> }),
  )
  const router = createRouter({
    routeTree: root.addChildren([
      ...Object.entries(own).map(([path, route]) =>
        // The generated route tree does the same.
        (route as unknown as AnyRoute).update({ id: path, path, getParentRoute: () => root } as never),
      ),
      ...others,
    ]),
    history: createMemoryHistory({ initialEntries: [address] }),
    context: { queryClient, answer: {} },
    defaultErrorComponent: FailedScreen,
    // As in the app's router: every value is a string.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search).toString()
      return text ? `?${text}` : ''
    },
  })
  await router.load()
  await act(
    async () =>
      void render(
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router as never} />
        </QueryClientProvider>,
      ),
  )
  return {
    queryClient,
    router,
    path: () => router.latestLocation.pathname,
    /** The search parameters. */
    search: () => Object.fromEntries(new URLSearchParams(router.latestLocation.searchStr)),
    back: () => act(async () => router.history.back()),
  }
}

function pageOf(members: readonly unknown[], search: URLSearchParams) {
  const size = Number(search.get('itemsPerPage') ?? 12)
  const from = (Number(search.get('page') ?? search.get('_page') ?? 1) - 1) * size
  return collection(members.slice(from, from + size), members.length)
}

/** The search: `zzyzx` finds nothing, and the misspelt `harbuor` gets a suggestion. */
function found(page: ReturnType<typeof collection>, search: URLSearchParams) {
  const keyword = search.get('keyword')
  const none = keyword === 'zzyzx'
  return { ...(none ? collection([]) : page), didYouMean: keyword === 'harbuor' ? 'harbour' : null }
}

const abortOf = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError'))),
  )
