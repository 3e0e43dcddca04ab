import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Navigates to the page that explains why this one can't be shown, and that returns here. The return address
 * is read once: it changes before the other page renders, and reading it again would cause an endless loop.
 */
export function GoInstead({ to }: { to: '/access-denied' | '/login' | '/server-error' }) {
  const router = useRouter()
  const here = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const [from] = useState(() => router.latestLocation)
  useEffect(() => {
    // Don't interrupt a navigation that has started, for example to the login (SESS-09).
    if (bare(from.pathname) === bare(here))
      void router.navigate({ to, search: { from: from.href }, replace: true })
  }, [router, to, from, here])
  return null
}

/** Matches of index routes end in a slash, their addresses don't. */
const bare = (path: string | undefined) => path?.replace(/\/$/, '')
