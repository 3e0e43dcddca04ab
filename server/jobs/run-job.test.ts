import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { jobs } from '#server/db/schema/jobs.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { soon } from '#tests/support/wait-for.ts'
import { type Job, runJob } from './run-job.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
beforeEach(() => shop.db.delete(jobs))
afterAll(() => shop.close())

const NEVER_MS = 3_600_000

/** A job whose runs end when the test says so, and the signals that it received. */
function aJob(part: Partial<Job> = {}) {
  const ends: (() => void)[] = []
  const signals: AbortSignal[] = []
  const run = vi.fn((signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<void>((resolve) => ends.push(resolve))
  })
  const job: Job = { name: 'count', pauseMs: () => NEVER_MS, firstInMs: 0, run, ...part }
  return { job, run, signals, end: () => ends.shift()!() }
}
const row = async () => (await shop.db.select().from(jobs).where(eq(jobs.name, 'count')))[0]
const under = (run: ReturnType<typeof aJob>['run'], times: number) =>
  soon(() => expect(run).toHaveBeenCalledTimes(times))

test('a job runs again after its pause; a failing run is logged and the next one still runs', async () => {
  const said = vi.fn()
  const run = vi.fn(async () => {
    if (run.mock.calls.length === 1) throw new Error('no luck')
  })
  const job = { name: 'count', pauseMs: () => 1, firstInMs: 0, run }
  const stop = await runJob({ ...shop, log: { ...shop.log, error: said } as never }, job)
  await soon(() => expect(run.mock.calls.length).toBeGreaterThan(2))
  await stop()
  expect(said).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ job: 'count' }), 'a job failed')
  expect((await row())?.problem).toBeNull()
})

test('only one of two instances runs a job, and the other one not before it is due again', async () => {
  const { job, run, end } = aJob()
  const stops = [await runJob(shop, job), await runJob(shop, job)]
  await under(run, 1)
  end()
  await soon(async () => expect((await row())?.endedAt).toEqual(shop.now()))
  stops.push(await runJob(shop, job))
  await Promise.all(stops.map((stop) => stop()))
  expect(run).toHaveBeenCalledTimes(1)
  shop.clock.advance(NEVER_MS / 1000)
  const stop = await runJob(shop, job)
  await under(run, 2)
  end()
  await stop()
})

test('a clock that was an hour ahead for a while does not delay the next run by that hour', async () => {
  const { job, run, end } = aJob()
  const often = { ...job, pauseMs: () => 60_000 }
  shop.clock.advance(3600)
  const stops = [await runJob(shop, often)]
  await under(run, 1)
  end()
  await soon(async () => expect((await row())?.endedAt).toEqual(shop.now()))
  shop.clock.advance(-3600)
  stops.push(await runJob(shop, often))
  await under(run, 2)
  end()
  await Promise.all(stops.map((stop) => stop()))
})

test('the job of a dead instance is taken over, and that instance ends nothing if it comes back', async () => {
  const first = aJob()
  const stopFirst = await runJob(shop, first.job)
  await under(first.run, 1)
  await shop.db.update(jobs).set({ heldUntil: sql`now() - interval '1 second'` })
  const second = aJob()
  const stopSecond = await runJob(shop, second.job)
  await under(second.run, 1)
  const { heldBy } = (await row())!
  first.end()
  await stopFirst()
  expect((await row())!.heldBy).toBe(heldBy)
  second.end()
  await stopSecond()
  expect((await row())!.heldBy).toBeNull()
})

test('a database message starts a run, and a message during a run starts another one after it', async () => {
  const { job, run, end } = aJob({ wokenBy: 'count_due', sharesWork: true, firstInMs: NEVER_MS })
  const stop = await runJob(shop, job)
  const announce = () => shop.db.execute(sql`select pg_notify('count_due', '')`)
  await announce()
  await under(run, 1)
  await announce()
  await announce()
  // Messages arrive in order, so this one comes after both.
  let heard = false
  const deaf = await shop.database.listen('count_heard', () => (heard = true))
  await shop.db.execute(sql`select pg_notify('count_heard', '')`)
  await soon(() => expect(heard).toBe(true))
  end()
  await under(run, 2)
  end()
  await Promise.all([stop(), deaf()])
  expect(run).toHaveBeenCalledTimes(2)
})

test('stopping tells the run that it is over, waits for it, and starts no other', async () => {
  const { job, run, signals, end } = aJob({ pauseMs: () => 0 })
  const stop = await runJob(shop, job)
  await under(run, 1)
  expect(signals[0]!.aborted).toBe(false)
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  expect(signals[0]!.aborted).toBe(true)
  await shop.db.execute(sql`select 1`)
  expect(isStopped).toBe(false)
  end()
  await stopped
  expect(run).toHaveBeenCalledTimes(1)
  expect((await row())!.heldBy).toBeNull()
})
