import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'

/**
 * The search in the address. `shown` is what the loader has loaded: while the next answer loads the two differ, and a
 * second press must build on the first.
 */
export function useAskedSearch<T>(
  path: string,
  shown: T,
  read: (search: Readonly<Record<string, unknown>>) => T,
): T {
  const search: Readonly<Record<string, unknown>> | undefined = useLocation({
    select: (location) => (location.pathname === path ? location.search : undefined),
  })
  const asked = useMemo(() => search && read(search), [search, read])
  return asked ?? shown
}
