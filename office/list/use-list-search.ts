import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListSearch } from './list-types.ts'

/** The list's state is its address, so that it can be sent to a colleague and saved as a view. */
export function useListSearch() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    search,
    /** An empty value removes its key. */
    set: (changes: ListSearch) =>
      void navigate({
        to: '.',
        search: Object.fromEntries(
          Object.entries({ ...search, ...changes }).filter(([, value]) => value !== ''),
        ),
        replace: true,
        // A drawer may have its rows there.
        state: true,
        resetScroll: false,
      }),
    replaceAll: (next: ListSearch) => void navigate({ to: '.', search: { ...next } }),
  }
}
