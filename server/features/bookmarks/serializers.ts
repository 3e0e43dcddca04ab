import type { Bookmark, BookmarkAnswer } from '#contract/bookmarks.ts'
import type { BookmarkRow } from './queries.ts'

export const bookmarkView = ({
  id,
  slug,
  chapter,
  seconds,
  note,
  madeAt,
  changedAt,
  eventId,
  deviceId,
}: BookmarkRow): Bookmark => ({
  '@id': `/api/user_bookmarks/${id}`,
  '@type': 'UserBookmark',
  id,
  audioBook: `/api/audio_books/${slug}`,
  chapter,
  seconds,
  note,
  madeAt: madeAt.toISOString(),
  changedAt: changedAt.toISOString(),
  eventId,
  deviceId,
})

export const bookmarkAnswer = (bookmark: BookmarkRow, now: Date): BookmarkAnswer => ({
  '@context': '/api/contexts/UserBookmark',
  ...bookmarkView(bookmark),
  serverTime: now.toISOString(),
})
