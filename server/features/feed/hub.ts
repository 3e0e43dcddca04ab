import type { ServerResponse } from 'node:http'
import { type LiveSessions, liveSessionsOf, SESSION_REVOKED } from '../../auth/live-sessions.ts'
import type { Shop } from '../../shop.ts'
import { type FeedEvent, selectEventsAfter, selectNewest, selectSequence } from './queries.ts'
import { FEED_CHANNEL, TRANSIENT_CHANNEL, type TransientMessage } from './service.ts'

/** Shorter than the idle timeouts of proxies. The client gives up only after an hour (FEED-03). */
const HEARTBEAT_MS = 20_000
/** Tabs and devices of one account. */
const STREAMS_OF_ONE = 12
const EVENTS_PER_QUERY = 100

interface Stream {
  readonly userId: string
  readonly sessionId: string
  readonly response: ServerResponse
  sequence: number
  /** Queries run one after the other, so that no event is sent twice or out of order. */
  looking: Promise<void>
}

type Opening = Pick<Stream, 'userId' | 'sessionId' | 'sequence'> & { readonly expiresAtMs: number }

/** A notification only names the account whose rows to query, so no event is lost if a notification is. */
export class Hub {
  readonly #shop: Shop
  readonly #sessions: LiveSessions
  readonly #streams = new Map<string, Set<Stream>>()
  #listening: Promise<(() => Promise<void>)[]> | undefined
  #closed = false

  constructor(shop: Shop) {
    this.#shop = shop
    this.#sessions = liveSessionsOf(shop)
  }

  isFull(userId: string): boolean {
    return (this.#streams.get(userId)?.size ?? 0) >= STREAMS_OF_ONE
  }

  async startOf(userId: string, lastEventId: string | undefined): Promise<{ sequence: number; id: string }> {
    const { db } = this.#shop
    if (lastEventId === 'earliest') return { sequence: 0, id: 'earliest' }
    const uuid = lastEventId?.replace(/^urn:uuid:/, '')
    if (uuid && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) {
      const sequence = await selectSequence(db, userId, uuid)
      // The event was deleted, so what the client missed is unknown. Send all stored events.
      return sequence === undefined ? { sequence: 0, id: 'earliest' } : { sequence, id: `urn:uuid:${uuid}` }
    }
    const newest = await selectNewest(db, userId)
    return newest
      ? { sequence: newest.sequence, id: `urn:uuid:${newest.id}` }
      : { sequence: 0, id: 'earliest' }
  }

  /** The headers are already sent. */
  async open(response: ServerResponse, { userId, sessionId, sequence, expiresAtMs }: Opening): Promise<void> {
    const stream: Stream = { userId, sessionId, response, sequence, looking: Promise.resolve() }
    const streams = this.#streams.get(userId) ?? new Set()
    this.#streams.set(userId, streams.add(stream))
    this.#shop.metrics.feedConnections.add(1)
    const heartbeat = setInterval(() => {
      if (!response.writableEnded) response.write(':\n\n')
      // The notification of a log-out may have been lost.
      this.#endOver([stream])
    }, HEARTBEAT_MS)
    const end = setTimeout(() => response.end(), Math.max(0, expiresAtMs - this.#shop.now().getTime()))
    response.once('close', () => {
      clearInterval(heartbeat)
      clearTimeout(end)
      this.#shop.metrics.feedConnections.add(-1)
      streams.delete(stream)
      if (streams.size === 0) this.#streams.delete(userId)
    })
    await this.listen()
    // During the shutdown, a kept-alive proxy connection can still deliver a request.
    if (this.#closed) response.end(comeBackSoon())
    else if (!(await this.#isAlive(stream))) response.end()
    await this.#look(stream)
  }

  /** From the first stream on: without streams the instance needs no connection for it. */
  async listen(): Promise<void> {
    this.#listening ??= this.#listenToAll()
    try {
      await this.#listening
    } catch (error) {
      this.#listening = undefined
      throw error
    }
  }

  #listenToAll(): Promise<(() => Promise<void>)[]> {
    const { database } = this.#shop
    return Promise.all([
      database.listen(
        FEED_CHANNEL,
        (userId) => this.#lookAll(this.#streams.get(userId)),
        () => this.#lookAll(this.#all()),
      ),
      database.listen(
        SESSION_REVOKED,
        (sessionId) => {
          for (const stream of this.#all()) if (stream.sessionId === sessionId) stream.response.end()
        },
        () => this.#endOver(this.#all()),
      ),
      database.listen(TRANSIENT_CHANNEL, (payload) => this.#passOn(JSON.parse(payload))),
    ])
  }

  #all(): Stream[] {
    return [...this.#streams.values()].flatMap((streams) => [...streams])
  }

  #endOver(streams: readonly Stream[]): void {
    for (const stream of streams)
      this.#isAlive(stream)
        .then((alive) => alive || stream.response.end())
        // If the database is unavailable, the next heartbeat checks again.
        .catch(() => undefined)
  }

  async #isAlive({ userId, sessionId }: Stream): Promise<boolean> {
    return (await this.#sessions.find(sessionId))?.userId === userId
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { response } of this.#all()) response.end(comeBackSoon())
    const stops = await this.#listening?.catch(() => [])
    await Promise.all((stops ?? []).map((stop) => stop()))
  }

  /** Without an id, because a client cannot resume from a message that is not stored. */
  #passOn({ userId, data }: TransientMessage): void {
    for (const { response } of this.#streams.get(userId) ?? [])
      if (!response.writableEnded) response.write(`data: ${JSON.stringify(data)}\n\n`)
  }

  #lookAll(streams: Iterable<Stream> = []): void {
    for (const stream of streams)
      this.#look(stream).catch((error: unknown) => {
        this.#shop.log.warn({ err: error }, 'a live stream could not be served')
        // The client reconnects and resumes after its last event.
        stream.response.end()
      })
  }

  #look(stream: Stream): Promise<void> {
    stream.looking = stream.looking.then(async () => {
      for (;;) {
        const events = await selectEventsAfter(this.#shop.db, stream.userId, {
          sequence: stream.sequence,
          most: EVENTS_PER_QUERY,
        })
        for (const event of events) {
          if (stream.response.writableEnded) return
          stream.response.write(eventText(event))
          stream.sequence = event.sequence
        }
        if (events.length < EVENTS_PER_QUERY) return
      }
    })
    return stream.looking
  }
}

/** Spreads the reconnections to the other instances over 0.5 to 5 seconds. */
const comeBackSoon = (): string => `retry: ${Math.round(500 + Math.random() * 4_500)}\n\n`

const eventText = ({ id, data }: FeedEvent): string => `id: urn:uuid:${id}\ndata: ${JSON.stringify(data)}\n\n`
