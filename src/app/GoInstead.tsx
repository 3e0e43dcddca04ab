import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Leads to the page that says why this one cannot be shown, which leads back to it. The way back is asked for
 * once: while the other page is on its way the address is that page's already, and asking again never ends.
 */
export function GoInstead({ to }: { to: '/access-denied' | '/server-error' }) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  useEffect(() => void router.navigate({ to, search: { from }, replace: true }), [router, to, from])
  return null
}
