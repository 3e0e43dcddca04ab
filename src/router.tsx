import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NOT_FOUND_DELAY_MS } from '#contract/limits.ts'
import type { RouteContext } from './app/start/query-client.ts'
import { routeTree } from './routeTree.gen'
import { FailedScreen } from '#app/problems/FailedScreen.tsx'
import { nextPaint } from '#ui/next-paint.ts'

/** The map of screens. The same on the server, where each request makes its own. */
export function createAppRouter(queryClient: QueryClient, answer: RouteContext['answer'] = {}) {
  let drawn = 0
  const router = createRouter({
    routeTree,
    context: { queryClient, answer },
    defaultPreload: 'intent',
    // The query cache decides what is fresh; the router asks it every time.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: FailedScreen,
    defaultPendingMs: NOT_FOUND_DELAY_MS,
    // Skip the first rendering if the user scrolled before hydration: it would scroll back to the top. On the
    // server it would write an inline script into the page, which the policy refuses.
    scrollRestoration: typeof document !== 'undefined' && (() => drawn++ > 0 || scrollY === 0),
    // Filters are readable in the address: `styles[]=1,2`.
    parseSearch: parsePlainSearch,
    stringifySearch: stringifyPlainSearch,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  const { navigate, preloadRoute } = router
  // Every link on the page compares itself with the new address, which takes a slow phone longer than a frame. What
  // stays on its page, such as a filter, shows the new address at once.
  router.navigate = async (options) => {
    const isLink = options.href === undefined && !options.replace
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `navigate` takes every address of `buildLocation`
    const to = isLink && router.buildLocation(options as never).pathname
    if (to !== false && to !== router.latestLocation.pathname) await nextPaint()
    await navigate(options)
  }
  router.preloadRoute = (options) => nextPaint().then(() => preloadRoute(options))
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

/** Every value is text; a screen's `validateSearch` gives it its type. */
function parsePlainSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

type AddressValue = string | number | boolean | readonly (string | number)[] | null | undefined

function stringifyPlainSearch(search: Record<string, AddressValue>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
      continue
    query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = query.toString().replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',')
  return text ? `?${text}` : ''
}
