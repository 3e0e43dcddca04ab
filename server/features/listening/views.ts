import type {
  AudioBookTime,
  AudioBookTimeAnswer,
  ChapterTime,
  Place as PlaceView,
} from '#contract/listening.ts'
import type { Kept } from './rules.ts'
import type { TimeRow } from './rows.ts'
import type { Place } from './standing.ts'

export const bookTimeIri = (id: string): string => `/api/user_audio_book_times/${id}`
export const chapterTimeIri = (id: string): string => `/api/user_chapter_times/${id}`
const bookIri = (slug: string) => `/api/audio_books/${slug}`

export const bookTimeView = ({ id, slug, ...place }: TimeRow): AudioBookTime => ({
  '@id': bookTimeIri(id),
  '@type': 'UserAudioBookTime',
  id,
  audioBook: bookIri(slug),
  ...rowPlace(place),
})

export const chapterTimeView = ({ id, slug, ...place }: TimeRow): ChapterTime => ({
  '@id': chapterTimeIri(id),
  '@type': 'UserChapterTime',
  id,
  audioBook: bookIri(slug),
  ...rowPlace(place),
})

/** A line of the history. */
export const rowPlace = ({
  chapter,
  seconds,
  heardAt,
  eventId,
  deviceId,
}: Omit<TimeRow, 'id' | 'slug'>): PlaceView => ({
  chapter,
  seconds,
  heardAt: heardAt.toISOString(),
  eventId,
  deviceId,
})

export const bookTimeAnswer = ({ slug, bookTime, otherPlace }: Kept, now: Date): AudioBookTimeAnswer => ({
  '@context': '/api/contexts/UserAudioBookTime',
  '@id': bookTimeIri(bookTime.id),
  '@type': 'UserAudioBookTime',
  id: bookTime.id,
  audioBook: bookIri(slug),
  ...placeView(bookTime),
  serverTime: now.toISOString(),
  otherPlace: otherPlace && placeView(otherPlace),
})

export const chapterTimeAnswer = ({ slug, chapterTime }: Kept, now: Date) => ({
  '@context': '/api/contexts/UserChapterTime',
  '@id': chapterTimeIri(chapterTime.id),
  '@type': 'UserChapterTime' as const,
  id: chapterTime.id,
  audioBook: bookIri(slug),
  ...placeView(chapterTime),
  serverTime: now.toISOString(),
})

const placeView = ({ chapter, seconds, heardAtMs, eventId, deviceId }: Place): PlaceView => ({
  chapter,
  seconds,
  heardAt: new Date(heardAtMs).toISOString(),
  eventId: eventId || null,
  deviceId,
})
