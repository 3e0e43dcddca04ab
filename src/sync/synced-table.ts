import type { Table } from 'dexie'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { isTryLater, NetProblem } from '#net/problem.ts'
import { clocksAgree, secondsAgo, type ClockReading } from '#storage/clock.ts'
import { placesDb, type PlacesDb } from '#storage/places-db.ts'
import { knownOffset, outboxLock, thisDeviceId } from './outbox.ts'

export interface SendingClocks {
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
}

interface Unsent {
  clock: { page: string; ms: number }
  offsetMs: number | null
  tries: number
}

/** Inside the caller's transaction, which includes `settings`. */
export const unsentAt = async (db: PlacesDb, { page, pageMs }: ClockReading): Promise<Unsent> => ({
  clock: { page, ms: pageMs },
  offsetMs: await knownOffset(db),
  tries: 0,
})

/** The same fields of a row that the server has confirmed. */
export const CONFIRMED = { waiting: 0 as const, clock: { page: '', ms: 0 }, offsetMs: null, tries: 0 }

/** A deploy or a race can cause one wrong refusal, but not three. */
const GIVE_UP_AFTER = 3

/**
 * What to do after a call failed that sent a stored change. `stop`: end this run, the failure isn't about the change (no
 * answer, an expired session, or 408, 425 and 429, which mean "try again later"). `retry`: count it and continue with
 * the next change. `give-up`: never send it again.
 *
 * @throws what is not a `NetProblem`
 */
export function afterFailure(failure: unknown, triesBefore: number): 'stop' | 'retry' | 'give-up' {
  if (!(failure instanceof NetProblem)) throw failure
  if (failure.unreachable || failure.status === 401 || isTryLater(failure.status)) return 'stop'
  return failure.kind === 'refused' && triesBefore + 1 >= GIVE_UP_AFTER ? 'give-up' : 'retry'
}

interface SyncedTableOptions<Row extends Unsent, Calls, Answer extends { serverTime?: string }> {
  table: (db: PlacesDb) => Table<Row, string>
  /** Other tables that `prepare`, `waiting` and `merge` use. */
  alsoUses?: (db: PlacesDb) => Table[]
  idOf: (row: Row) => string
  changedAtMs: (row: Row) => number
  isSame: (now: Row, sent: Row) => boolean
  prepare?: (db: PlacesDb) => Promise<unknown>
  /** Rows that the server has not confirmed, in sending order. */
  waiting: (db: PlacesDb) => Promise<Row[]>
  /** `stamp` measures the age of the change. Undefined if there is nothing left to send. */
  send: (
    calls: Calls,
    row: Row,
    stamp: () => Promise<Stamp>,
    ownerUuid: string,
  ) => Promise<Answer | undefined>
  merge: (db: PlacesDb, sent: Row, answer: Answer | undefined, isSame: boolean) => Promise<unknown>
  /** True if the refusal settles the change, as a removal on another device does. */
  mergeRefusal?: (db: PlacesDb, sent: Row, problem: NetProblem) => Promise<boolean>
  givenUp: Partial<Row>
}

export interface Stamp {
  deviceId: string
  agoSeconds?: number
}

/**
 * Rows of a listener that are changed on this device and sent later. A change waits in the database until the server has
 * answered it, and the answer says which version counts.
 */
