import { randomUUID } from 'node:crypto'
import { isDiskFull } from '../db/errors.ts'
import { causedBy } from '../log/log-context.ts'
import { loggableError } from '../log/loggable-error.ts'
import type { Shop } from '../shop.ts'
import { endJob, JOB_ASKED, noteRun, renewLease, takeJob } from './queries.ts'

export interface Job {
  readonly name: string
  /** Time between the end of a run and the next one; at most 24 days (the limit of `setTimeout`). */
  readonly pauseMs: (now: Date) => number
  readonly firstInMs?: number
  /** Messages can be lost, so the job also runs without them. */
  readonly wokenBy?: string
  readonly sharesWork?: boolean
  /** A run that throws is logged; the next run retries the work. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

const HELD_SECONDS = 120
/** Allow for clock skew between instances; otherwise one could skip a run. */
const SLACK_MS = 10_000

/** On one instance at a time unless `sharesWork`. Returns a function that stops it and waits for the current run. */
export async function runJob(
  shop: Pick<Shop, 'db' | 'database' | 'now' | 'log' | 'disk'>,
  job: Job,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted

  const begin = () => {
    // A message may still arrive while the listener is being removed.
    if (isStopped()) return
    clearTimeout(timer)
    isWoken = running !== undefined
    running ??= causedBy({ job: job.name }, () => runOnce(shop, job, stopping.signal)).then((waitMs) => {
      running = undefined
      if (isStopped()) return
      if (isWoken) begin()
      else wait(waitMs)
    })
  }
  const wait = (ms: number) => {
    timer = setTimeout(begin, ms).unref()
  }
  const unlisten = job.wokenBy && (await shop.database.listen(job.wokenBy, begin, begin))
  const ignoreRequests = await shop.database.listen(JOB_ASKED, (name) => {
    if (name === job.name) begin()
  })
  if (job.firstInMs === 0) begin()
  else wait(job.firstInMs ?? job.pauseMs(shop.now()))
  return async () => {
    stopping.abort()
    clearTimeout(timer)
    if (unlisten) await unlisten()
    await ignoreRequests()
    await running
  }
}

/** Never throws. Returns the delay until the next run, in milliseconds. */
async function runOnce(
  shop: Pick<Shop, 'db' | 'database' | 'now' | 'log' | 'disk'>,
  job: Job,
  stopping: AbortSignal,
): Promise<number> {
  try {
    if (job.sharesWork) await runShared(shop, job, stopping)
    else await runAlone(shop, job, stopping)
  } catch (error) {
    if (isDiskFull(error)) shop.disk.noteFull()
    shop.log.error({ err: error, job: job.name }, 'a job failed')
  }
  return job.pauseMs(shop.now())
}

/** When the last success was stored, by `performance.now()`; a shared job may run many times per second. */
const noted = new WeakMap<Job, number>()
const NOTED_EACH_MS = 60_000

async function runShared(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  job: Job,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await job.run(stopping)
  } catch (error) {
    noted.delete(job)
    // Without a database the run cannot be stored, and the error reports that.
    await noteRun(db, job.name, { endedAt: now(), problem: wordsOf(error) }).catch(() => undefined)
    throw error
  }
  if (performance.now() - (noted.get(job) ?? -Infinity) < NOTED_EACH_MS) return
  await noteRun(db, job.name, { endedAt: now(), problem: null })
  noted.set(job, performance.now())
}

/** The same form as in the log: owners read it, and a raw error may contain personal data. */
function wordsOf(error: unknown): string {
  const { type, code, message } = loggableError(error)
  return [type, code, message].filter(Boolean).join(' ').slice(0, 500)
}

async function runAlone(
  { db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>,
  job: Job,
  stopping: AbortSignal,
): Promise<void> {
  const runId = randomUUID()
  const begunAt = now()
  const latest = new Date(begunAt.getTime() + job.pauseMs(begunAt))
  if (!(await takeJob(db, { name: job.name, runId, now: begunAt, latest, seconds: HELD_SECONDS }))) return
  const lost = new AbortController()
  const renewing = setInterval(
    () => {
      renewLease(db, runId, HELD_SECONDS).then(
        (isHeld) => void (isHeld || lost.abort()),
        (error: unknown) => log.warn({ err: error, job: job.name }, 'a job could not be held'),
      )
    },
    (HELD_SECONDS * 1000) / 3,
  ).unref()
  let problem: string | null = null
  try {
    await job.run(AbortSignal.any([lost.signal, stopping]))
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
