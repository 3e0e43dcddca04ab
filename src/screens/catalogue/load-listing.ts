import type { QueryClient } from '@tanstack/react-query'
import type { BookFilter } from '#features/catalogue/filter.ts'
import { loadOptions } from '#features/catalogue/filter-options.ts'
import type { BookKind } from '#features/catalogue/model.ts'
import { booksQuery } from '#features/catalogue/queries.ts'

export async function loadListing(
  queryClient: QueryClient,
  kind: BookKind,
  filter: BookFilter,
): Promise<void> {
  await Promise.all([queryClient.ensureQueryData(booksQuery(kind, filter)), loadOptions(queryClient, filter)])
}
