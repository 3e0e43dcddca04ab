import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { businessClock, jobs, restorations } from '../db/schema/jobs.ts'

const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

interface Taking {
  readonly name: string
  readonly runId: string
  readonly now: Date
  /** A due date later than this was written by a wrong clock and is ignored. */
  readonly latest: Date
  readonly seconds: number
}

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
    .set({ ...end, ...outcome(end), heldBy: null, heldUntil: null, progress: null })
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

export async function noteRun(db: Db, name: string, run: Run): Promise<void> {
  await db.insert(jobs).values({ name, dueAt: run.endedAt }).onConflictDoNothing()
  await db
    .update(jobs)
    .set({ ...run, ...outcome(run) })
    .where(eq(jobs.name, name))
}

/** Of `analysis/analyse-due.ts`. */
export const ANALYSIS_JOB = 'in-step'

/** With the job's name. */
export const JOB_ASKED = 'job_asked'

/** The job runs at once, on whichever instance has it. */
export async function askForRun(db: Db, name: string, now: Date): Promise<void> {
  await db
    .insert(jobs)
    .values({ name, dueAt: now, askedAt: now })
    .onConflictDoUpdate({ target: jobs.name, set: { dueAt: now, askedAt: now } })
  await db.execute(sql`select pg_notify(${JOB_ASKED}, ${name})`)
}

export async function selectJob(db: Db, name: string): Promise<typeof jobs.$inferSelect | undefined> {
  const [row] = await db.select().from(jobs).where(eq(jobs.name, name))
  return row
}

export async function storeProgress(db: Db, name: string, progress: string): Promise<void> {
  await db.update(jobs).set({ progress }).where(eq(jobs.name, name))
}

export const CLOCK_MOVED = 'clock_moved'

export async function storeClockOffset(db: Db, aheadMs: number): Promise<void> {
  await db
    .insert(businessClock)
    .values({ id: 1, aheadMs })
    .onConflictDoUpdate({ target: businessClock.id, set: { aheadMs } })
  await db.execute(sql`select pg_notify(${CLOCK_MOVED}, '')`)
}

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
