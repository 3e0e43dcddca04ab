import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'

/**
 * What the address asks for now. `shown` is what the loader has brought: while the next answer is on its way the
 * two differ, and a second press must add to the first, not undo it.
 */
export function useAskedSearch<T>(
  path: string,
  shown: T,
  read: (search: Readonly<Record<string, unknown>>) => T,
): T {
  const search: unknown = useLocation({
    select: (location) => (location.pathname === path ? location.search : undefined),
  })
  return useMemo(
    () => (search && typeof search === 'object' ? read(search as Record<string, unknown>) : shown),
    [search, shown, read],
  )
}
