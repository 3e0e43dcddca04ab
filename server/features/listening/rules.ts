import { randomUUID } from 'node:crypto'
import { CHAPTER_SLACK_SECONDS } from '#contract/limits.ts'
import { isUnavailable } from '../../db/open.ts'
import { grouped } from '../../grouped.ts'
import { inBatches } from '../../in-batches.ts'
import { notFound, Refusal, unavailable, unprocessable } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import {
  type Decision,
  type Reading,
  selectReadings,
  selectReplacedAt,
  type Stored,
  writeDecisions,
} from './batch-rows.ts'
import type { Kept } from './kept.ts'
import { compareHeard, type Heard, heardAtMs, isOtherPlace, type Place, settle } from './standing.ts'
import type { Timeline } from './timeline.ts'
import { timelinesOf } from './timelines.ts'
import type { Moved } from './tellings.ts'

/** One event as a device sent it. */
export interface SentEvent {
  readonly chapter: number
  readonly seconds: number
  readonly eventId?: string
  readonly deviceId?: string
  readonly sequence?: number
  readonly heardAt?: string
  readonly agoSeconds?: number
  readonly basedOn?: string | null
  readonly fromSeconds?: number
}

export type KeepEvent = (userId: string, slug: string, event: SentEvent) => Promise<Kept>

/**
 * Keeps what listeners heard; durable when it answers. Events that arrive while others are written are
 * written together: one statement reads what decides, one writes what was decided, one commit makes it last.
 *
 * Throws 404 for a book that is not the listener's own, 422 for a place that the book does not have.
 *
 * @param tell called with every new standing place, once it is on disk
 */
export function eventKeeper(shop: Shop, tell: (moved: Moved) => void = () => undefined): KeepEvent {
  const timelineOf = timelinesOf(shop)
  const keep = inBatches<Item, Kept>((items) => keepTogether(shop, items, tell), {
    most: 250,
    waitingAtMost: 20_000,
  })
  return async (userId, slug, event) => {
    const arrivedMs = shop.now().getTime()
    const timeline = await timelineOf(slug)
    if (!timeline) throw notFound()
    return keep({ userId, timeline, heard: heardOf(event, arrivedMs) })
  }
}

interface Item {
  readonly userId: string
  readonly timeline: Timeline
  readonly heard: Heard
}

const heardOf = (event: SentEvent, arrivedMs: number): Heard => ({
  chapter: event.chapter,
  seconds: event.seconds,
  heardAtMs: heardAtMs(event, arrivedMs),
  // Every place can be named, so that the next event can say what it is based on.
  eventId: event.eventId?.toLowerCase() ?? randomUUID(),
  deviceId: event.deviceId?.toLowerCase() ?? null,
  sequence: event.sequence ?? 0,
  basedOn: event.basedOn?.toLowerCase() ?? event.basedOn,
  fromSeconds: event.fromSeconds === undefined ? null : Math.min(event.fromSeconds, event.seconds),
})

async function keepTogether(
  shop: Shop,
  items: readonly Item[],
  tell: (moved: Moved) => void,
): Promise<(Kept | Error)[]> {
  try {
    return await keepAll(shop, items, tell)
  } catch (error) {
    if (items.length === 1 || isUnavailable(error)) throw error
    // One of them cannot be written, for example because its account was deleted just now: it alone fails.
    const answers: (Kept | Error)[] = []
    for (const item of items)
      answers.push(...(await keepAll(shop, [item], tell).catch((alone: Error): [Error] => [alone])))
    return answers
  }
}

/** Another instance can win the race for a place this often before we ask the device to come back. */
const ATTEMPTS = 5

async function keepAll(
  shop: Shop,
  items: readonly Item[],
  tell: (moved: Moved) => void,
): Promise<(Kept | Error)[]> {
  const answers = new Map<Item, Kept | Error>()
  for (let attempt = 0; attempt < ATTEMPTS && answers.size < items.length; attempt++) {
    const now = shop.now()
    const open = items.filter((item) => !answers.has(item))
    const readings = await selectReadings(
      shop.db,
      open.map(({ userId, timeline, heard }) => ({ ...heard, userId, bookId: timeline.bookId })),
    )
    const read = open.map((item, index): Read => ({ ...item, item, reading: readings[index]! }))
    const ofPlaces = [...grouped(read, placeKey).values()].map((events) => judge(events))
    const decisions = ofPlaces.flatMap(({ decision }) => decision ?? [])
    const written = decisions.length > 0 ? await writeDecisions(shop.db, decisions, now) : new Set<string>()
    for (const { key, decision, moved, answer } of ofPlaces) {
      if (decision && !written.has(key)) continue
      if (moved) tell(moved)
      for (const [item, kept] of await answer(shop)) answers.set(item, kept)
    }
  }
  return items.map((item) => answers.get(item) ?? unavailable(1))
}

interface Read extends Item {
  readonly item: Item
  readonly reading: Reading
}

interface Judgement {
  readonly key: string
  /** Null where nothing changes. */
  readonly decision: Decision | null
  /** The place that stands instead of another, if one does. */
  readonly moved: Moved | null
  /** The answers, once the decision is written. */
  readonly answer: (shop: Shop) => Promise<[Item, Kept | Error][]>
}

