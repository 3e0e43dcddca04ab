import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { bookTimes, listeningEvents } from '#server/db/schema/listening.ts'
import { anAudioBook, aUser, inLibrary, signedIn, type TestUser } from './builders.ts'

/** The encryption key of the shop that these listeners use. */
export const LISTENERS_KEY = 'k'.repeat(32)
const BOOK_SECONDS = 100_000

/** A listener whose player keeps sending listening events, including while the shop is down. */
export interface Listener {
  readonly user: TestUser
  readonly headers: { xtoken: string }
  readonly audioBook: string
  readonly sent: string[]
  readonly acknowledged: string[]
  /** Requests that got no response (`broken`) and those that were answered with 503 (`refused`). */
  readonly broken: { count: number }
  readonly refused: { count: number }
}

export async function someListeners({ db }: OpenDatabase, count: number): Promise<Listener[]> {
  const shop = { db, config: { appKeys: [LISTENERS_KEY] as [string] }, now: () => new Date() }
  const book = await anAudioBook(shop, { chapters: [{ title: 'Endless', seconds: BOOK_SECONDS }] })
  const listeners: Listener[] = []
  for (let number = 0; number < count; number++) {
    const user = await aUser(shop)
    await inLibrary(shop, user, book)
    listeners.push({
      user,
      headers: await signedIn(shop, user),
      audioBook: `/api/audio_books/${book.slug}`,
      sent: [],
      acknowledged: [],
      broken: { count: 0 },
      refused: { count: 0 },
    })
  }
  return listeners
}

/** The number of events that the server has acknowledged to all of them. */
export const promisesTo = (listeners: readonly Listener[]): number =>
  listeners.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)

/** A player's outbox: sends one event after the other, and repeats each until a server accepts it. */
export async function hearOn(
  listener: Listener,
  urlOf: () => string,
  work: { isOver: boolean; hasClosed?: boolean },
  patienceMs?: number,
): Promise<void> {
  const deviceId = randomUUID()
  for (let sequence = 0; !work.isOver; sequence++) {
    const eventId = randomUUID()
    const heardAt = new Date().toISOString()
    const body = {
      audioBook: listener.audioBook,
      chapter: 1,
      seconds: sequence,
      eventId,
      deviceId,
      sequence,
      heardAt,
    }
    listener.sent.push(eventId)
    while (!(await send(listener, urlOf(), body, patienceMs))) {
      if (work.hasClosed) return
      await pause(30)
    }
    listener.acknowledged.push(eventId)
  }
}

async function send(listener: Listener, url: string, body: object, patienceMs?: number): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/user_audio_book_times`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...listener.headers },
      body: JSON.stringify(body),
      ...(patienceMs ? { signal: AbortSignal.timeout(patienceMs) } : {}),
    })
    const text = await answer.text()
    // 503 while the database restarts; anything else is a fault.
    expect(answer.status, text).toBeOneOf([200, 201, 503])
    if (answer.status === 503) {
      listener.refused.count += 1
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    return answer.ok
  } catch (error) {
    if (!(error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')))
      throw error
    listener.broken.count += 1
    return false
  }
}

export interface Kept {
  readonly events: ReadonlySet<string>
  readonly places: readonly (typeof bookTimes.$inferSelect)[]
}

export async function whatWasKept({ db }: Pick<OpenDatabase, 'db'>): Promise<Kept> {
  const events = await db.select().from(listeningEvents)
  return { events: new Set(events.map(({ eventId }) => eventId)), places: await db.select().from(bookTimes) }
}

/** Expects every acknowledged event to be stored, and each listener's position to be the last one sent. */
export function expectNothingLost(listeners: readonly Listener[], { events, places }: Kept): void {
  for (const { user, sent, acknowledged } of listeners) {
    const missing = acknowledged.filter((eventId) => !events.has(eventId))
    expect(missing, `${missing.length} of ${acknowledged.length} acknowledged writes are lost`).toEqual([])
    const place = places.find(({ userId }) => userId === user.id)
    // The server may have stored the last one sent without its response arriving.
    expect(sent.slice(sent.indexOf(acknowledged.at(-1)!))).toContain(place?.eventId)
  }
}
