import type { Table } from 'dexie'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { NetProblem } from '#net/problem.ts'
import { clocksAgree, readClock, secondsAgo, type ClockReading } from '#storage/clock.ts'
import { knownOffset, nextSequence, outboxLock, thisDeviceId } from './outbox.ts'
import { type Bookmark, type MarkChange, placesDb, type PlacesDb } from '#storage/places-db.ts'

/** What a bookmark and a highlight have in common: a place that stays, and a note that changes and travels. */
export type Mark = Omit<Bookmark, 'chapter' | 'seconds'>

/** The note as it is sent, with its time. */
export interface SentNote {
  note: string
  eventId: string
  deviceId: string
  sequence: number
  changedAt: string
  agoSeconds?: number
}

interface Answer {
  note: string
  changedAt: string
  serverTime: string
}

export interface MarkCalls<Body> {
  make: (body: Body) => Promise<Answer>
  write: (id: string, note: SentNote) => Promise<Answer>
  remove: (id: string, deviceId: string) => Promise<unknown>
}

export interface SendingClocks {
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
}

interface MarkKind<M extends Mark, Body, Row> {
  marks: (db: PlacesDb) => Table<M, string>
  changes: (db: PlacesDb) => Table<MarkChange, string>
  /** The mark as the server makes it. */
  bodyOf: (mark: M, note: SentNote) => Body
  fromServer: (row: Row) => M
  /** Asks for the account's, of one book or of all. */
  ask: (ownerUuid: string, slug: string | undefined) => Promise<readonly Row[]>
}

const SET_ASIDE_AFTER = 3

