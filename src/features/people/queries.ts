import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { TEN_MINUTES_MS, nextPage, nullIfMissing } from '#features/query-options.ts'
import type { PersonPage } from '#contract/people.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { BookKind } from '#features/catalogue/model.ts'
import { call } from '#net/call.ts'

/** Null if there is no such person. */
export const personQuery = (slug: string) =>
  queryOptions({
    queryKey: ['people', slug],
    queryFn: ({ signal }): Promise<PersonPage | null> =>
      call('GET /api/people/{slug}', { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/** The books that a person wrote in one format, or narrated. */
export interface PartOf {
  readonly as: 'authors' | 'narrators'
  readonly kind: BookKind
}

/** The lists of a person's page that aren't empty, in order. */
export const partsOf = (person: PersonPage): PartOf[] => [
  ...(person.writtenAudioBooks > 0 ? [{ as: 'authors', kind: 'audio_books' } as const] : []),
  ...(person.writtenEBooks > 0 ? [{ as: 'authors', kind: 'e_books' } as const] : []),
  ...(person.readAudioBooks > 0 ? [{ as: 'narrators', kind: 'audio_books' } as const] : []),
]

export const booksOfQuery = (personId: number, { as, kind }: PartOf) =>
  infiniteQueryOptions({
    queryKey: [kind, 'of', as, personId],
    queryFn: ({ pageParam, signal }) =>
      call(`GET /api/${kind}`, {
        query: { [`${as}[]`]: [personId], page: pageParam, itemsPerPage: PAGE_SIZE.collection },
        signal,
        anonymous: true,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: TEN_MINUTES_MS,
  })

/** Loads what the first render needs; false if there is no such person. */
export async function loadPerson(queryClient: QueryClient, slug: string): Promise<boolean> {
  const person = await queryClient.ensureQueryData(personQuery(slug))
  if (!person) return false
  await Promise.all(
    partsOf(person).map((part) => queryClient.prefetchInfiniteQuery(booksOfQuery(person.id, part))),
  )
  return true
}
