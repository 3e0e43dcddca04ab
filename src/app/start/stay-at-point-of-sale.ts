import type { RegisteredRouter } from '@tanstack/react-router'
import { useSession } from '#session/store.ts'

/** Bookshops see the error page too. */
const FAILURE = '/server-error'

let watching = false

/** Redirects a bookshop's account from all other addresses to the point of sale (SESS-06, SESS-12). */
export function stayAtPointOfSale(router: RegisteredRouter): void {
  const goToPointOfSale = () => {
    if (useSession.getState().user?.outlet && !isOpenTo(router, router.state.location.pathname))
      void router.navigate({ to: '/activation', replace: true })
  }
  goToPointOfSale()
  if (watching) return
  watching = true
  // Only after a navigation has finished: redirecting during one may leave the router between the two.
  router.subscribe('onResolved', goToPointOfSale)
}

function isOpenTo(router: RegisteredRouter, path: string): boolean {
  const route = router.getMatchedRoutes(path)[0].at(-1)
  return route?.id === FAILURE || route?.options.staticData?.frame === 'point-of-sale'
}
