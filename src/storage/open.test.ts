import 'fake-indexeddb/auto'
import { Dexie, type EntityTable } from 'dexie'
import { describe, expect, test, vi } from 'vitest'
import { perOwnerDatabases, isQuotaExceeded } from './open.ts'
import { createPlaceQueue } from '#sync/place-queue.ts'
import type { HeardPlace } from './place.ts'

type Db = Dexie & { things: EntityTable<{ id: string }, 'id'> }
const make = (owner: string) => {
  const db = new Dexie(`open-test-${owner}`) as Db
  db.version(1).stores({ things: 'id' })
  return db
}

/** Like WebKit after a night in the background: the first `times` transactions fail without a connection. */
function failing(times: number, name: string) {
  let left = times
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- > 0) throw new DOMException('Connection to Indexed Database server lost', name)
    return work()
  }
}

test('queries run synchronously, so that a live query sees them', () => {
  const db = perOwnerDatabases(make)
  let asked = false
  void db.use(crypto.randomUUID(), async () => void (asked = true))
  expect(asked).toBe(true)
})

test('trap 11: watchers are notified if the browser closed a database, and not if the app did', async () => {
  const db = perOwnerDatabases(make)
  const owner = crypto.randomUUID()
  const told: string[] = []
  const stop = db.onClosed((whose) => told.push(whose))
  const open = () => db.use(owner, async (opened) => opened)
  await open()
  db.close()
  expect(told).toEqual([])
  const again = await open()
  again.on.close.fire(new Event('close'))
  expect(told).toEqual([owner])
  stop()
})

describe('trap 13: a database whose connection is lost in the background', () => {
  test.each(['InvalidStateError', 'UnknownError'])(
    'trap 13: after a single %s it reopens the database and retries',
    async (name) => {
      const db = perOwnerDatabases(make)
      const through = failing(1, name)
      const owner = crypto.randomUUID()
      await db.use(owner, (open) => through(() => open.things.put({ id: 'a' })))
      expect(await db.use(owner, (open) => open.things.count())).toBe(1)
    },
  )

  test('trap 13: a second failure is passed to the caller, and the next call works', async () => {
    const db = perOwnerDatabases(make)
    const through = failing(2, 'UnknownError')
    const owner = crypto.randomUUID()
    const put = () => db.use(owner, (open) => through(() => open.things.put({ id: 'a' })))
    await expect(put()).rejects.toMatchObject({ name: 'UnknownError' })
    await expect(put()).resolves.toBe('a')
  })

  test('trap 13: a connection closed behind the app is opened again', async () => {
    const opened: Db[] = []
    const db = perOwnerDatabases((owner: string) => {
      const made = make(owner)
      opened.push(made)
      return made
    })
    const owner = crypto.randomUUID()
    await db.use(owner, (open) => open.things.put({ id: 'a' }))
    opened[0]?.close()
    const asked: Db[] = []
    await db.use(owner, async (open) => void asked.push(open))
    // The closed connection is not tried first.
    expect(asked).toEqual([opened[1]])
    expect(await db.use(owner, (open) => open.things.count())).toBe(1)
  })

  test('another failure is not retried', async () => {
    const db = perOwnerDatabases(make)
    const work = vi.fn(async () => {
      throw new DOMException('', 'QuotaExceededError')
    })
    await expect(db.use(crypto.randomUUID(), work)).rejects.toSatisfy(isQuotaExceeded)
    expect(work).toHaveBeenCalledTimes(1)
  })

  test("a failure is recognised inside Dexie's wrapper too", () => {
    const wrapped = (inner: object) => Object.assign(new Error('aborted'), { name: 'AbortError', inner })
    const full = new DOMException('', 'QuotaExceededError')
    expect([full, wrapped(full), wrapped(wrapped(full)), wrapped({}), null].map(isQuotaExceeded)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    const around = wrapped({})
    expect(isQuotaExceeded(Object.assign(around, { inner: around }))).toBe(false)
  })
})

describe('places while nothing can be stored', () => {
  const place = (chapter: number, seconds: number): HeardPlace => ({
    slug: 'salt',
    chapter,
    seconds,
    listenedSeconds: 5,
  })

  test('trap 13: they wait in memory, one per chapter, until the device recovers', async () => {
    let broken = true
    let tries = 0
    const written: HeardPlace[] = []
    const told: boolean[] = []
    const queue = createPlaceQueue(
      async (heard) => {
        tries += 1
        if (broken) throw new DOMException('', 'UnknownError')
        written.push(heard)
      },
      (stuck) => told.push(stuck),
    )
    await queue.keep(place(1, 5))
    await queue.keep(place(1, 10))
    await queue.keep(place(2, 3))
    expect(queue.stuck()).toBe(true)
    // One attempt for each position that arrived.
    expect(tries).toBe(3)

    broken = false
    await queue.keep(place(2, 8))
    expect(written).toMatchObject([
      { chapter: 1, seconds: 10, listenedSeconds: 10 },
      { chapter: 2, seconds: 8, listenedSeconds: 10 },
    ])
    expect(told).toEqual([true, false])
  })

  test('a position that arrives during a write is written after it', async () => {
    const written: number[] = []
    const queue = createPlaceQueue(async ({ seconds }) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      written.push(seconds)
    })
    await Promise.all([queue.keep(place(1, 5)), queue.keep(place(1, 10)), queue.keep(place(1, 15))])
    await queue.drain()
    expect(written[0]).toBe(5)
    expect(written.at(-1)).toBe(15)
  })
})
