import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableNumber, NullableString, nullable, paging, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { PAGE_SIZE } from './limits.ts'

/**
 * One thing heard (docs/product.md, Listening). `audioBook` is an IRI by slug, `chapter` the
 * `chapterOrderNumber`, `seconds` the place in it. The rest is what our own player adds:
 * `eventId` makes a repeat harmless, `heardAt` is the device's clock, `agoSeconds` how long before sending
 * it was heard by a monotonic clock (wins over `heardAt`), `basedOn` the last event this device had seen
 * from the server, `fromSeconds` where in this chapter the stretch of listening began (0 when it came over from an
 * earlier chapter). Without them an event counts as heard on arrival.
 */
const eventFields = {
  chapter: Type.Integer({ minimum: 1, maximum: 100_000 }),
  seconds: Type.Number(),
  eventId: Type.Optional(Uuid),
  deviceId: Type.Optional(Uuid),
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  heardAt: Type.Optional(Instant),
  agoSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  basedOn: Type.Optional(nullable(Uuid)),
  fromSeconds: Type.Optional(Type.Number({ minimum: 0 })),
}
const AudioBookIri = Type.String({ pattern: '^/api/audio_books/[^/]+$', maxLength: 200 })
export const ListeningEvent = Type.Object(
  { audioBook: AudioBookIri, ...eventFields },
  { additionalProperties: false },
)
export type ListeningEvent = Static<typeof ListeningEvent>

/** What a device is called by its owner; null for one that is not known any more. */
const DeviceName = nullable(Type.Object({ id: Uuid, name: Type.String() }))

const placeFields = {
  id: Uuid,
  /** IRI by slug. */
  audioBook: Type.String(),
  chapter: Type.Integer(),
  seconds: Type.Number(),
  heardAt: Instant,
  /** The event that stands; the next one is based on it. */
  eventId: NullableString,
  deviceId: NullableString,
  device: Type.Optional(DeviceName),
}

/** A place the listener was in: both sides of the two-places card, and each line of the history. */
export const Place = Type.Object({
  chapter: Type.Integer(),
  seconds: Type.Number(),
  heardAt: Instant,
  eventId: NullableString,
  deviceId: NullableString,
  device: Type.Optional(DeviceName),
})
export type Place = Static<typeof Place>

const resumeFields = {
  ...placeFields,
  /** Where in the chapter the stretch of listening began that led here: resuming never goes back before it (PLAY-06). */
  fromSeconds: nullable(Type.Number()),
  /** The speed that was chosen for the book, and when; told in lists. Null where none ever was. */
  speed: Type.Optional(NullableNumber),
  speedChosenAt: Type.Optional(nullable(Instant)),
}

const answerFields = {
  ...resumeFields,
  /** The server's clock at the answer, so that the device learns how wrong its own is. */
  serverTime: Instant,
  /** Set when this event was not based on the standing one and the places differ by more than two minutes. */
  otherPlace: nullable(Place),
}

/** The resume point of a book: one row per user and book. */
export const AudioBookTime = embedded('UserAudioBookTime', resumeFields)
export type AudioBookTime = Static<typeof AudioBookTime>
export const AudioBookTimeAnswer = item('UserAudioBookTime', answerFields)
export type AudioBookTimeAnswer = Static<typeof AudioBookTimeAnswer>

export const ChapterTime = embedded('UserChapterTime', placeFields)
export type ChapterTime = Static<typeof ChapterTime>
export const ChapterTimeAnswer = item('UserChapterTime', {
  ...placeFields,
  serverTime: Instant,
  /** The book's resume point, stored in the same transaction. */
  audioBookTime: embedded('UserAudioBookTime', { ...resumeFields, otherPlace: nullable(Place) }),
})
export type ChapterTimeAnswer = Static<typeof ChapterTimeAnswer>

const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })
/** The body of POST. Book and chapter default to those of the row; another book is refused. */
const Patch = Type.Object(
  { ...eventFields, chapter: Type.Optional(eventFields.chapter), audioBook: Type.Optional(AudioBookIri) },
  { additionalProperties: false },
)

