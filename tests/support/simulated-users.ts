import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { count, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { AudioBook } from '#contract/catalogue.ts'
import { feedTopic } from '#contract/limits.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { orders } from '#server/db/schema/orders.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { anAudioBook, aUser, inLibrary, signedIn } from './builders.ts'
import { buyOverHttp } from './buy-over-http.ts'
import { expectNothingLost, hearOn, LISTENERS_KEY, someListeners, whatWasKept } from './listeners.ts'
import { closeStreams, listenTo } from './live-stream.ts'
import type { TestSandbox } from './sandbox.ts'
import { aSoundingBook } from './catalogue-builders.ts'

/** A download that takes seconds when read as slowly as below. */
const SOUND_BYTES = 32 * 1024 * 1024
const READ_PAUSE_MS = 8
/** Keeps below the rate limit of 100 log-ins per address and hour. */
const LOG_IN_PAUSE_MS = 6_000

interface Where {
  readonly url: string
  readonly database: OpenDatabase
  readonly dataDir: string
  readonly sandbox: TestSandbox
}

/** How often the users did each thing so far. */
export interface Doings {
  pages: number
  logIns: number
  purchases: number
  downloads: number
  streams: number
  words: number
}

/** Users who browse, log in, buy, download, subscribe to the live stream and listen until they are stopped. */
export async function peopleAt({ url, database, dataDir, sandbox }: Where) {
  const stock = {
    db: database.db,
    config: { appKeys: [LISTENERS_KEY] as [string] },
    now: () => new Date(),
    media: mediaFolder(dataDir),
  }
  const listeners = await someListeners(database, 10)
  const work = { isOver: false }
  const did: Doings = { pages: 0, logIns: 0, purchases: 0, downloads: 0, streams: 0, words: 0 }

  const browse = async () => {
    while (!work.isOver)
      for (const path of ['/', '/browse', '/api/audio_books', '/api/styles']) {
        const answer = await fetch(url + path)
        expect([path, answer.status]).toEqual([path, 200])
        await answer.arrayBuffer()
        did.pages += 1
        await pause(20)
      }
  }
  const logIn = async () => {
    while (!work.isOver) {
      const { email, password } = listeners[did.logIns % listeners.length]!.user
      const answer = await fetch(`${url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
      did.logIns += 1
      await pause(LOG_IN_PAUSE_MS)
    }
  }
  const buyer = await aUser(stock)
  const buy = async () => {
    const headers = await signedIn(stock, buyer)
    while (!work.isOver) {
      await buyOverHttp(() => url, sandbox, { headers, book: await anAudioBook(stock) })
      did.purchases += 1
      await pause(200)
    }
  }
  const bytes = randomBytes(SOUND_BYTES)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const sounding = await aSoundingBook(stock, [{ title: 'Endless', bytes }])
  await inLibrary(stock, listeners[0]!.user, sounding)
  const download = async () => {
    while (!work.isOver) {
      const title = await fetch(`${url}/api/audio_books/${sounding.slug}`, { headers: listeners[0]!.headers })
      const [file] = ((await title.json()) as AudioBook).audioFiles
      // Not `fetch`: it fails when a response is read slowly and the connection then closes (nodejs/undici#5360).
      const [answer] = (await once(get(url + file!.url), 'response')) as [IncomingMessage]
      expect(answer.statusCode).toBe(200)
      const read = createHash('sha256')
      for await (const part of answer as AsyncIterable<Buffer>) {
        read.update(part)
        await pause(READ_PAUSE_MS)
      }
      expect(read.digest('hex')).toBe(hash)
      did.downloads += 1
    }
  }
  const listen = async () => {
    const { user, headers } = listeners[1]!
    const token = headers.xtoken.replace('Bearer ', '')
    while (!work.isOver) {
      const stream = await listenTo(url, { token, topic: feedTopic(user.id) })
      expect(stream.response.status).toBe(200)
      did.streams += 1
      while (!work.isOver && !stream.isOver()) {
        await Promise.race([stream.next().catch(() => undefined), stream.ended])
        did.words += 1
      }
      // A stream that the server closes in order sends a reconnection time first.
      if (!work.isOver) expect([await stream.ended, stream.retryMs()]).toEqual([true, expect.any(Number)])
    }
  }

  const complaints: unknown[] = []
  const done = Promise.all(
    [
      browse(),
      browse(),
      logIn(),
      buy(),
      download(),
      download(),
      listen(),
      ...listeners.map((listener) => hearOn(listener, () => url, work)),
    ].map((life) => life.catch((error: unknown) => complaints.push(error))),
  )
  return {
    did,
    complaints,
    listeners,
    /** Stops all users, and expects everything that was acknowledged to be stored. */
    async expectAllIsThere() {
      work.isOver = true
      await done
      closeStreams()
      expect(complaints).toEqual([])
      expectNothingLost(listeners, await whatWasKept(database))
      const [bought] = await database.db
        .select({ titles: count() })
        .from(libraryEntries)
        .where(eq(libraryEntries.userId, buyer.id))
      const states = await database.db.select({ state: orders.state }).from(orders)
      expect(bought).toEqual({ titles: did.purchases })
      expect(states.map(({ state }) => state)).toEqual(Array<string>(did.purchases).fill('paid'))
      let payments = 0
      for await (const payment of sandbox.payments.listPayments({}))
        if (payment.state === 'paid') payments += 1
      expect(payments).toBe(did.purchases)
    },
  }
}
