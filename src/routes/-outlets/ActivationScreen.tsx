import { Navigate } from '@tanstack/react-router'
import { useSession } from '#session/store.ts'
import { has } from '#features/shop-details/shop.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { Counter } from './Counter.tsx'

/** The booksellers' counter, for a bookshop's account alone (SESS-06, SESS-07). */
export function ActivationScreen() {
  const { ready, status, user } = useSession()
  if (ready && status !== 'user') return <Navigate to={has('cards') ? '/reseller' : '/login'} replace />
  // Waits until the server has said whose account it is.
  if (!user) return <div aria-busy="true" />
  if (!user.outlet) return <Navigate to="/" replace />
  return (
    <>
      <PageHead title={has('cards') ? 'Activate card' : 'Your bookshop'} hidden />
      <Counter owner={user.uuid} bookshop={user.outlet.name} />
    </>
  )
}
