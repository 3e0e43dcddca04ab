import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'
import type { BookCard } from '#contract/catalogue.ts'
import { addressOf, otherSpelling, placeOf, type Place } from './model.ts'
import { loadSettings } from './queries.ts'
import { spiSinQuery } from '#features/catalogue/queries.ts'

export interface RedemptionAt {
  readonly place: Place
  /** The title whose own wizard this is. */
  readonly title: BookCard | null
}

/** The step of this address; one of an unknown title is not found (RDM-20). */
export async function loadRedemption(
  { queryClient }: { queryClient: QueryClient },
  { spisin, step }: { spisin?: string | undefined; step?: string | undefined },
): Promise<RedemptionAt> {
  const place = placeOf(spisin, step)
  const other = place ? undefined : otherSpelling(spisin, step)
  if (other) throw redirect({ ...addressOf(other), replace: true })
  if (!place) throw notFound()
  await loadSettings(queryClient)
  if (place.spiSIN === null) return { place, title: null }
  const title = await queryClient.ensureQueryData(spiSinQuery(place.spiSIN))
  if (!title) throw notFound()
  return { place, title }
}
