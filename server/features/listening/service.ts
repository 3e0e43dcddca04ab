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
import { selectTimelines, writeSpeed, type Claim, deleteClaim, storeClaim, selectClaim } from './queries.ts'
import { judge, type EventWithState, type Reply } from './resolve-place.ts'
import {
  chapterNow,
  type Heard,
  heardAtMs,
  isOtherPlace,
  type Place,
  type ChapterOffsets,
} from './place-order.ts'
import type { Moved } from './place-publisher.ts'
import type { ChosenSpeed, SoundClaimAnswer } from '#contract/listening.ts'
import { isUuid } from '../../http/schemas.ts'
import { publishTransient } from '../feed/service.ts'
import { bookIri, claimView } from './serializers.ts'
import { deviceNames } from '../account/devices.ts'

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
  readonly sound?: string
}

export type StoreEvent = (userId: string, slug: string, event: SentEvent) => Promise<StoredEvent>

/**
 * Events are stored in batches (docs/decisions/0005-places-in-batches.md); `publish` runs after the commit.
 * @throws 404 for a book that is not in the library; 422 for a position that the book does not have
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
    return keep({ userId, timeline, heard: heardOf(event, timeline, arrivedMs) })
  }
}

const timelines = catalogueCache<ChapterOffsets | null>(5_000)

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

const heardOf = (event: SentEvent, timeline: ChapterOffsets, arrivedMs: number): Heard => ({
  chapter: chapterNow(timeline, event),
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

/** Asks again: the first reply may have been lost. The replaced place is in the history. */
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

export interface SentSpeed {
  readonly speed: number
  readonly deviceId?: string
  readonly chosenAt?: string
  readonly agoSeconds?: number
}

/** @throws 404 if the row is not the listener's own */
export async function chooseSpeed(
  { db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  id: string,
  { speed, deviceId, chosenAt, agoSeconds }: SentSpeed,
): Promise<ChosenSpeed> {
  const clock = {
    ...(chosenAt === undefined ? {} : { heardAt: chosenAt }),
    ...(agoSeconds === undefined ? {} : { agoSeconds }),
  }
  const at = new Date(heardAtMs(clock, now().getTime()))
  const holds = isUuid(id) ? await writeSpeed(db, { id, userId, speed, chosenAt: at }) : undefined
  if (!holds) throw notFound()
  const chosen: ChosenSpeed = {
    audioBook: bookIri(holds.slug),
    speed: holds.speed ?? speed,
    chosenAt: (holds.chosenAt ?? at).toISOString(),
    deviceId: holds.isTaken ? (deviceId ?? null) : null,
  }
  if (holds.isTaken)
    await publishTransient(db, [{ userId, data: { type: 'speed', speed: chosen } }]).catch((error: unknown) =>
      log.warn({ err: error }, 'a speed could not be announced'),
    )
  return chosen
}

export interface SentClaim extends Omit<Claim, 'startedAt'> {
  readonly agoSeconds: number
}

/** The device that started last plays, in server time. A start while offline counts from its real time. */
export async function claimSound(
  { db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  { agoSeconds, ...sent }: SentClaim,
): Promise<SoundClaimAnswer> {
  const claim = { ...sent, startedAt: new Date(Math.max(0, now().getTime() - agoSeconds * 1000)) }
  const before = await selectClaim(db, userId)
  const taken = await storeClaim(db, userId, claim)
  // If the winning claim was released in this moment, nothing blocks this one.
  const stands = taken ? claim : ((await selectClaim(db, userId)) ?? claim)
  const names = await deviceNames(db, userId)
  const view = claimView(stands, names)
  if (taken)
    await publishTransient(db, [{ userId, data: { type: 'sound', claim: view } }]).catch((error: unknown) =>
      log.warn({ err: error }, 'a claim could not be told'),
    )
  return { ...view, before: taken && before ? claimView(before, names) : null }
}

/** Does nothing if another device has taken over. */
export async function releaseSound(
  { db, log }: Pick<Shop, 'db' | 'log'>,
  userId: string,
  claimId: string,
): Promise<void> {
  if (!(await deleteClaim(db, userId, claimId))) return
  await publishTransient(db, [{ userId, data: { type: 'silence', claimId } }]).catch((error: unknown) =>
    log.warn({ err: error }, 'a silence could not be told'),
  )
}
