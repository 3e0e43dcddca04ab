import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { PersonPage } from '#contract/people.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { BookKind } from '#features/catalogue/model.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

const TEN_MINUTES_MS = 600_000

/** Null for somebody of whom nothing is here. */
export const personQuery = (slug: string) =>
  queryOptions({
    queryKey: ['people', slug],
    queryFn: ({ signal }): Promise<PersonPage | null> =>
      call('GET /api/people/{slug}', { params: { slug }, signal, anonymous: true }).catch(
        (problem: unknown) => {
          if (problem instanceof NetProblem && problem.status === 404) return null
          throw problem
        },
      ),
    staleTime: TEN_MINUTES_MS,
  })

/** What somebody wrote in one format, or read aloud. */
export interface PartOf {
  readonly as: 'authors' | 'narrators'
  readonly kind: BookKind
}

/** The parts of a person's page that have anything in them, in their order. */
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
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page['hydra:member'].length, 0)
      return last['hydra:member'].length > 0 && loaded < last['hydra:totalItems']
        ? pages.length + 1
        : undefined
    },
    staleTime: TEN_MINUTES_MS,
  })

/** Everything that the first render of the page needs; false for somebody unknown. */
export async function loadPerson(queryClient: QueryClient, slug: string): Promise<boolean> {
  const person = await queryClient.ensureQueryData(personQuery(slug))
  if (!person) return false
  await Promise.all(
    partsOf(person).map((part) => queryClient.prefetchInfiniteQuery(booksOfQuery(person.id, part))),
  )
  return true
}