/** Marks of one kind on this device: each change waits there until the server has it, and a removal wins. */
export function markStore<M extends Mark, Body, Row extends { id: string }>({
  marks,
  changes,
  bodyOf,
  fromServer,
  ask,
}: MarkKind<M, Body, Row>) {
  const tablesOf = (db: PlacesDb) => [marks(db), changes(db), db.settings]
  const inOne = <T>(ownerUuid: string, work: (db: PlacesDb) => Promise<T>): Promise<T> =>
    // Dexie keeps a transaction open over an await only where it sees that its function is asynchronous.
    placesDb.use(ownerUuid, (db) => db.transaction('rw', tablesOf(db), async () => work(db)))

  /** Adds one, or writes the note of one that is there; it waits until the server has it. */
  const put = (ownerUuid: string, mark: M, clock: ClockReading = readClock()): Promise<void> =>
    inOne(ownerUuid, async (db) => {
      const before = await marks(db).get(mark.id)
      await marks(db).put({ ...before, ...mark })
      await writeChange(db, mark.id, 'written', clock)
    })

  /** Removing one that is gone is no error. */
  const remove = (ownerUuid: string, id: string, clock: ClockReading = readClock()): Promise<void> =>
    inOne(ownerUuid, async (db) => {
      await marks(db).delete(id)
      // Also where the server was never told: its answer may have been lost.
      await writeChange(db, id, 'removed', clock)
      // The account was full and has room now: send the refused marks again after this removal.
      for (const refused of await changes(db)
        .filter(({ setAside }) => setAside === 1)
        .toArray())
        await changes(db).put({ ...refused, sequence: await nextSequence(db), tries: 0, setAside: 0 })
    })

  /** How many changes wait for the server; those it refused again and again are not among them. */
  const countWaiting = (ownerUuid: string): Promise<number> =>
    placesDb.use(ownerUuid, async (db) => (await untold(db)).length + (await waiting(db)).length)

  const waiting = (db: PlacesDb): Promise<MarkChange[]> =>
    changes(db)
      .orderBy('sequence')
      .filter(({ setAside }) => setAside === 0)
      .toArray()

  /** Only the last change of a mark has to be sent. */
  async function writeChange(
    db: PlacesDb,
    id: string,
    kind: MarkChange['kind'],
    { wallMs, page, pageMs }: ClockReading,
  ): Promise<void> {
    await changes(db).put({
      id,
      kind,
      eventId: crypto.randomUUID(),
      sequence: await nextSequence(db),
      changedAtMs: wallMs,
      clock: { page, ms: pageMs },
      offsetMs: await knownOffset(db),
      tries: 0,
      setAside: 0,
    })
  }

  /** The server has not been told of them, and nothing waits that will tell it. */
  async function untold(db: PlacesDb): Promise<M[]> {
    const changed = new Set<string>((await changes(db).toArray()).map(({ id }) => id))
    return marks(db)
      .filter(({ id, confirmed }) => confirmed !== 1 && !changed.has(id))
      .toArray()
  }

  /** Sends what waits; call it under the outbox's lock only. Throws what is not about a mark itself. */
  async function send(
    ownerUuid: string,
    calls: MarkCalls<Body>,
    clocks: SendingClocks,
  ): Promise<'empty' | 'waiting'> {
    const toSend = await inOne(ownerUuid, async (db) => {
      // Marked before marks travelled, or by a tab of the release before: it comes along as of when it was made.
      for (const { id, madeAtMs } of await untold(db))
        await writeChange(db, id, 'written', { wallMs: madeAtMs, page: '', pageMs: 0 })
      return waiting(db)
    })
    let outcome: 'empty' | 'waiting' = 'empty'
    for (const change of toSend) {
      try {
        const answer = await sendOne(ownerUuid, change, calls, clocks)
        await applyAnswer(ownerUuid, change, answer, clocks.readClock().wallMs)
      } catch (problem) {
        if (!(problem instanceof NetProblem) || isNotAboutTheChange(problem)) throw problem
        if (!(await tookAsRemoved(ownerUuid, change, problem))) {
          await countRefusal(ownerUuid, change, problem)
          outcome = 'waiting'
        }
      }
    }
    return outcome
  }

  /** Undefined where nothing is left to be said. */
  async function sendOne(
    ownerUuid: string,
    change: MarkChange,
    calls: MarkCalls<Body>,
    { readClock: clockNow, serverOffset }: SendingClocks,
  ): Promise<Answer | undefined> {
    const deviceId = await thisDeviceId()
    if (change.kind === 'removed') {
      await calls.remove(change.id, deviceId)
      return undefined
    }
    const mark = await placesDb.use(ownerUuid, (db) => marks(db).get(change.id))
    if (!mark) return undefined
    const then = { ...change, heardAtMs: change.changedAtMs }
    const now = clockNow()
    const ago = secondsAgo(then, now, clocksAgree(then, now) ? null : await serverOffset())
    const note: SentNote = {
      note: mark.note,
      eventId: change.eventId,
      deviceId,
      sequence: change.sequence,
      changedAt: new Date(change.changedAtMs).toISOString(),
      ...(ago === undefined ? {} : { agoSeconds: ago }),
    }
    return mark.confirmed === 1 ? calls.write(mark.id, note) : calls.make(bodyOf(mark, note))
  }

  /** The server's word: what was sent waits no longer, and another device's newer note is taken over. */
  const applyAnswer = (
    ownerUuid: string,
    sent: MarkChange,
    answer: Answer | undefined,
    wallMs: number,
  ): Promise<void> =>
    inOne(ownerUuid, async (db) => {
      const isLast = (await changes(db).get(sent.id))?.eventId === sent.eventId
      if (isLast) await changes(db).delete(sent.id)
      if (!answer) return
      await db.settings.put({ name: 'clockOffset', value: Date.parse(answer.serverTime) - wallMs })
      // Written on meanwhile: the newer note is sent the next time. A removed one is not brought back.
      const known = await marks(db).get(sent.id)
      if (known)
        await marks(db).put({
          ...known,
          confirmed: 1,
          ...(isLast ? { note: answer.note, changedAtMs: Date.parse(answer.changedAt) } : {}),
        })
    })

  /** True where the server no longer has the mark: a removal wins over whatever was written here. */
  async function tookAsRemoved(
    ownerUuid: string,
    change: MarkChange,
    { status }: NetProblem,
  ): Promise<boolean> {
    if (status !== 404 && status !== 409) return false
    return inOne(ownerUuid, async (db) => {
      const confirmed = (await marks(db).get(change.id))?.confirmed === 1
      // Of one that was never made there, a 404 is about its book.
      if (change.kind === 'written' && status === 404 && !confirmed) return false
      await marks(db).delete(change.id)
      await changes(db).delete(change.id)
      return true
    })
  }

  /** A change that is refused again and again stays on this device and is no longer sent. */
  const countRefusal = (ownerUuid: string, { id, eventId, tries }: MarkChange, problem: NetProblem) =>
    inOne(ownerUuid, async (db) => {
      const now = await changes(db).get(id)
      if (now?.eventId !== eventId) return
      const isFinal = problem.kind === 'refused' && tries + 1 >= SET_ASIDE_AFTER
      await changes(db).put({ ...now, tries: tries + 1, setAside: isFinal ? 1 : 0 })
    })

  /**
   * Takes in the account's marks, of one book or of all: what is not among them any more was removed elsewhere. Not while
   * something is sent, so that no answer is older than what the device knows. What waits here stays as it is.
   */
  const follow = (
    ownerUuid: string,
    slug?: string,
    asked: (slug: string | undefined) => Promise<readonly Row[]> = (of) => ask(ownerUuid, of),
  ): Promise<void> =>
    oneAtATime(outboxLock(ownerUuid), async () => {
      const known = await placesDb.use(ownerUuid, (db) =>
        marks(db)
          .filter((mark) => mark.confirmed === 1 && (slug === undefined || mark.slug === slug))
          .toArray(),
      )
      const rows = await asked(slug)
      const there = new Set(rows.map(({ id }) => id))
      await inOne(ownerUuid, async (db) => {
        const waits = new Set<string>((await changes(db).toArray()).map(({ id }) => id))
        for (const { id } of known) if (!there.has(id) && !waits.has(id)) await marks(db).delete(id)
        await marks(db).bulkPut(rows.filter(({ id }) => !waits.has(id)).map(fromServer))
      })
    })

  return { put, remove, countWaiting, waiting, send, follow }
}

const isNotAboutTheChange = ({ status, unreachable }: NetProblem) =>
  unreachable || [401, 408, 425, 429].includes(status)

export const slugOfIri = (iri: string): string => decodeURIComponent(iri.slice(iri.lastIndexOf('/') + 1))
