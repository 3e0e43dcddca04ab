import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { themeOf } from '#features/catalogue/model.ts'
import type { TitleTheme } from '#ui/title-theme.ts'
import type { Series } from '#contract/series.ts'
import { seriesQuery } from './queries.ts'

/**
 * The series, else what this device holds of it: then the screen says that it asks again. Neither is a failure of the
 * page, and an unknown series is not found.
 */
export async function loadSeries(
  queryClient: QueryClient,
  slug: string,
): Promise<{ band: TitleTheme } | undefined> {
  const query = seriesQuery(slug)
  const series = await queryClient.ensureQueryData(query).catch(async (problem: unknown) => {
    const held = typeof document === 'undefined' ? null : await onDevice(slug)
    if (!held) throw problem
    // Old at once, so that whoever comes back online hears of the rest.
    queryClient.setQueryData(query.queryKey, held, { updatedAt: 1 })
    return held
  })
  if (series === null) throw notFound()
  return bandOf(series)
}

const onDevice = async (slug: string): Promise<Series | null> =>
  (await import('./on-device.ts')).seriesOnDevice(slug).catch(() => null)

/** In the colours of its first book. */
export function bandOf({ inOrder }: Pick<Series, 'inOrder'>): { band: TitleTheme } | undefined {
  const first = inOrder.map(({ audioBook, eBook }) => audioBook ?? eBook).find((book) => book !== null)
  return first && { band: themeOf(first) }
}
