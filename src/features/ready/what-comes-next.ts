import type { QueryClient } from '@tanstack/react-query'
import { listPlaces } from '#device/places.ts'
import { libraryQuery } from '#features/library/queries.ts'

/**
 * The audiobooks that are likely to be heard next, by slug, the likeliest first: those that were begun, the one heard last first;
 * then those of the library that nobody has begun, in its order. The one place that decides it: a queue and the next of a series
 * come in here.
 */
export async function whatComesNext(queryClient: QueryClient, owner: string): Promise<string[]> {
  const begun = (await listPlaces(owner)).map(({ slug }) => slug)
  const pages = queryClient.getQueryData(libraryQuery(owner).queryKey)?.pages ?? []
  const owned = pages.flatMap((page) =>
    page['hydra:member'].flatMap(({ audioBook }) => audioBook?.slug ?? []),
  )
  return [...new Set([...begun, ...owned])]
}
