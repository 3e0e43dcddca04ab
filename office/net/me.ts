import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Me } from '#contract/office/session.ts'
import { type Permission, roleMay } from '#contract/office/permissions.ts'
import { officeCall } from './office-call.ts'
import { queryClient } from './query-client.ts'
import { noteSignedIn } from './session-state.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => officeCall('GET /api/office/me'),
  staleTime: 60_000,
})

/** Who is signed in; the shell renders screens only then. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe is for screens inside the shell')
  return data
}

export function useMay(): (permission: Permission) => boolean {
  const { role } = useMe()
  return (permission) => roleMay(role, permission)
}

export function becomeMe(me: Me): void {
  queryClient.setQueryData(meQuery.queryKey, me)
  noteSignedIn()
}
