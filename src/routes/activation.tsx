import { createFileRoute, Navigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { has } from '#features/shop-details/shop.ts'
import { useSession } from '#session/store.ts'
import { PointOfSale } from '#routes/-outlets/PointOfSale.tsx'

export const Route = createFileRoute('/activation')({
  staticData: { frame: 'point-of-sale' },
  component: ActivationScreen,
})

/** The point of sale, for a bookshop's account only (SESS-06, SESS-07). */
function ActivationScreen() {
  const { ready, status, user } = useSession()
  if (ready && status !== 'user') return <Navigate to={has('cards') ? '/reseller' : '/login'} replace />
  // The server has not yet said whose account it is.
  if (!user) return <div aria-busy="true" />
  if (!user.outlet) return <Navigate to="/" replace />
  return (
    <>
      <PageHead title={has('cards') ? 'Activate card' : 'Your bookshop'} hidden />
      <PointOfSale owner={user.uuid} bookshop={user.outlet.name} />
    </>
  )
}