export function syncedTable<Row extends Unsent, Calls, Answer extends { serverTime?: string }>({
  table,
  alsoUses = () => [],
  idOf,
  changedAtMs,
  isSame,
  prepare,
  waiting,
  send,
  merge,
  mergeRefusal,
  givenUp,
}: SyncedTableOptions<Row, Calls, Answer>) {
  const inTransaction = <T>(ownerUuid: string, work: (db: PlacesDb) => Promise<T>): Promise<T> =>
    // Dexie keeps a transaction open over an await only if it sees that its function is asynchronous.
    placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', [table(db), db.settings, ...alsoUses(db)], async () => work(db)),
    )

  const isUnchanged = async (db: PlacesDb, sent: Row) => {
    const now = await table(db).get(idOf(sent))
    return now !== undefined && isSame(now, sent)
  }

  const applyAnswer = (
    ownerUuid: string,
    sent: Row,
    answer: Answer | undefined,
    wallMs: number,
  ): Promise<void> =>
    inTransaction(ownerUuid, async (db) => {
      if (answer?.serverTime)
        await db.settings.put({ name: 'clockOffset', value: Date.parse(answer.serverTime) - wallMs })
      await merge(db, sent, answer, await isUnchanged(db, sent))
    })

  const applyRefusal = (ownerUuid: string, sent: Row, problem: NetProblem, isFinal: boolean) =>
    inTransaction(ownerUuid, async (db) => {
      if (await mergeRefusal?.(db, sent, problem)) return false
      if (await isUnchanged(db, sent)) {
        const now = await table(db).get(idOf(sent))
        if (now) await table(db).put({ ...now, tries: sent.tries + 1, ...(isFinal ? givenUp : {}) })
      }
      return true
    })

  return {
    inTransaction,
    applyAnswer,

    countWaiting: (ownerUuid: string): Promise<number> =>
      placesDb.use(ownerUuid, async (db) => (await waiting(db)).length),

    /**
     * Sends the unsent rows; call it only under the outbox's lock. Throws failures that aren't about one row.
     */
    sendAll: async (
      ownerUuid: string,
      calls: Calls,
      { readClock, serverOffset }: SendingClocks,
    ): Promise<'empty' | 'waiting'> => {
      const rows = await inTransaction(ownerUuid, async (db) => {
        await prepare?.(db)
        return waiting(db)
      })
      const deviceId = await thisDeviceId()
      let outcome: 'empty' | 'waiting' = 'empty'
      for (const row of rows) {
        const stamp = async (): Promise<Stamp> => {
          const then = { ...row, heardAtMs: changedAtMs(row) }
          const now = readClock()
          const ago = secondsAgo(then, now, clocksAgree(then, now) ? null : await serverOffset())
          return { deviceId, ...(ago === undefined ? {} : { agoSeconds: ago }) }
        }
        try {
          const answer = await send(calls, row, stamp, ownerUuid)
          await applyAnswer(ownerUuid, row, answer, readClock().wallMs)
        } catch (failure) {
          const next = afterFailure(failure, row.tries)
          if (next === 'stop' || !(failure instanceof NetProblem)) throw failure
          if (await applyRefusal(ownerUuid, row, failure, next === 'give-up')) outcome = 'waiting'
        }
      }
      return outcome
    },

    /**
     * Applies the account's rows, except older ones and those with an unsent change: the answer to that
     * change decides.
     */
    follow: (ownerUuid: string, rows: readonly Row[], isWaiting: (row: Row) => boolean): Promise<void> =>
      inTransaction(ownerUuid, async (db) => {
        for (const row of rows) {
          const known = await table(db).get(idOf(row))
          if (known && (isWaiting(known) || changedAtMs(known) > changedAtMs(row))) continue
          await table(db).put(row)
        }
      }),
  }
}

/**
 * Replaces a table's confirmed rows with the account's: a missing row was removed elsewhere, and a row with
 * an unsent change stays. Call under the outbox's lock, so that the answer is never older than what this
 * device has sent.
 */
export const replaceConfirmed = <Row extends { id: string }>(
  ownerUuid: string,
  {
    table,
    changes,
    confirmed,
    waiting,
    ask,
  }: {
    table: (db: PlacesDb) => Table<Row, string>
    changes: (db: PlacesDb) => Table
    confirmed: (row: Row) => boolean
    /** The unsent changes; a change has the id of its row. */
    waiting: (db: PlacesDb) => Promise<readonly { id: string }[]>
    ask: () => Promise<readonly Row[]>
  },
): Promise<void> =>
  oneAtATime(outboxLock(ownerUuid), async () => {
    const known = await placesDb.use(ownerUuid, (db) => table(db).filter(confirmed).primaryKeys())
    const rows = await ask()
    const listed = new Set(rows.map(({ id }) => id))
    await placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', table(db), changes(db), async () => {
        const waits = new Set((await waiting(db)).map(({ id }) => id))
        await table(db).bulkDelete(known.filter((id) => !listed.has(id) && !waits.has(id)))
        await table(db).bulkPut(rows.filter(({ id }) => !waits.has(id)))
      }),
    )
  })
