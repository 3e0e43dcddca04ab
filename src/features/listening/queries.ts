import { queryOptions, useQuery } from '@tanstack/react-query'
import { ownKey, EVERYONES_OWN } from '#features/query-keys.ts'
import type { DatedPlace } from '#storage/places-db.ts'
import { call, OFFLINE_FIRST_MS } from '#net/call.ts'
import { mergeHistory } from './model.ts'
import { bookQuery } from '#features/catalogue/queries.ts'
import { storedTitle } from '#features/downloads/lazy.ts'

/** Earlier places from this device and the server, newest first; offline, only this device's. */
export const historyQuery = (ownerUuid: string, slug: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'history', slug),
    queryFn: async ({ signal }): Promise<(DatedPlace & { heardOnThisDevice: boolean })[]> => {
      const { listPastPlaces } = await import('#sync/outbox.ts')
      const { serverPlaceOf } = await import('#storage/places.ts')
      const [here, row] = await Promise.all([listPastPlaces(ownerUuid, slug), serverPlaceOf(ownerUuid, slug)])
      const there = row
        ? await call('GET /api/user_audio_book_times/{id}/history', {
            params: { id: row.rowId },
            signal,
            timeoutMs: OFFLINE_FIRST_MS,
            background: true,
            as: ownerUuid,
          }).then(
            (answer) =>
              answer['hydra:member'].map(({ device, ...place }) => ({
                ...place,
                ...(device ? { deviceName: device.name } : {}),
              })),
            () => [],
          )
        : []
      const { thisDeviceId } = await import('#sync/outbox.ts')
      const device = await thisDeviceId()
      const read = await import('#features/in-step/switch.ts')
        .then(({ readPlace }) => readPlace(ownerUuid, slug))
        .catch(() => undefined)
      return mergeHistory(read ? [...here, read] : here, there).map((place) => ({
        ...place,
        heardOnThisDevice: place.deviceId === device,
      }))
    },
    staleTime: 0,
  })

interface TitleNames {
  readonly title: string
  readonly chapters: ReadonlyMap<number, string>
}

/** Names of a book and its chapters, from this device first: the question may appear offline. */
export function useTitleNames(slug: string | undefined): TitleNames | undefined {
  const stored = useQuery({
    queryKey: [...EVERYONES_OWN, 'stored-names', slug],
    queryFn: async () => (slug ? ((await storedTitle(slug)) ?? null) : null),
    enabled: slug !== undefined,
  })
  const book = useQuery({
    ...bookQuery('audio_books', slug ?? ''),
    enabled: slug !== undefined && stored.data === null,
  })
  if (stored.data) {
    const { title, files } = stored.data
    return { title, chapters: new Map(files.map(({ chapter, name }) => [chapter, name])) }
  }
  if (!book.data) return undefined
  const { title, chapters } = book.data
  return {
    title,
    chapters: new Map(
      chapters.map(({ chapterOrderNumber, chapterTitle }) => [chapterOrderNumber, chapterTitle]),
    ),
  }
}
