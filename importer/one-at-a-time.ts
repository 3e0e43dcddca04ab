import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/db/open.ts'
import { endJob, renewLease, takeJob } from '#server/jobs/queries.ts'

const NAME = 'import'
/** The lease, renewed during an import. After a crash, the next import waits this long at most. */
const HELD_SECONDS = 30
const LOOK_AGAIN_MS = 500

export const sayWaiting = (): void =>
  console.log('Another import is under way; this one begins when it has ended.')

/** On any machine: concurrent imports would not see each other's changes when they compare a folder with the shop. */
export async function oneAtATime<Result>(
  db: Database,
  onWait: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const runId = randomUUID()
  const always = new Date(0)
  const take = () => takeJob(db, { name: NAME, runId, now: always, latest: always, seconds: HELD_SECONDS })
  if (!(await take())) {
    onWait()
    do await pause(LOOK_AGAIN_MS)
    while (!(await take()))
  }
  const renewing = setInterval(() => void renewLease(db, runId, HELD_SECONDS).catch(() => undefined), 10_000)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await endJob(db, runId, { dueAt: always, endedAt: new Date(), problem: null })
  }
}
