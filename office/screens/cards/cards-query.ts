import { queryOptions } from '@tanstack/react-query'
import { officeCall } from '../../net/office-call.ts'

export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: () => officeCall('GET /api/office/cards'),
})
