import { TWO_PLACES_SECONDS } from '#contract/limits.ts'

export interface Place {
  readonly chapter: number
  readonly seconds: number
  readonly heardAtMs: number
  /** Empty for an imported place, which has no event. */
  readonly eventId: string
  readonly deviceId: string | null
  /** Orders places of one device in the same millisecond. */
  readonly sequence: number
  /** Start of the current stretch of listening, if reported. Set only for the resume point. */
  readonly fromSeconds?: number | null
}

export interface Heard extends Place {
  /** The last event that the device had received: null if none, undefined if the device did not report it. */
  readonly basedOn: string | null | undefined
}

export interface Outcome {
  readonly standing: Place
  /** Set if the listener should be asked which of two places to use. */
  readonly otherPlace: Place | null
}

export interface Settled {
  readonly standing: Place
  readonly outcomes: readonly Outcome[]
  readonly foldedLatest: Place | null
  readonly replaced: readonly Place[]
}

/** `agoSeconds` takes precedence: a monotonic clock measured it. `heardAt` counts only up to now (PLAY-25). */
export function heardAtMs(
  event: { heardAt?: string | undefined; agoSeconds?: number | undefined },
  nowMs: number,
): number {
  const byDevice =
    event.agoSeconds !== undefined
      ? nowMs - event.agoSeconds * 1000
      : event.heardAt !== undefined
        ? Date.parse(event.heardAt)
        : nowMs
  // A leap second is a valid time in RFC 3339, but `Date.parse` cannot read it.
  if (Number.isNaN(byDevice)) return nowMs
  return Math.max(0, Math.min(nowMs, Math.floor(byDevice)))
}

type Order = Pick<Place, 'heardAtMs' | 'deviceId' | 'sequence' | 'eventId'>

/** A total order, so the order of arrival does not matter (PLAY-23). Positive if `a` was heard later. */
export function compareHeard(a: Order, b: Order): number {
  return (
    a.heardAtMs - b.heardAtMs ||
    compareText(a.deviceId ?? '', b.deviceId ?? '') ||
    a.sequence - b.sequence ||
    compareText(a.eventId, b.eventId)
  )
}

export function placeEvents(
  timeline: ChapterOffsets,
  before: { readonly standing: Place | null; readonly latestReplaced: Place | null },
  events: readonly [Heard, ...Heard[]],
): Settled {
  const [first] = events
  const history = new History(timeline, before.latestReplaced)
  let standing = before.standing
  const outcomes = events.map((event): Outcome => {
    const current = standing
    if (!current || current.eventId === event.eventId) {
      standing = current ?? placeOf(event)
      return { standing, otherPlace: null }
    }
    const asks = isOtherPlace(timeline, current, event)
    const place = placeOf(event)
    if (compareHeard(place, current) < 0) {
      // The listener was there, so they can return to it from the history.
      if (isFar(timeline, current, place)) history.add(place)
      return { standing: current, otherPlace: asks ? place : null }
    }
    history.add(current)
    standing = place
    return { standing: place, otherPlace: asks ? current : null }
  })
  return {
    standing: standing ?? placeOf(first),
    outcomes,
    foldedLatest: history.foldedLatest,
    replaced: history.replaced,
  }
}

/** PLAY-27: the device did not know the stored place, which another device left more than two minutes away. */
export function isOtherPlace(timeline: ChapterOffsets, place: Place, event: Heard): boolean {
  // With `basedOn: null` the device has seen the place that has no event.
  if (event.basedOn !== undefined && (event.basedOn ?? '') === place.eventId) return false
  if (event.deviceId !== null && event.deviceId === place.deviceId) return false
  return isFar(timeline, place, event)
}

/**
 * Steps of continuous listening share a line: 50 lines with one per five seconds would cover only four minutes. A jump,
 * another device or a new period of ten minutes starts a new line.
 */
class History {
  readonly replaced: Place[] = []
  foldedLatest: Place | null = null
  readonly #timeline: ChapterOffsets
  #latest: Place | null

  constructor(timeline: ChapterOffsets, latest: Place | null) {
    this.#timeline = timeline
    this.#latest = latest
  }

  add(place: Place): void {
    const folds = this.#latest !== null && this.#continues(this.#latest, place)
    this.#latest = place
    if (!folds) this.replaced.push(place)
    else if (this.replaced.length > 0) this.replaced[this.replaced.length - 1] = place
    else this.foldedLatest = place
  }

  #continues(from: Place, to: Place): boolean {
    const elapsedSeconds = (to.heardAtMs - from.heardAtMs) / 1000
    if (from.deviceId !== to.deviceId || elapsedSeconds < 0) return false
    if (tenMinutes(from) !== tenMinutes(to)) return false
    const step = stepSeconds(this.#timeline, from, to)
    return step >= -SKIP_SECONDS && step <= elapsedSeconds * FASTEST + SKIP_SECONDS
  }
}

const FASTEST = 2
/** Twice the player's 15-second skip: looking for a sentence is not a jump. */
const SKIP_SECONDS = 30
const tenMinutes = (place: Place) => Math.floor(place.heardAtMs / 600_000)

const isFar = (timeline: ChapterOffsets, a: Place, b: Place) =>
  Math.abs(stepSeconds(timeline, a, b)) > TWO_PLACES_SECONDS

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const placeOf = ({
  chapter,
  seconds,
  heardAtMs,
  eventId,
  deviceId,
  sequence,
  fromSeconds,
}: Heard): Place => ({
  chapter,
  seconds,
  heardAtMs,
  eventId,
  deviceId,
  sequence,
  fromSeconds: fromSeconds ?? null,
})

export interface ChapterOffsets {
  readonly bookId: number
  readonly slug: string
  readonly chapters: ReadonlyMap<number, ChapterSpan>
}

interface ChapterSpan {
  readonly startsAtSeconds: number
  readonly seconds: number
  readonly sound?: string | undefined
}

export interface Spot {
  readonly chapter: number
  readonly seconds: number
}

export function timelineOf(
  book: { bookId: number; slug: string },
  lengths: readonly { number: number; seconds: number; sound?: string }[],
): ChapterOffsets {
  const chapters = new Map<number, ChapterSpan>()
  let startsAtSeconds = 0
  for (const { number, seconds, sound } of lengths.toSorted((a, b) => a.number - b.number)) {
    chapters.set(number, { startsAtSeconds, seconds, sound })
    startsAtSeconds += seconds
  }
  return { ...book, chapters }
}

/** The number that a chapter has now: an offline device may send the one from before it was moved. */
export function chapterNow(
  { chapters }: ChapterOffsets,
  { chapter, sound }: { readonly chapter: number; readonly sound?: string },
): number {
  if (sound === undefined || chapters.get(chapter)?.sound === sound) return chapter
  return [...chapters].find(([, span]) => span.sound === sound)?.[0] ?? chapter
}

/** In seconds of the book, negative for going back; infinite for a chapter that no longer exists. */
export function stepSeconds(timeline: ChapterOffsets, from: Spot, to: Spot): number {
  const start = timeline.chapters.get(from.chapter)?.startsAtSeconds
  const end = timeline.chapters.get(to.chapter)?.startsAtSeconds
  if (from.chapter === to.chapter) return to.seconds - from.seconds
  if (start === undefined || end === undefined) return Infinity
  return end + to.seconds - (start + from.seconds)
}
