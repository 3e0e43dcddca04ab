import { queryOptions } from '@tanstack/react-query'
import type { CallReply } from '#net/call.ts'
import { officeCall } from '../../net/office-call.ts'

export type EditedTitle = CallReply<'GET /api/office/titles/{slug}'>

export const titleQuery = (slug: string) =>
  queryOptions({
    queryKey: ['title', slug],
    queryFn: () => officeCall('GET /api/office/titles/{slug}', { params: { slug } }),
  })
