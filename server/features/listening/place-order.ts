import { TWO_PLACES_SECONDS } from '#contract/limits.ts'
import { stepSeconds, type ChapterOffsets } from './timeline.ts'

/** A listener's place and its time, by the server's clock. */
export interface Place {
  readonly chapter: number
  readonly seconds: number
  readonly heardAtMs: number
  /** Empty for a place that came from no event: the import's. */
  readonly eventId: string
  readonly deviceId: string | null
  /** Orders what one device heard in the same millisecond. */
  readonly sequence: number
  /**
   * The point of the chapter at which the stretch of listening began, where the device said; told of the standing
   * place alone.
   */
  readonly fromSeconds?: number | null
}

export interface Heard extends Place {
  /** The last event the device had seen from the server; null when it had seen none, undefined when it does not say. */
  readonly basedOn: string | null | undefined
}

export interface Outcome {
  /** The place that stands after this event: its own, or one that was heard later. */
  readonly standing: Place
  /** The place that was not taken, where the listener should be asked. */
  readonly otherPlace: Place | null
}

export interface Settled {
  readonly standing: Place
  readonly outcomes: readonly Outcome[]
  /** The newest line of the history as it reads now, where it only moved on. */
  readonly foldedLatest: Place | null
  /** Lines that are new in the history, oldest first. */
  readonly replaced: readonly Place[]
}

/**
 * When something was heard, by the server's clock. The age counts most: it is measured with a clock that nobody can
 * set. A device's own time is believed up to now and no further (PLAY-25). With neither, now.
 */
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
  // A leap second is a valid time of the wire that this language cannot read.
  if (Number.isNaN(byDevice)) return nowMs
  return Math.max(0, Math.min(nowMs, Math.floor(byDevice)))
}

type Order = Pick<Place, 'heardAtMs' | 'deviceId' | 'sequence' | 'eventId'>

/** Positive when `a` was heard after `b`. A total order, so that the order of arrival does not matter (PLAY-23). */
export function compareHeard(a: Order, b: Order): number {
  return (
    a.heardAtMs - b.heardAtMs ||
    compareText(a.deviceId ?? '', b.deviceId ?? '') ||
    a.sequence - b.sequence ||
    compareText(a.eventId, b.eventId)
  )
}

/**
 * Decides what becomes of one listener's place in one book when these events arrive, in the order of their arrival.
 */
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
      // It lost, but somebody was there: a place further away than a step can be gone back to.
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

/**
 * True where an event and another place must both be offered (PLAY-27): the device did not know of that place,
 * it is not its own, and they are more than two minutes apart.
 */
export function isOtherPlace(timeline: ChapterOffsets, place: Place, event: Heard): boolean {
  // A device that was told no event's id has seen the place that has none.
  if (event.basedOn !== undefined && (event.basedOn ?? '') === place.eventId) return false
  if (event.deviceId !== null && event.deviceId === place.deviceId) return false
  return isFar(timeline, place, event)
}

/**
 * The history keeps 50 lines, and a position is saved every five seconds: kept one by one they would reach
 * back four minutes. So the steps of one continuous listening share a line, which moves on with them; a new
 * line begins with a jump, another device, and every ten minutes. The line that ends is the exact place
 * before the jump, and a night slept through leaves a line for every ten minutes of it.
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
/** Twice the player's −15 and +15: looking for a sentence is no jump. */
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
