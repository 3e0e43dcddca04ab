import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Leads to the page that says why this one cannot be shown, which leads back to it. The way back is asked for
 * once: while the other page is on its way the address is that page's already, and asking again never ends.
 */
export function GoInstead({ to }: { to: '/access-denied' | '/server-error' }) {
  const router = useRouter()
  const here = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const [from] = useState(() => router.latestLocation)
  useEffect(() => {
    // Somebody who is already being led away, to the log-in perhaps, is not called back (SESS-09).
    if (bare(from.pathname) === bare(here))
      void router.navigate({ to, search: { from: from.href }, replace: true })
  }, [router, to, from, here])
  return null
}

/** The match of an index route ends in a slash, the address of its page does not. */
const bare = (path: string | undefined) => path?.replace(/\/$/, '')
