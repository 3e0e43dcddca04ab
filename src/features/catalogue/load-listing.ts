import type { QueryClient } from '@tanstack/react-query'
import type { BookFilter } from './filter.ts'
import { loadOptions } from './filter-options.ts'
import type { BookKind } from './model.ts'
import { booksQuery } from './queries.ts'

export async function loadListing(
  queryClient: QueryClient,
  kind: BookKind,
  filter: BookFilter,
): Promise<void> {
  await Promise.all([queryClient.ensureQueryData(booksQuery(kind, filter)), loadOptions(queryClient, filter)])
}
