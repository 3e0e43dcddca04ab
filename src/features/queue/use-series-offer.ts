import { useQuery } from '@tanstack/react-query'
import type { Series } from '#contract/series.ts'
import { titleKey } from '#storage/title-key.ts'
import { placeOf } from '#features/catalogue/model.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { ownSeriesQuery } from '#features/series/queries.ts'

/** The next audiobook of the series of a title, where the listener does not own it: it is offered, and never plays by itself. */
export function useSeriesOffer(owner: string, slug: string, online: boolean) {
  const owned = useOwnEntries(owner, online)
  const series = owned.get(titleKey('audio', slug))?.series[0]?.slug
  const { data } = useQuery({
    ...ownSeriesQuery(series ?? '', owner),
    enabled: online && series !== undefined,
  })
  return data ? offerAfter(data, slug) : undefined
}

export function offerAfter(
  { title: series, last, inOrder }: Pick<Series, 'title' | 'last' | 'inOrder'>,
  slug: string,
) {
  const at = inOrder.findIndex(({ audioBook }) => audioBook?.slug === slug)
  const next = at === -1 ? undefined : inOrder[at + 1]
  // One that is to come is not offered before it is there.
  if (!next?.audioBook || next.comesOut !== null || next.audioBook.inLibrary) return undefined
  return {
    series,
    book: next.audioBook,
    why: placeOf({ series: [{ number: next.number, last }] }) || series,
  }
}
