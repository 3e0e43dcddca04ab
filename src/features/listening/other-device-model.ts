import { slugOfIri } from '#storage/title-key.ts'
import type { AudioBookTime, SoundClaim } from '#contract/listening.ts'
import type { ChapterSeconds } from '#storage/place.ts'

interface NotedPlace extends ChapterSeconds {
  readonly slug: string
  readonly row: AudioBookTime
}

export const notedFrom = (row: AudioBookTime): NotedPlace => ({
  slug: slugOfIri(row.audioBook),
  chapter: row.chapter,
  seconds: row.seconds,
  row,
})

/** Twice the rewind on resume: a smaller difference isn't noticeable. */
const SAME_SECONDS = 10

export const samePlace = (a: ChapterSeconds, b: ChapterSeconds): boolean =>
  a.chapter === b.chapter && Math.abs(a.seconds - b.seconds) <= SAME_SECONDS

export interface OwnClaim {
  readonly claimId: string
  /** Undefined until the server has answered. */
  readonly startedAt: string | undefined
}

/**
 * True if another device has the sound now. This device has it until the server answers: only the answer
 * shows which device started last.
 */
export const givesWay = (own: OwnClaim | undefined, claim: SoundClaim, deviceId: string): boolean =>
  own !== undefined &&
  claim.deviceId !== deviceId &&
  own.startedAt !== undefined &&
  Date.parse(claim.startedAt) >= Date.parse(own.startedAt)

export interface PlayingElsewhere extends ChapterSeconds {
  readonly claimId: string
  readonly deviceId: string
  readonly deviceName: string | undefined
  readonly slug: string
}

export const elsewhereOf = (claim: SoundClaim): PlayingElsewhere => ({
  claimId: claim.claimId,
  deviceId: claim.deviceId,
  deviceName: claim.device?.name,
  slug: slugOfIri(claim.audioBook),
  chapter: claim.chapter,
  seconds: claim.seconds,
})
