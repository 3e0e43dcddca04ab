import { queryOptions } from '@tanstack/react-query'
import type { KeptPlace } from '#device/places-db.ts'
import { call, OFFLINE_FIRST_MS } from '#net/call.ts'
import { mergeHistory } from './model.ts'

/** What this device left behind and what the server replaced, newest first; the device's alone without a network. */
export const historyQuery = (ownerUuid: string, slug: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'history', slug],
    queryFn: async ({ signal }): Promise<KeptPlace[]> => {
      const { listPastPlaces } = await import('#device/history.ts')
      const { serverPlaceOf } = await import('#device/places.ts')
      const [here, row] = await Promise.all([listPastPlaces(ownerUuid, slug), serverPlaceOf(ownerUuid, slug)])
      const there = row
        ? await call('GET /api/user_audio_book_times/{id}/history', {
            params: { id: row.rowId },
            signal,
            timeoutMs: OFFLINE_FIRST_MS,
            background: true,
          }).then(
            (answer) => answer['hydra:member'],
            () => [],
          )
        : []
      return mergeHistory(here, there)
    },
    staleTime: 0,
  })
