import { PAGE_SIZE } from '#contract/limits.ts'
import type { AudioBookTime, ChapterTimeAnswer, ListeningEvent } from '#contract/listening.ts'
import { call } from '#net/call.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { NetProblem } from '#net/problem.ts'
import { serverClockOffset } from '#net/connectivity.ts'
import { settings, ownerOf } from '#net/settings.ts'
import {
  type BookmarkCalls,
  bookmarkCalls,
  sendBookmarks,
  type HighlightCalls,
  highlightCalls,
  sendHighlights,
} from './marks.ts'
import { clocksAgree, readClock, secondsAgo, type ClockReading } from '#storage/clock.ts'
import { followServer, applyAnswerToEvent, type LengthsOf, type StandingPlace } from './follow-server.ts'
import { eventBody, outboxLock, thisDeviceId } from './outbox.ts'
import { placesDb, type WaitingEvent, type Receipt } from '#storage/places-db.ts'
import { type ListCalls, listCalls, sendLists } from './lists.ts'
import { sendReadings, type SendReading } from './readings.ts'
import { storedLengths } from '#storage/sound-store.ts'
import { afterFailure } from './synced-table.ts'
import { type SendSpeed, sendSpeeds, speedCall } from './speeds.ts'

/**
 * `waiting`: events remain, but the server can't accept them now. `signed-out`: they wait for their user's
 * log-in.
 */
export type FlushOutcome = 'empty' | 'waiting' | 'signed-out'

export interface FlushPorts {
  send: (body: ListeningEvent) => Promise<StandingPlace>
  sendReading: SendReading
  bookmarks: BookmarkCalls
  highlights: HighlightCalls
  sendSpeed: SendSpeed
  lists: ListCalls
  ask: () => Promise<readonly AudioBookTime[]>
  lengthsOf: LengthsOf | undefined
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
  whoIsHere: () => Promise<string | undefined>
}

/** Each call names its user, because another user may log in between two calls. */
function portsOf(ownerUuid: string): FlushPorts {
  // `keepalive`, because the last position of a session is often sent while the page is closing.
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    send: async (body) => standingIn(await call('POST /api/user_chapter_times', { body, ...sending })),
    sendReading: (body) => call('POST /api/user_e_book_places', { body, ...sending }),
    bookmarks: bookmarkCalls(ownerUuid),
    highlights: highlightCalls(ownerUuid),
    sendSpeed: speedCall(ownerUuid),
    lists: listCalls(ownerUuid),
    ask: () => askForPlaces(ownerUuid),
    lengthsOf: undefined,
    readClock,
    serverOffset: () => serverClockOffset(Date.now),
    whoIsHere: async () => ownerOf((await settings.tokens.read())?.token),
  }
}

/** One event that causes a 5xx must not block the rest; several in a row mean that the server is down. */
const STOP_AFTER = 2

/**
 * Sends the unsent events, oldest first, in one tab at a time (trap 19). An event is removed only after the
 * server's answer; sending it twice is harmless, because every event has an id (PLAY-24).
 */
export function flush(ownerUuid: string, given: Partial<FlushPorts> = {}): Promise<FlushOutcome> {
  const wired = { ...portsOf(ownerUuid), ...given }
  return oneAtATime(outboxLock(ownerUuid), async () => {
    if ((await wired.whoIsHere()) !== ownerUuid) return 'signed-out'
    const heard = await sendHeard(ownerUuid, wired)
    if (heard === 'signed-out') return heard
    try {
      const outcomes = [heard]
      for (const sendThem of [sendReadings, sendBookmarks, sendHighlights, sendSpeeds, sendLists])
        outcomes.push(await sendThem(ownerUuid, wired))
      return outcomes.includes('waiting') ? 'waiting' : 'empty'
    } catch (problem) {
      return endRun(ownerUuid, problem)
    }
  })
}

export const standingIn = ({ audioBookTime, serverTime }: ChapterTimeAnswer): StandingPlace => ({
  ...audioBookTime,
  serverTime,
})

/** Applies the server's answer to an event that was sent while its page was being hidden. */
export const applyAnswerTo = (ownerUuid: string, eventId: string, answer: StandingPlace): Promise<void> =>
  oneAtATime(outboxLock(ownerUuid), async () => {
    const event = await placesDb.use(ownerUuid, (db) => db.outbox.get(eventId))
    if (!event) return
    const { wallMs } = readClock()
    await applyAnswerToEvent(ownerUuid, event, answer, wallMs)
    await storeReceipt(ownerUuid, [event], wallMs)
  })