const placeKey = ({ userId, timeline }: Item) => `${userId} ${timeline.bookId}`

/** Decides about events of one listener in one book. */
function judge(events: readonly [Read, ...Read[]]): Judgement {
  const [{ userId, timeline, reading }] = events
  const refused = events.flatMap((event): [Read, Error][] => {
    const refusal = refusalOf(event)
    return refusal ? [[event, refusal]] : []
  })
  const accepted = events.filter((event) => !refused.some(([other]) => other === event))
  const fresh: Read[] = []
  const known: Read[] = []
  for (const event of accepted) {
    const isKnown =
      event.reading.knownSinceMs !== null || fresh.some(({ heard }) => heard.eventId === event.heard.eventId)
    ;(isKnown ? known : fresh).push(event)
  }

  const [first, ...more] = fresh.map(({ heard }) => heard)
  const settled = first && settle(timeline, reading, [first, ...more])
  const bookTime: Stored | null = settled
    ? { ...settled.standing, id: reading.standing?.id ?? randomUUID() }
    : reading.standing
  const chapters = new Map<number, { stored: Stored | null; time: Stored }>()
  for (const {
    heard,
    reading: { chapterTime: stored },
  } of fresh) {
    const before = chapters.get(heard.chapter)?.time ?? stored
    const stays = before && compareHeard(heard, before) < 0
    const time = stays ? before : { ...heard, id: before?.id ?? randomUUID() }
    chapters.set(heard.chapter, { stored, time })
  }

  const decision: Decision | null = settled
    ? {
        userId,
        bookId: timeline.bookId,
        id: bookTime!.id,
        standing: settled.standing,
        seen: reading.standing,
        eventIds: fresh.map(({ heard }) => heard.eventId),
        chapterTimes: [...chapters.values()].flatMap(({ stored, time }) => (time === stored ? [] : time)),
        folded: settled.foldedLatest && { id: reading.latestReplaced!.id, place: settled.foldedLatest },
        replaced: settled.replaced.slice(-50),
      }
    : null

  const kept = (event: Read, otherPlace: Place | null, isFirst: boolean): Kept | Error => {
    const { chapter } = event.heard
    const chapterTime = chapters.get(chapter)?.time ?? event.reading.chapterTime
    // The same id with another chapter is not a repeat.
    if (!bookTime || !chapterTime)
      return unprocessable('eventId', 'This event is already stored with another place.')
    return {
      slug: timeline.slug,
      bookTime,
      chapterTime,
      otherPlace,
      isNewBook: isFirst && !reading.standing && event === fresh[0],
      isNewChapter:
        isFirst &&
        !event.reading.chapterTime &&
        event === fresh.find(({ heard }) => heard.chapter === chapter),
    }
  }

  return {
    key: placeKey({ userId, timeline, heard: events[0].heard }),
    decision,
    moved:
      settled && settled.standing.eventId !== reading.standing?.eventId
        ? { userId, slug: timeline.slug, bookTime: bookTime! }
        : null,
    async answer(shop) {
      const answers: [Item, Kept | Error][] = refused.map(([{ item }, error]) => [item, error])
      for (const [index, event] of fresh.entries())
        answers.push([event.item, kept(event, settled!.outcomes[index]!.otherPlace, true)])
      for (const event of known) {
        const sameBatch = fresh.findIndex(({ heard }) => heard.eventId === event.heard.eventId)
        const otherPlace =
          sameBatch >= 0
            ? settled!.outcomes[sameBatch]!.otherPlace
            : await otherPlaceOfRepeat(shop, event, bookTime)
        answers.push([event.item, kept(event, otherPlace, false)])
      }
      return answers
    },
  }
}

function refusalOf({ timeline, heard, reading }: Read): Refusal | null {
  if (!reading.owned) return notFound()
  const chapter = timeline.chapters.get(heard.chapter)
  if (!chapter) return unprocessable('chapter', 'This chapter does not exist.')
  if (heard.seconds < 0 || heard.seconds > chapter.seconds + CHAPTER_SLACK_SECONDS)
    return unprocessable('seconds', `This value should be between 0 and ${chapter.seconds}.`)
  return null
}

/**
 * The answer to an event may have been lost, and with it the question which of two places holds. What the
 * event replaced was put into the history in the same moment as the event.
 */
async function otherPlaceOfRepeat(shop: Shop, event: Read, standing: Place | null): Promise<Place | null> {
  const { userId, timeline, heard, reading } = event
  if (!standing || reading.knownSinceMs === null) return null
  if (standing.eventId !== heard.eventId) {
    // Heard after the first answer: that device knew of this event, or was asked about it.
    if (standing.heardAtMs > reading.knownSinceMs) return null
    return isOtherPlace(timeline, standing, heard) ? heard : null
  }
  const replaced = await selectReplacedAt(shop.db, {
    userId,
    bookId: timeline.bookId,
    atMs: reading.knownSinceMs,
  })
  return replaced.find((place) => isOtherPlace(timeline, place, heard)) ?? null
}
