import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { DatedPlace } from '#storage/places-db.ts'
import { call, OFFLINE_FIRST_MS } from '#net/call.ts'
import { mergeHistory } from './model.ts'

/** Places this device left and the server replaced, newest first; the device's alone without a network. */
export const historyQuery = (ownerUuid: string, slug: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'history', slug),
    queryFn: async ({ signal }): Promise<(DatedPlace & { heardOnThisDevice: boolean })[]> => {
      const { listPastPlaces } = await import('#sync/history.ts')
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
      return mergeHistory(here, there).map((place) => ({
        ...place,
        heardOnThisDevice: place.deviceId === device,
      }))
    },
    staleTime: 0,
  })
