import { queryOptions } from '@tanstack/react-query'
import { officeCall } from '../../net/office-call.ts'

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: () => officeCall('GET /api/office/people/{id}', { params: { id } }),
  })

/** Queries that show something else after an act about this person. */
export const changesOf = (id: string) => [['person', id], ['people'], ['members'], ['today']]
