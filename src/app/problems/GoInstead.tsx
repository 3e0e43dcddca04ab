import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Goes to the page that says why this one cannot be shown, and which leads back here. The address to come back to is
 * read once: it changes before the other page shows, and reading it again would loop for ever.
 */
export function GoInstead({ to }: { to: '/access-denied' | '/login' | '/server-error' }) {
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
