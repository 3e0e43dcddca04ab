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
  const search: Readonly<Record<string, unknown>> | undefined = useLocation({
    select: (location) => (location.pathname === path ? location.search : undefined),
  })
  return useMemo(() => (search ? read(search) : shown), [search, shown, read])
}
