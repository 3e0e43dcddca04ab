import type { QueryClient } from '@tanstack/react-query'
import { browseQuery, stylesQuery, type BrowseSection } from './queries.ts'
import type { ThemedSearch } from './themed-search.ts'

export async function loadThemed(
  queryClient: QueryClient,
  mark: Pick<BrowseSection, 'memoir' | 'writersDilemma' | 'availableAsCard'>,
  search: ThemedSearch,
): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(browseQuery({ ...mark, ...search })),
    queryClient.ensureQueryData(stylesQuery()),
  ])
}
