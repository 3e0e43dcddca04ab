import type { RegisteredRouter } from '@tanstack/react-router'
import { useSession } from '#session/store.ts'

/** A page that says that something failed is shown to a bookshop too. */
const FAILURE = '/server-error'

let watching = false

/** A bookshop's account stays at its desk: from every other address it is taken there (SESS-06, SESS-12). */
export function stayAtPointOfSale(router: RegisteredRouter): void {
  const goToPointOfSale = () => {
    if (useSession.getState().user?.outlet && !isOpenTo(router, router.state.location.pathname))
      void router.navigate({ to: '/activation', replace: true })
  }
  goToPointOfSale()
  if (watching) return
  watching = true
  // Once it has arrived: a router that is sent elsewhere on its way may stay between the two.
  router.subscribe('onResolved', goToPointOfSale)
}

function isOpenTo(router: RegisteredRouter, path: string): boolean {
  const route = router.getMatchedRoutes(path)[0].at(-1)
  return route?.id === FAILURE || route?.options.staticData?.frame === 'desk'
}
