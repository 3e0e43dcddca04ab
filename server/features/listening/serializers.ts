import type {
  AudioBookTime,
  AudioBookTimeAnswer,
  ChapterTime,
  ChapterTimeAnswer,
  Place as PlaceView,
  SoundClaim,
} from '#contract/listening.ts'
import type { RealTime } from '../../clock.ts'
import type { StoredEvent } from './place-batch-queries.ts'
import type { BookTimeRow, Claim, TimeRow } from './queries.ts'
import type { Place } from './place-order.ts'

export const bookTimeIri = (id: string): string => `/api/user_audio_book_times/${id}`
export const chapterTimeIri = (id: string): string => `/api/user_chapter_times/${id}`
type Names = ReadonlyMap<string, string>
const deviceOf = (names: Names, id: string | null) => {
  const name = id === null ? undefined : names.get(id)
  return id !== null && name !== undefined ? { id, name } : null
}
export const bookIri = (slug: string) => `/api/audio_books/${slug}`

export const bookTimeView = (
  { id, slug, fromSeconds, speed, speedChosenAt, ...place }: BookTimeRow,
  names: Names,
): AudioBookTime => ({
  '@id': bookTimeIri(id),
  '@type': 'UserAudioBookTime',
  id,
  audioBook: bookIri(slug),
  ...pastPlaceView(place, names),
  fromSeconds,
  speed,
  speedChosenAt: speedChosenAt?.toISOString() ?? null,
})

export const chapterTimeView = ({ id, slug, ...place }: TimeRow): ChapterTime => ({
  '@id': chapterTimeIri(id),
  '@type': 'UserChapterTime',
  id,
  audioBook: bookIri(slug),
  ...rowPlace(place),
})

export const pastPlaceView = (place: Omit<TimeRow, 'id' | 'slug'>, names: Names): PlaceView => ({
  ...rowPlace(place),
  device: deviceOf(names, place.deviceId),
})

const rowPlace = ({
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

export const movedView = ({ slug, bookTime }: Pick<StoredEvent, 'slug' | 'bookTime'>): AudioBookTime => ({
  '@id': bookTimeIri(bookTime.id),
  '@type': 'UserAudioBookTime',
  id: bookTime.id,
  audioBook: bookIri(slug),
  ...placeView(bookTime),
  fromSeconds: bookTime.fromSeconds ?? null,
})

export const bookTimeAnswer = (
  { slug, bookTime, otherPlace }: StoredEvent,
  now: RealTime,
  names: Names,
): AudioBookTimeAnswer => ({
  '@context': '/api/contexts/UserAudioBookTime',
  ...standingView({ slug, bookTime, otherPlace }, names),
  serverTime: now.toISOString(),
})

const standingView = (
  { slug, bookTime, otherPlace }: Pick<StoredEvent, 'slug' | 'bookTime' | 'otherPlace'>,
  names: Names,
) => ({
  ...movedView({ slug, bookTime }),
  device: deviceOf(names, bookTime.deviceId),
  otherPlace: otherPlace && {
    ...placeView(otherPlace),
    device: deviceOf(names, otherPlace.deviceId),
  },
})

export const chapterTimeAnswer = (
  { slug, chapterTime, bookTime, otherPlace }: StoredEvent,
  now: RealTime,
  names: Names,
): ChapterTimeAnswer => ({
  '@context': '/api/contexts/UserChapterTime',
  '@id': chapterTimeIri(chapterTime.id),
  '@type': 'UserChapterTime' as const,
  id: chapterTime.id,
  audioBook: bookIri(slug),
  ...placeView(chapterTime),
  serverTime: now.toISOString(),
  audioBookTime: standingView({ slug, bookTime, otherPlace }, names),
})

const placeView = ({ chapter, seconds, heardAtMs, eventId, deviceId }: Place): PlaceView => ({
  chapter,
  seconds,
  heardAt: new Date(heardAtMs).toISOString(),
  eventId: eventId || null,
  deviceId,
})

export const claimView = ({ slug, startedAt, ...claim }: Claim, names: Names): SoundClaim => ({
  ...claim,
  device: deviceOf(names, claim.deviceId),
  audioBook: bookIri(slug),
  startedAt: startedAt.toISOString(),
})
