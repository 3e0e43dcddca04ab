import { useSession } from '#session/store.ts'
import type { AppRouter } from './router.tsx'

/** What a bookshop's account may open (SESS-06, SESS-12). */
const DESK = new Set(['/activation', '/reseller', '/server-error'])

let watching = false

/** A bookshop's account stays at its desk: from every other address it is taken there. */
export function keepAtDesk(router: AppRouter): void {
  const goToDesk = () => {
    const path = router.state.location.pathname.replace(/(?<=.)\/+$/, '')
    if (useSession.getState().user?.outlet && !DESK.has(path))
      void router.navigate({ to: '/activation', replace: true })
  }
  goToDesk()
  if (watching) return
  watching = true
  // Once it has arrived: a router that is sent elsewhere on its way may stay between the two.
  router.subscribe('onResolved', goToDesk)
}
