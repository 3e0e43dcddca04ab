import type { QueryClient } from '@tanstack/react-query'

/** Pages every visit may want offline: home and the first page of each shelf. */
const ALWAYS = [
  '/api/audio_books/second_editions?itemsPerPage=8&page=1',
  '/api/audio_books/latest?itemsPerPage=8&page=1',
  '/api/home_panels_featured_audio_books',
  '/api/audio_books?itemsPerPage=12&page=1',
  '/api/e_books?itemsPerPage=12&page=1',
]

/** Addresses of the public answers that this page already holds, as `net/call.ts` writes them. */
export function addressesOfQueries(queryClient: QueryClient): string[] {
  const books = queryClient
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey: [kind, what, slug], state }) =>
      what === 'item' && state.data && typeof slug === 'string'
        ? [`/api/${String(kind)}/${slug}`, `/api/${String(kind)}/${slug}/tag_related?itemsPerPage=8&page=1`]
        : [],
    )
  return [...ALWAYS, ...books]
}