async function sendHeard(
  ownerUuid: string,
  { send, ask, lengthsOf, ...clocks }: FlushPorts,
): Promise<FlushOutcome> {
  const lengths: LengthsOf = lengthsOf ?? ((slug) => storedLengths(slug, ownerUuid))
  const stamp = stamper(await thisDeviceId(), clocks)
  const sent: WaitingEvent[] = []
  const tried = new Set<string>()
  let failures = 0
  try {
    if (await wasAway(ownerUuid, clocks.readClock())) {
      await followServer(ownerUuid, await ask(), lengths)
    }
  } catch (problem) {
    return endRun(ownerUuid, problem)
  }
  try {
    for (;;) {
      const event = await oldest(ownerUuid, tried)
      if (!event) return failures === 0 ? 'empty' : 'waiting'
      tried.add(event.eventId)
      try {
        const answer = await send(await stamp(event))
        await applyAnswerToEvent(ownerUuid, event, answer, clocks.readClock().wallMs, lengths)
        sent.push(event)
      } catch (problem) {
        const next = afterFailure(problem, event.tries)
        if (next === 'stop') return endRun(ownerUuid, problem)
        await countFailure(ownerUuid, event, next === 'give-up')
        failures++
        if (problem instanceof NetProblem && problem.kind === 'server' && failures >= STOP_AFTER)
          return 'waiting'
      }
    }
  } finally {
    await storeReceipt(ownerUuid, sent, clocks.readClock().wallMs)
  }
}

export async function askForPlaces(ownerUuid: string): Promise<readonly AudioBookTime[]> {
  const answer = await call('GET /api/user_audio_book_times', {
    query: { itemsPerPage: PAGE_SIZE.audioBookTimes },
    as: ownerUuid,
    background: true,
  })
  return answer['hydra:member']
}

/**
 * True when more than the last few seconds are unsent. A long stretch offline is sent in steps, and each step
 * may be close to another device's position; so compare the whole stretch first, or the two-places question
 * would never be shown (PLAY-27).
 */
async function wasAway(ownerUuid: string, now: ClockReading): Promise<boolean> {
  const events = await placesDb.use(ownerUuid, (db) => db.outbox.toArray())
  const waiting = events.filter(({ setAside }) => setAside === 0)
  const away = (event: WaitingEvent) =>
    event.held === 1 || event.clock.page !== now.page || now.wallMs - event.heardAtMs > 60_000
  return waiting.length > 1 || waiting.some(away)
}

async function endRun(ownerUuid: string, problem: unknown): Promise<FlushOutcome> {
  if (!(problem instanceof NetProblem)) throw problem
  if (problem.status === 401) return 'signed-out'
  if (problem.unreachable) await markDelayed(ownerUuid)
  return 'waiting'
}

const oldest = (ownerUuid: string, tried: ReadonlySet<string>) =>
  placesDb.use(ownerUuid, (db) =>
    db.outbox
      .orderBy('sequence')
      .filter(({ eventId, setAside }) => setAside === 0 && !tried.has(eventId))
      .first(),
  )

/** The server did not answer: the unsent events get a receipt once they have arrived. */
const markDelayed = (ownerUuid: string) =>
  placesDb.use(ownerUuid, (db) => db.outbox.toCollection().modify({ held: 1 }))

const countFailure = (ownerUuid: string, { eventId, tries }: WaitingEvent, isFinal: boolean) =>
  placesDb.use(ownerUuid, (db) => db.outbox.update(eventId, { tries: tries + 1, setAside: isFinal ? 1 : 0 }))

function stamper(device: string, clocks: Pick<FlushPorts, 'readClock' | 'serverOffset'>) {
  let asked: Promise<number | null> | undefined
  return async (event: WaitingEvent): Promise<ListeningEvent> => {
    const now = clocks.readClock()
    // Ask for the server's clock only if the event comes from an earlier page or the machine slept since.
    const offset = clocksAgree(event, now) ? null : await (asked ??= clocks.serverOffset())
    return { ...eventBody(event, device, secondsAgo(event, now, offset)), sequence: event.sequence }
  }
}

/** An event older than this was delayed even if no call failed: a closed tab, a sleeping machine. */
const LATE_MS = 60_000
const KEEP = 20

/** Records what was saved and when, so that listeners can see that nothing was lost offline. */
async function storeReceipt(ownerUuid: string, sent: readonly WaitingEvent[], savedAtMs: number) {
  // An event records when its sound ended; several events may have been merged into it.
  const heardFromMs = Math.min(
    ...sent.map(({ heardAtMs, listenedSeconds }) => heardAtMs - listenedSeconds * 1000),
  )
  const oldestMs = Math.min(...sent.map(({ heardAtMs }) => heardAtMs))
  const late = savedAtMs - oldestMs > LATE_MS || sent.some(({ held }) => held === 1)
  if (!late) return
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.receipts, async () => {
      await db.receipts.add({
        savedAtMs,
        heardFromMs,
        listenedSeconds: sent.reduce((sum, { listenedSeconds }) => sum + listenedSeconds, 0),
        slugs: [...new Set(sent.map(({ slug }) => slug))],
      })
      const ids = await db.receipts.toCollection().primaryKeys()
      await db.receipts.bulkDelete(ids.slice(0, -KEEP))
    }),
  )
}

export const lastReceipt = (ownerUuid: string): Promise<Receipt | undefined> =>
  placesDb.use(ownerUuid, (db) => db.receipts.orderBy(':id').last())
