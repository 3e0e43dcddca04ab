import { queryOptions } from '@tanstack/react-query'
import { TEN_MINUTES_MS, nullIfMissing } from '#features/query-options.ts'
import { call } from '#net/call.ts'

/** Null if there is no such page (INFO-03). */
export const infoPageQuery = (slug: string) =>
  queryOptions({
    queryKey: ['pages', slug],
    queryFn: ({ signal }) =>
      call('GET /api/info_pages/{slug}', { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

export const faqQuery = () =>
  queryOptions({
    queryKey: ['pages', 'faq'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/f_a_q_categories', { signal, anonymous: true }))['hydra:member'],
    staleTime: TEN_MINUTES_MS,
  })
