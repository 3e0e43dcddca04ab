import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { businessClock, jobs, restorations } from '../db/schema/jobs.ts'

const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

interface Taking {
  readonly name: string
  /** Of this run, and no other. */
  readonly runId: string
  readonly now: Date
  /** Nothing is due later than that, unless a clock that was wrong said so. */
  readonly latest: Date
  /** How long it is held unless it is renewed. */
  readonly seconds: number
}

/** Takes a job that is due and that nobody else holds; false where there is nothing to do. */
export async function takeJob(db: Db, { name, runId, now, latest, seconds }: Taking): Promise<boolean> {
  await db.insert(jobs).values({ name, dueAt: now }).onConflictDoNothing()
  const taken = await db
    .update(jobs)
    .set({ heldBy: runId, heldUntil: until(seconds) })
    .where(
      and(
        eq(jobs.name, name),
        sql`(${jobs.dueAt} <= ${now.toISOString()}::timestamptz or ${jobs.dueAt} > ${latest.toISOString()}::timestamptz)`,
        sql`(${jobs.heldUntil} is null or ${jobs.heldUntil} < now())`,
      ),
    )
    .returning({ name: jobs.name })
  return taken.length > 0
}

/** False where another instance took it over meanwhile. */
export async function renewLease(db: Db, runId: string, seconds: number): Promise<boolean> {
  const held = await db
    .update(jobs)
    .set({ heldUntil: until(seconds) })
    .where(eq(jobs.heldBy, runId))
    .returning({ name: jobs.name })
  return held.length > 0
}

export async function endJob(
  db: Db,
  runId: string,
  end: { dueAt: Date; endedAt: Date; problem: string | null },
): Promise<void> {
  await db
    .update(jobs)
    .set({ ...end, ...outcome(end), heldBy: null, heldUntil: null })
    .where(eq(jobs.heldBy, runId))
}

interface Run {
  readonly endedAt: Date
  readonly problem: string | null
}

const outcome = ({ endedAt, problem }: Run) =>
  problem === null
    ? { failures: 0, failingSince: null, succeededAt: endedAt }
    : {
        failures: sql`${jobs.failures} + 1`,
        failingSince: sql`coalesce(${jobs.failingSince}, ${endedAt.toISOString()}::timestamptz)`,
      }

/** Of work that instances share, which has a row for this alone. */
export async function noteRun(db: Db, name: string, run: Run): Promise<void> {
  await db.insert(jobs).values({ name, dueAt: run.endedAt }).onConflictDoNothing()
  await db
    .update(jobs)
    .set({ ...run, ...outcome(run) })
    .where(eq(jobs.name, name))
}

/** The other instances hear of it. */
export const CLOCK_MOVED = 'clock_moved'

export async function storeClockOffset(db: Db, aheadMs: number): Promise<void> {
  await db
    .insert(businessClock)
    .values({ id: 1, aheadMs })
    .onConflictDoUpdate({ target: businessClock.id, set: { aheadMs } })
  await db.execute(sql`select pg_notify(${CLOCK_MOVED}, '')`)
}

/** The restoration after which the provider was not yet asked about everything. */
export async function selectRestoration(db: Db): Promise<typeof restorations.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(restorations)
    .where(isNull(restorations.caughtUpAt))
    .orderBy(asc(restorations.backupMadeAt))
    .limit(1)
  return row
}

export async function noteCaughtUp(db: Db, now: Date): Promise<void> {
  await db.update(restorations).set({ caughtUpAt: now }).where(isNull(restorations.caughtUpAt))
}
