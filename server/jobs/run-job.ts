import { randomUUID } from 'node:crypto'
import { isDiskFull } from '../db/errors.ts'
import { causedBy } from '../log/log-context.ts'
import { loggableError } from '../log/loggable-error.ts'
import type { Shop } from '../shop.ts'
import { endJob, noteRun, renewLease, takeJob } from './queries.ts'

export interface Job {
  readonly name: string
  /** How long after a run the next begins; at most 24 days. */
  readonly pauseMs: (now: Date) => number
  /** After the start; else as after a run. */
  readonly firstInMs?: number
  /** A message of the database that begins a run at once. A message may be lost, so it also runs without. */
  readonly wokenBy?: string
  /** Work that several instances may do beside each other needs no lock. */
  readonly sharesWork?: boolean
  /** A run that throws is logged, and made up for by the next. */
  readonly run: (isOver: () => boolean) => Promise<unknown>
}

/** An instance that died in the middle keeps a job from the others for so long. */
const HELD_SECONDS = 120
/** Clocks of several instances differ by moments, and none shall skip a run for it. */
const SLACK_MS = 10_000

/**
 * Runs a job again and again until it is told to stop, on one instance at a time unless they may share the work.
 * Stopping waits for the run that is under way, which is told that it is over.
 */
export async function runJob(
  shop: Pick<Shop, 'db' | 'database' | 'now' | 'log' | 'disk'>,
  job: Job,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  let isStopped = false

  const begin = () => {
    // A message may still come while its listener is being taken away.
    if (isStopped) return
    clearTimeout(timer)
    isWoken = running !== undefined
    running ??= causedBy({ job: job.name }, () => runOnce(shop, job, () => isStopped)).then((waitMs) => {
      running = undefined
      if (isStopped) return
      if (isWoken) begin()
      else wait(waitMs)
    })
  }
  const wait = (ms: number) => {
    timer = setTimeout(begin, ms).unref()
  }
  const unlisten = job.wokenBy && (await shop.database.listen(job.wokenBy, begin, begin))
  if (job.firstInMs === 0) begin()
  else wait(job.firstInMs ?? job.pauseMs(shop.now()))
  return async () => {
    isStopped = true
    clearTimeout(timer)
    if (unlisten) await unlisten()
    await running
  }
}

/** Never throws; answers how long to wait for the next run. */
async function runOnce(
  shop: Pick<Shop, 'db' | 'database' | 'now' | 'log' | 'disk'>,
  job: Job,
  isStopped: () => boolean,
): Promise<number> {
  try {
    if (job.sharesWork) await runShared(shop, job, isStopped)
    else await runAlone(shop, job, isStopped)
  } catch (error) {
    if (isDiskFull(error)) shop.disk.noteFull()
    shop.log.error({ err: error, job: job.name }, 'a job failed')
  }
  return job.pauseMs(shop.now())
}

/** By the machine's clock: when the last success of shared work was noted. It may be done many times in a second. */
const noted = new WeakMap<Job, number>()
const NOTED_EACH_MS = 60_000

async function runShared(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  job: Job,
  isStopped: () => boolean,
): Promise<void> {
  try {
    await job.run(isStopped)
  } catch (error) {
    noted.delete(job)
    // Without a database nothing can be noted, and the error says so itself.
    await noteRun(db, job.name, { endedAt: now(), problem: wordsOf(error) }).catch(() => undefined)
    throw error
  }
  if (performance.now() - (noted.get(job) ?? -Infinity) < NOTED_EACH_MS) return
  await noteRun(db, job.name, { endedAt: now(), problem: null })
  noted.set(job, performance.now())
}

/** As the log has it: an owner reads it, and an error may hold whatever it met on its way. */
function wordsOf(error: unknown): string {
  const { type, code, message } = loggableError(error)
  return [type, code, message].filter(Boolean).join(' ').slice(0, 500)
}

async function runAlone(
  { db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>,
  job: Job,
  isStopped: () => boolean,
): Promise<void> {
  const runId = randomUUID()
  const begunAt = now()
  const latest = new Date(begunAt.getTime() + job.pauseMs(begunAt))
  if (!(await takeJob(db, { name: job.name, runId, now: begunAt, latest, seconds: HELD_SECONDS }))) return
  let isLost = false
  const renewing = setInterval(
    () => {
      renewLease(db, runId, HELD_SECONDS).then(
        (held) => void (isLost ||= !held),
        (error: unknown) => log.warn({ err: error, job: job.name }, 'a job could not be held'),
      )
    },
    (HELD_SECONDS * 1000) / 3,
  ).unref()
  let problem: string | null = null
  try {
    await job.run(() => isLost || isStopped())
  } catch (error) {
    problem = wordsOf(error)
    throw error
  } finally {
    clearInterval(renewing)
    const endedAt = now()
    const dueAt = new Date(endedAt.getTime() + Math.max(0, job.pauseMs(endedAt) - SLACK_MS))
    await endJob(db, runId, { dueAt, endedAt, problem })
  }
}
