import type { ServerResponse } from 'node:http'
import { type LiveSessions, liveSessionsOf, SESSION_REVOKED } from '../../auth/live-sessions.ts'
import type { Shop } from '../../shop.ts'
import { type FeedEvent, selectEventsAfter, selectNewest, selectSequence } from './queries.ts'
import { FEED_CHANNEL, TRANSIENT_CHANNEL, type TransientMessage } from './service.ts'

/** Below what proxies cut off; the client gives up only after an hour (FEED-03). */
const HEARTBEAT_MS = 20_000
/** Tabs and devices of one account. */
const STREAMS_OF_ONE = 12
/** More than a day brings; what is beyond comes with the next look. */
const BATCH_SIZE = 100

interface Stream {
  readonly userId: string
  readonly sessionId: string
  readonly response: ServerResponse
  /** Of the last event that was sent. */
  sequence: number
  /** Looks run one after the other, so that nothing is sent twice or out of order. */
  looking: Promise<void>
}

type Opening = Pick<Stream, 'userId' | 'sessionId' | 'sequence'> & { readonly expiresAtMs: number }

/**
 * The streams of this instance. An event is a row; a notification only says whose rows to look at, so that a lost
 * one, or a stream on another instance, costs nothing.
 */
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

  /** The point to resume from: after `lastEventId`; for `earliest` with all that is kept; else from now on. */
  async startOf(userId: string, lastEventId: string | undefined): Promise<{ sequence: number; id: string }> {
    const { db } = this.#shop
    if (lastEventId === 'earliest') return { sequence: 0, id: 'earliest' }
    const uuid = lastEventId?.replace(/^urn:uuid:/, '')
    if (uuid && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) {
      const sequence = await selectSequence(db, userId, uuid)
      // A forgotten id: everything kept is sent, since nobody knows what was missed.
      return sequence === undefined ? { sequence: 0, id: 'earliest' } : { sequence, id: `urn:uuid:${uuid}` }
    }
    const newest = await selectNewest(db, userId)
    return newest
      ? { sequence: newest.sequence, id: `urn:uuid:${newest.id}` }
      : { sequence: 0, id: 'earliest' }
  }

  /** Keeps a response open until its token or its session ends, or the listener goes. The head was sent already. */
  async open(response: ServerResponse, { userId, sessionId, sequence, expiresAtMs }: Opening): Promise<void> {
    const stream: Stream = { userId, sessionId, response, sequence, looking: Promise.resolve() }
    const streams = this.#streams.get(userId) ?? new Set()
    this.#streams.set(userId, streams.add(stream))
    this.#shop.metrics.feedConnections.add(1)
    const heartbeat = setInterval(() => {
      if (!response.writableEnded) response.write(':\n\n')
      // In case the notice of a log-out was lost.
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
    // Over a connection that a proxy has kept somebody may come once more.
    if (this.#closed) response.end(comeBackSoon())
    else if (!(await this.#isAlive(stream))) response.end()
    await this.#look(stream)
  }

  /** Listens for new events from the first stream on: a shop without streams needs no connection for it. */
  async listen(): Promise<void> {
    this.#listening ??= this.#listenToAll()
    try {
      await this.#listening
    } catch (error) {
      this.#listening = undefined
      throw error
    }
  }

  /** Subscribes to new events and to log-outs on every instance. */
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

  /** Closes streams whose session ended without a notice. */
  #endOver(streams: readonly Stream[]): void {
    for (const stream of streams)
      this.#isAlive(stream)
        .then((alive) => alive || stream.response.end())
        // The database is away for a moment: the next heartbeat asks again.
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

  /** Without an id: a message that is not kept cannot be resumed from. */
  #passOn({ userId, data }: TransientMessage): void {
    for (const { response } of this.#streams.get(userId) ?? [])
      if (!response.writableEnded) response.write(`data: ${JSON.stringify(data)}\n\n`)
  }

  #lookAll(streams: Iterable<Stream> = []): void {
    for (const stream of streams)
      this.#look(stream).catch((error: unknown) => {
        this.#shop.log.warn({ err: error }, 'a live stream could not be served')
        // The client reconnects by itself and resumes where it stopped.
        stream.response.end()
      })
  }

  #look(stream: Stream): Promise<void> {
    stream.looking = stream.looking.then(async () => {
      for (;;) {
        const events = await selectEventsAfter(this.#shop.db, stream.userId, {
          sequence: stream.sequence,
          most: BATCH_SIZE,
        })
        for (const event of events) {
          if (stream.response.writableEnded) return
          stream.response.write(written(event))
          stream.sequence = event.sequence
        }
        if (events.length < BATCH_SIZE) return
      }
    })
    return stream.looking
  }
}

/** Not all at once: a server that ends has many listeners, and they go to those that are left. */
const comeBackSoon = (): string => `retry: ${Math.round(500 + Math.random() * 4_500)}\n\n`

const written = ({ id, data }: FeedEvent): string => `id: urn:uuid:${id}\ndata: ${JSON.stringify(data)}\n\n`
