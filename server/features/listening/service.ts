import { randomUUID } from 'node:crypto'
import { isUnavailable } from '../../db/errors.ts'
import { catalogueCache } from '../../caches.ts'
import type { Db } from '../../db/open.ts'
import { inBatches, inBatchesOf } from '../../http/in-batches.ts'
import { notFound, unavailable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  selectReplacedAt,
  selectStoredStates,
  type StoredEvent,
  writeDecisions,
} from './place-batch-queries.ts'
import { selectTimelines } from './queries.ts'
import { judge, type EventWithState, type Reply } from './resolve-place.ts'
import { type Heard, heardAtMs, isOtherPlace, type Place } from './place-order.ts'
import type { ChapterOffsets } from './timeline.ts'
import type { Moved } from './place-publisher.ts'

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

export type StoreEvent = (userId: string, slug: string, event: SentEvent) => Promise<StoredEvent>

/**
 * Stored when the promise resolves. Events that arrive during a write are written together
 * (docs/decisions/0005-places-in-batches.md).
 * @throws 404 for a book that is not in the library; 422 for a position that the book does not have
 * @param publish called with every new resume point after the commit
 */
export function eventStore(
  shop: Shop,
  publish: (moved: Moved) => void = () => undefined,
  write: Write = writeDecisions,
): StoreEvent {
  const keep = inBatches<Item, StoredEvent>((items) => storeTogether({ shop, publish, write }, items), {
    most: 250,
    waitingAtMost: 20_000,
  })
  return async (userId, slug, event) => {
    const arrivedMs = shop.now().getTime()
    const timeline = await chapterOffsetsOf(shop, slug)
    if (!timeline) throw notFound()
    return keep({ userId, timeline, heard: heardOf(event, arrivedMs) })
  }
}

const timelines = catalogueCache<ChapterOffsets | null>(5_000)

/** Null for a slug without an audiobook. */
export const chapterOffsetsOf = (
  shop: Pick<Shop, 'db' | 'caches'>,
  slug: string,
): Promise<ChapterOffsets | null> => timelines(shop).of(slug, () => loadTimeline(shop.db, slug))

const loadTimeline = inBatchesOf<Db, string, ChapterOffsets | null>(
  async (db, slugs) => {
    const found = new Map((await selectTimelines(db, slugs)).map((timeline) => [timeline.slug, timeline]))
    return slugs.map((slug) => found.get(slug) ?? null)
  },
  { most: 200, waitingAtMost: 10_000 },
)

type Write = typeof writeDecisions

interface Writer {
  readonly shop: Shop
  readonly publish: (moved: Moved) => void
  readonly write: Write
}

interface Item {
  readonly userId: string
  readonly timeline: ChapterOffsets
  readonly heard: Heard
}

const heardOf = (event: SentEvent, arrivedMs: number): Heard => ({
  chapter: event.chapter,
  seconds: event.seconds,
  heardAtMs: heardAtMs(event, arrivedMs),
  // So that the next event can name it in `basedOn`.
  eventId: event.eventId?.toLowerCase() ?? randomUUID(),
  deviceId: event.deviceId?.toLowerCase() ?? null,
  sequence: event.sequence ?? 0,
  basedOn: event.basedOn?.toLowerCase() ?? event.basedOn,
  fromSeconds: event.fromSeconds === undefined ? null : Math.min(event.fromSeconds, event.seconds),
})

async function storeTogether(writer: Writer, items: readonly Item[]): Promise<(StoredEvent | Error)[]> {
  try {
    return await storeAll(writer, items)
  } catch (error) {
    if (items.length === 1 || isUnavailable(error)) throw error
    // One item fails, for example because its account was deleted. Store them one by one.
    const answers: (StoredEvent | Error)[] = []
    for (const item of items)
      answers.push(...(await storeAll(writer, [item]).catch((alone: Error): [Error] => [alone])))
    return answers
  }
}

/** While other instances write the same places; then the device is asked to retry. */
const ATTEMPTS = 5

async function storeAll(
  { shop, publish, write }: Writer,
  items: readonly Item[],
): Promise<(StoredEvent | Error)[]> {
  const answers = new Map<Item, StoredEvent | Error>()
  for (let attempt = 0; attempt < ATTEMPTS && answers.size < items.length; attempt++) {
    const now = shop.now()
    const open = items.filter((item) => !answers.has(item))
    const readings = await selectStoredStates(
      shop.db,
      open.map(({ userId, timeline, heard }) => ({ ...heard, userId, bookId: timeline.bookId })),
    )
    const asked = open.map((item, index): Asked => ({ ...item, item, state: readings[index]! }))
    const judged = [...Map.groupBy(asked, placeKey)].map(([key, [first, ...more]]) => ({
      key,
      ...judge([first!, ...more], randomUUID),
    }))
    const decisions = judged.flatMap(({ decision }) => decision ?? [])
    const written = decisions.length > 0 ? await write(shop.db, decisions, now) : new Set<string>()
    shop.metrics.placesWritten.add(written.size)
    for (const { key, decision, moved, replies } of judged) {
      if (decision && !written.has(key)) continue
      if (moved) publish(moved)
      for (const { event, says } of replies) answers.set(event.item, await answerTo(shop, event, says))
    }
  }
  return items.map((item) => answers.get(item) ?? unavailable(1))
}

interface Asked extends EventWithState {
  readonly item: Item
}

const placeKey = ({ userId, timeline }: Pick<Item, 'userId' | 'timeline'>) => `${userId} ${timeline.bookId}`

async function answerTo(shop: Shop, event: EventWithState, says: Reply): Promise<StoredEvent | Error> {
  if (says.kind === 'refused') return says.refusal
  if (says.kind === 'kept') return says.kept
  return { ...says.kept, otherPlace: await otherPlaceOfRepeat(shop, event, says.kept.bookTime) }
}

/**
 * The first reply, with its question about two places, may have been lost. The replaced place is in the history
 * with the time of the event.
 */
async function otherPlaceOfRepeat(shop: Shop, event: EventWithState, standing: Place): Promise<Place | null> {
  const { userId, timeline, heard, state } = event
  if (state.knownSinceMs === null) return null
  if (standing.eventId !== heard.eventId) {
    // The device of this place knew the event, or its listener was asked there.
    if (standing.heardAtMs > state.knownSinceMs) return null
    return isOtherPlace(timeline, standing, heard) ? heard : null
  }
  const replaced = await selectReplacedAt(shop.db, {
    userId,
    bookId: timeline.bookId,
    atMs: state.knownSinceMs,
  })
  return replaced.find((place) => isOtherPlace(timeline, place, heard)) ?? null
}
