import type { Bookmark, BookmarkAnswer } from '#contract/bookmarks.ts'
import type { Highlight, HighlightAnswer } from '#contract/highlights.ts'
import type { RealTime } from '../../clock.ts'
import type { BookmarkRow, HighlightRow, NoteRow } from './queries.ts'

const noteFields = ({ id, note, madeAt, changedAt, eventId, deviceId }: NoteRow) => ({
  id,
  note,
  madeAt: madeAt.toISOString(),
  changedAt: changedAt.toISOString(),
  eventId,
  deviceId,
})

export const bookmarkView = (row: BookmarkRow): Bookmark => ({
  '@id': `/api/user_bookmarks/${row.id}`,
  '@type': 'UserBookmark',
  ...noteFields(row),
  audioBook: `/api/audio_books/${row.slug}`,
  chapter: row.chapter,
  seconds: row.seconds,
})

export const bookmarkAnswer = (row: BookmarkRow, now: RealTime): BookmarkAnswer => ({
  '@context': '/api/contexts/UserBookmark',
  ...bookmarkView(row),
  serverTime: now.toISOString(),
})

export const highlightView = (row: HighlightRow): Highlight => ({
  '@id': `/api/user_highlights/${row.id}`,
  '@type': 'UserHighlight',
  ...noteFields(row),
  eBook: `/api/e_books/${row.slug}`,
  locator: row.locator,
  share: row.share,
  quote: row.quote,
  chapter: row.chapter,
})

export const highlightAnswer = (row: HighlightRow, now: RealTime): HighlightAnswer => ({
  '@context': '/api/contexts/UserHighlight',
  ...highlightView(row),
  serverTime: now.toISOString(),
})

export const earlierNoteView = <Note extends { readonly changedAt: Date }>(note: Note) => ({
  ...note,
  changedAt: note.changedAt.toISOString(),
})