export const listAudioBookTimes = endpoint({
  method: 'GET',
  path: '/api/user_audio_book_times',
  summary: 'The caller’s resume points',
  access: 'user',
  query: Type.Object({
    ...paging(30, PAGE_SIZE.audioBookTimes),
    audioBook: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: collection(AudioBookTime),
})
/** 201 for a new row, 200 if there was one. Also records the chapter's time. */
export const keepAudioBookTime = endpoint({
  method: 'POST',
  path: '/api/user_audio_book_times',
  summary: 'Something was heard',
  access: 'user',
  body: ListeningEvent,
  reply: AudioBookTimeAnswer,
})
export const moveAudioBookTime = endpoint({
  method: 'PATCH',
  path: '/api/user_audio_book_times/{id}',
  summary: 'Something was heard',
  access: 'user',
  params: ById,
  body: Patch,
  reply: AudioBookTimeAnswer,
})
/** The last 50 places that were replaced, newest first. */
export const listAudioBookTimeHistory = endpoint({
  method: 'GET',
  path: '/api/user_audio_book_times/{id}/history',
  summary: 'Earlier places',
  access: 'user',
  params: ById,
  reply: collection(Place),
})
export const listChapterTimes = endpoint({
  method: 'GET',
  path: '/api/user_chapter_times',
  summary: 'The caller’s chapter times',
  access: 'user',
  query: Type.Object({
    ...paging(30, PAGE_SIZE.audioBookTimes),
    audioBook: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: collection(ChapterTime),
})
/** Used by our player. Also moves the book's resume point, which the response contains. */
export const keepChapterTime = endpoint({
  method: 'POST',
  path: '/api/user_chapter_times',
  summary: 'Part of a chapter was heard',
  access: 'user',
  body: ListeningEvent,
  reply: ChapterTimeAnswer,
})
export const moveChapterTime = endpoint({
  method: 'PATCH',
  path: '/api/user_chapter_times/{id}',
  summary: 'Part of a chapter was heard',
  access: 'user',
  params: ById,
  body: Patch,
  reply: ChapterTimeAnswer,
})

/** The speed of a book, for all devices of its listener. */
const speedFields = {
  /** IRI by slug. */
  audioBook: Type.String(),
  speed: Type.Number(),
  chosenAt: Instant,
  deviceId: NullableString,
}
export const ChosenSpeed = Type.Object(speedFields)
export type ChosenSpeed = Static<typeof ChosenSpeed>

/**
 * The speed chosen last holds, whatever was heard since; clocks are compared as those of places are. It lies in the row of
 * the book's place: a book that was never heard has no speed of its own.
 */
export const chooseSpeed = endpoint({
  method: 'PUT',
  path: '/api/user_audio_book_times/{id}/speed',
  summary: 'A speed was chosen for a book',
  access: 'user',
  params: ById,
  body: Type.Object({
    speed: Type.Number({ minimum: 0.5, maximum: 2 }),
    deviceId: Type.Optional(Uuid),
    chosenAt: Type.Optional(Instant),
    agoSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  reply: item('UserAudioBookSpeed', { ...speedFields, serverTime: Instant }),
})

/**
 * A device has the listener's sound: of two that play, the one that started last (by the server's clock) keeps it
 * and the other falls silent. Where it started is told along, so that the other can say so.
 */
const soundFields = {
  deviceId: Uuid,
  audioBook: Type.String({ pattern: '^/api/audio_books/[^/]+$', maxLength: 200 }),
  chapter: Type.Integer({ minimum: 1, maximum: 100_000 }),
  seconds: Type.Number({ minimum: 0 }),
}
export const SoundClaim = Type.Object({
  claimId: Uuid,
  ...soundFields,
  startedAt: Instant,
  device: Type.Optional(DeviceName),
})
export type SoundClaim = Static<typeof SoundClaim>

/** What stands, and which device the sound was taken from with this very call: its place is worth waiting for. */
export const SoundClaimAnswer = Type.Object({
  claimId: Uuid,
  ...soundFields,
  startedAt: Instant,
  device: Type.Optional(DeviceName),
  before: Type.Optional(nullable(SoundClaim)),
})
export type SoundClaimAnswer = Static<typeof SoundClaimAnswer>

/** Answers whose sound it is now: the caller's, or that of a device that started later. A repeat changes nothing. */
export const claimSound = endpoint({
  method: 'PUT',
  path: '/api/sound_claims/{id}',
  summary: 'A device began to play',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: Type.Object(
    {
      ...soundFields,
      /** How long before sending it began, by a clock that nobody can set. */
      agoSeconds: Type.Number({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  reply: SoundClaimAnswer,
})
/** Of a claim that no longer stands: nothing. */
export const releaseSound = endpoint({
  method: 'DELETE',
  path: '/api/sound_claims/{id}',
  summary: 'A device stopped playing',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  status: 204,
})
