import { CHAPTER_SLACK_SECONDS } from '#contract/limits.ts'
import { notFound, type Refusal, unprocessable } from '../../http/http-errors.ts'
import type { Decision, Stored, StoredEvent, StoredState } from './place-batch-queries.ts'
import {
  compareHeard,
  type Heard,
  type Place,
  type Settled,
  placeEvents,
  type ChapterOffsets,
} from './place-order.ts'
import type { Moved } from './place-publisher.ts'

export interface EventWithState {
  readonly userId: string
  readonly timeline: ChapterOffsets
  readonly heard: Heard
  readonly state: StoredState
}

export interface Judgement<Event extends EventWithState> {
  readonly decision: Decision | null
  readonly moved: Moved | null
  readonly replies: readonly { readonly event: Event; readonly says: Reply }[]
}

export type Reply =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'kept'; readonly kept: StoredEvent }
  /** The history decides whether to ask about another place. */
  | { readonly kind: 'repeated'; readonly kept: StoredEvent }

/** Pure. The events are of one listener in one book, in the order of arrival. */
export function judge<Event extends EventWithState>(
  events: readonly [Event, ...Event[]],
  newId: () => string,
): Judgement<Event> {
  const [{ userId, timeline, state }] = events
  const { refused, fresh, known } = sorted(events)
  const [first, ...more] = fresh.map(({ heard }) => heard)
  const settled = first && placeEvents(timeline, state, [first, ...more])
  const standing: Stored | null = settled
    ? { ...settled.standing, id: state.standing?.id ?? newId() }
    : state.standing
  const chapters = chapterTimesAfter(fresh, newId)
  const otherPlaces = new Map(
    fresh.map(({ heard }, index) => [heard.eventId, settled?.outcomes[index]?.otherPlace ?? null]),
  )

  const says = (event: Event): Reply => {
    const { heard, state: before } = event
    const chapterTime = chapters.get(heard.chapter)?.time ?? before.chapterTime
    // The same id with another chapter is not a repeat.
    if (!standing || !chapterTime)
      return refuses(unprocessable('eventId', 'This event is already stored with another place.'))
    const firstOfChapter = fresh.find((other) => other.heard.chapter === heard.chapter)
    const kept: StoredEvent = {
      slug: timeline.slug,
      bookTime: standing,
      chapterTime,
      otherPlace: otherPlaces.get(heard.eventId) ?? null,
      isNewBook: event === fresh[0] && !state.standing,
      isNewChapter: event === firstOfChapter && !before.chapterTime,
    }
    return { kind: otherPlaces.has(heard.eventId) ? 'kept' : 'repeated', kept }
  }

  return {
    decision:
      settled && standing
        ? {
            userId,
            bookId: timeline.bookId,
            id: standing.id,
            standing: settled.standing,
            seen: state.standing,
            eventIds: fresh.map(({ heard }) => heard.eventId),
            chapterTimes: [...chapters.values()].flatMap(({ stored, time }) => (time === stored ? [] : time)),
            folded: foldedInto(state, settled),
            replaced: settled.replaced.slice(-HISTORY_OF_A_BATCH),
          }
        : null,
    moved:
      settled && standing && standing.eventId !== state.standing?.eventId
        ? { userId, slug: timeline.slug, bookTime: standing }
        : null,
    replies: [...refused, ...[...fresh, ...known].map((event) => ({ event, says: says(event) }))],
  }
}

const HISTORY_OF_A_BATCH = 50

const refuses = (refusal: Refusal): Reply => ({ kind: 'refused', refusal })

function sorted<Event extends EventWithState>(events: readonly Event[]) {
  const refused: { event: Event; says: Reply }[] = []
  const fresh: Event[] = []
  const known: Event[] = []
  for (const event of events) {
    const refusal = refusalOf(event)
    const isKnown =
      event.state.knownSinceMs !== null || fresh.some(({ heard }) => heard.eventId === event.heard.eventId)
    if (refusal) refused.push({ event, says: refuses(refusal) })
    else if (isKnown) known.push(event)
    else fresh.push(event)
  }
  return { refused, fresh, known }
}

function refusalOf({ timeline, heard, state }: EventWithState): Refusal | null {
  if (!state.owned) return notFound()
  const chapter = timeline.chapters.get(heard.chapter)
  if (!chapter) return unprocessable('chapter', 'This chapter does not exist.')
  if (heard.seconds < 0 || heard.seconds > chapter.seconds + CHAPTER_SLACK_SECONDS)
    return unprocessable('seconds', `This value should be between 0 and ${chapter.seconds}.`)
  return null
}

interface ChapterTime {
  readonly stored: Stored | null
  readonly time: Stored
}

function chapterTimesAfter(fresh: readonly EventWithState[], newId: () => string): Map<number, ChapterTime> {
  const chapters = new Map<number, ChapterTime>()
  for (const { heard, state } of fresh) {
    const stored = state.chapterTime
    const before = chapters.get(heard.chapter)?.time ?? stored
    const stays = before && compareHeard(heard, before) < 0
    chapters.set(heard.chapter, { stored, time: stays ? before : { ...heard, id: before?.id ?? newId() } })
  }
  return chapters
}

function foldedInto(
  { latestReplaced }: StoredState,
  { foldedLatest }: Settled,
): { id: string; place: Place } | null {
  return latestReplaced && foldedLatest && { id: latestReplaced.id, place: foldedLatest }
}
