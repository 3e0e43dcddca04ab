import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableNumber, NullableString, nullable, paging, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { PAGE_SIZE } from './limits.ts'

/**
 * A listening event (docs/product.md, Listening). `audioBook` is an IRI by slug, `chapter` the `chapterOrderNumber`,
 * `seconds` the position in it. Our own player adds the rest: `eventId` makes the request idempotent, `heardAt` is the
 * device's clock, `agoSeconds` is the age of the event when it was sent, by a monotonic clock (takes precedence over
 * `heardAt`), `basedOn` is the last event of the server that this device knew, `fromSeconds` is where in this chapter
 * the listening session began (0 if it began in an earlier chapter), `sound` is the SHA-256 of the chapter's file: if the
 * shop's owner has given that file another number since, the event counts for that chapter. Without them, an event counts
 * as heard on arrival, in the chapter of its number.
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
  sound: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
}
const AudioBookIri = Type.String({ pattern: '^/api/audio_books/[^/]+$', maxLength: 200 })
export const ListeningEvent = Type.Object(
  { audioBook: AudioBookIri, ...eventFields },
  { additionalProperties: false },
)
export type ListeningEvent = Static<typeof ListeningEvent>

/** The device's name; null for a device that is no longer known. */
const DeviceName = nullable(Type.Object({ id: Uuid, name: Type.String() }))

const placeFields = {
  id: Uuid,
  /** IRI by slug. */
  audioBook: Type.String(),
  chapter: Type.Integer(),
  seconds: Type.Number(),
  heardAt: Instant,
  /** The current event; the next one is based on it. */
  eventId: NullableString,
  deviceId: NullableString,
  device: Type.Optional(DeviceName),
}

/** A place of the listener: both options of the two-places card, and each line of the history. */
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
  /** Where in the chapter the listening session began: resuming never rewinds beyond it (PLAY-06). */
  fromSeconds: nullable(Type.Number()),
  /** The speed chosen for the book, and when; only in lists. Null if none was chosen. */
  speed: Type.Optional(NullableNumber),
  speedChosenAt: Type.Optional(nullable(Instant)),
}

const answerFields = {
  ...resumeFields,
  /** The server's clock, from which the device calculates the error of its own. */
  serverTime: Instant,
  /** Set if this event was not based on the current one and the places differ by more than two minutes. */
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
  notInView: true,
  query: Type.Object({
    ...paging(30, PAGE_SIZE.audioBookTimes),
    audioBook: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: collection(AudioBookTime),
})
/** 201 for a new row, 200 if there was one. Also stores the chapter's time. */
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
  summary: 'Listening history',
  access: 'user',
  notInView: true,
  params: ById,
  reply: collection(Place),
})
export const listChapterTimes = endpoint({
  method: 'GET',
  path: '/api/user_chapter_times',
  summary: 'The caller’s chapter times',
  access: 'user',
  notInView: true,
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
 * The most recently chosen speed applies, independent of places; clocks are compared as for places. It is stored in the
 * row of the book's place: a book without a place has no speed.
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
 * A device's claim to play the listener's sound. If two devices play, the one that started last (by the server's clock)
 * keeps the sound and the other pauses. The claim includes where it started, so that the other device can show that.
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

/** The current claim, and the device that lost the sound by this call, whose place is worth waiting for. */
export const SoundClaimAnswer = Type.Object({
  claimId: Uuid,
  ...soundFields,
  startedAt: Instant,
  device: Type.Optional(DeviceName),
  before: Type.Optional(nullable(SoundClaim)),
})
export type SoundClaimAnswer = Static<typeof SoundClaimAnswer>

/** Returns the current claim: the caller's, or that of a device that started later. A repeat changes nothing. */
export const claimSound = endpoint({
  method: 'PUT',
  path: '/api/sound_claims/{id}',
  summary: 'A device began to play',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: Type.Object(
    {
      ...soundFields,
      /** Seconds between the start of playback and this request, by a monotonic clock. */
      agoSeconds: Type.Number({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  reply: SoundClaimAnswer,
})
/** Does nothing if the claim is no longer current. */
export const releaseSound = endpoint({
  method: 'DELETE',
  path: '/api/sound_claims/{id}',
  summary: 'A device stopped playing',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  status: 204,
})
