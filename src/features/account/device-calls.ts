import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { Device } from '#contract/account.ts'
import { call } from '#net/call.ts'

export const devicesQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'devices'),
    queryFn: async ({ signal }): Promise<Device[]> =>
      (await call('GET /api/devices', { signal }))['hydra:member'],
    staleTime: 0,
  })

export const renameDevice = (id: string, name: string) =>
  call('PATCH /api/devices/{id}', { params: { id }, body: { name } })

export const logOutDevice = (id: string) => call('POST /api/devices/{id}/log-out', { params: { id } })

export const logOutElsewhere = () => call('POST /api/devices/log-out-others')
