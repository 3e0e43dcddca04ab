import type { EBookPlace } from '#contract/reading.ts'
import type { RealTime } from '../../clock.ts'
import type { PlaceRow } from './queries.ts'

export const placeView = ({ id, slug, readAt, ...place }: PlaceRow): EBookPlace => ({
  '@id': `/api/user_e_book_places/${id}`,
  '@type': 'UserEBookPlace',
  id,
  eBook: `/api/e_books/${slug}`,
  ...place,
  readAt: readAt.toISOString(),
})

export const placeAnswer = (place: PlaceRow, now: RealTime) => ({
  '@context': '/api/contexts/UserEBookPlace',
  ...placeView(place),
  serverTime: now.toISOString(),
})
