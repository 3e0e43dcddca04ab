import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HealthCheck, Running } from '#contract/office/health.ts'
import { backUpIfDue } from '#server/jobs/backup-job.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { lastNight } from '#server/jobs/business-jobs.ts'
import { type Job, runJob } from '#server/jobs/run-job.ts'
import { noteRun } from '#server/jobs/queries.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-health-'))
let shop: TestShop
let owner: StaffSession
beforeAll(async () => {
  shop = await testShop({ env: { BACKUP_TO: folder } })
  owner = await signedInStaff(shop, 'owner')
})
afterAll(async () => {
  await shop.close()
  rmSync(folder, { recursive: true })
})

const running = async (): Promise<Running> => (await owner.ask('GET', '/api/office/health/running')).json()

test('OFFICE-58: the checks are those of the doctor and the to-do list, the worst first', async () => {
  const failing = { failures: 4, problem: 'no route', failingSince: shop.now() }
  await shop.db.insert(jobs).values({ name: 'mail', dueAt: shop.now(), ...failing })
  const { checks }: { checks: HealthCheck[] } = (await owner.ask('GET', '/api/office/health')).json()
  const rank = { broken: 0, look: 1, fine: 2 }
  const ranks = checks.map(({ state }) => rank[state])
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(checks.find(({ id }) => id === 'jobs')).toMatchObject({
    state: 'broken',
    what: 'The job mail has failed 4 times in a row: no route.',
    act: { kind: 'run-job', target: 'mail', label: 'Run it now' },
  })
  expect(checks.filter(({ state, act }) => state === 'fine' && act !== null)).toEqual([])
  expect(checks.find(({ id }) => id === 'backups')).toMatchObject({ act: { kind: 'back-up' } })
  expect(checks.find(({ id }) => id === 'on sale')).toMatchObject({
    act: { kind: 'open', target: '/titles?state=not-on-sale' },
  })
  expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['disk', 'backups', 'database', 'audit']))
})

test('OFFICE-66: a failing job is run at once by a press, which is written into the log', async () => {
  const runs: string[] = []
  const job = (name: string): Job => ({
    name,
    pauseMs: () => 60_000,
    run: async () => void runs.push(name),
  })
  const stops = [await runJob(shop, job('mail')), await runJob(shop, job('gifts'))]
  const asked = await owner.ask('POST', '/api/office/health/jobs/mail/run')
  expect(asked.statusCode).toBe(202)
  await expect.poll(async () => (await running()).jobs).toMatchObject([{ name: 'mail', failures: 0 }])
  expect(runs).toEqual(['mail'])
  await Promise.all(stops.map((stop) => stop()))
  expect((await owner.ask('POST', '/api/office/health/jobs/nothing/run')).statusCode).toBe(404)
  const log = await owner.ask('GET', '/api/office/activity?kind=jobs%20run')
  expect(log.json().rows).toMatchObject([{ by: owner.name, what: 'Asked for a run of the job mail' }])
  await noteRun(shop.db, 'mail', { endedAt: shop.now(), problem: 'no route' })
  await shop.db.update(jobs).set({ failures: 4 }).where(eq(jobs.name, 'mail'))
})

test('OFFICE-58: the jobs, emails, webhook events and storage are shown as they are', async () => {
  const found = await running()
  expect(found.jobs).toMatchObject([{ name: 'mail', failures: 4, problem: 'no route', isRunning: false }])
  expect(found.webhooks).toEqual({ lastAt: null, today: 0 })
  expect(found.emails).toMatchObject({ waiting: 0, givenUp: 0 })
  expect(found.storage.databaseBytes).toBeGreaterThan(1_000_000)
})

test('OFFICE-59: a backup is asked for, made although the night’s is there, and listed', async () => {
  const night = lastNight(shop.now())
  const run = async () => {
    const databaseUrl = shop.database.pool.options.connectionString
    await backUpIfDue({ ...shop, config: { ...shop.config, databaseUrl } }, folder, night)
    await noteRun(shop.db, 'backup', { endedAt: shop.now(), problem: null })
  }
  await run()
  expect((await running()).backups).toMatchObject({
    folder,
    askedAt: null,
    made: [{ name: 'murmur-2026-03-02T0800Z.backup' }],
  })
  shop.clock.advance(120)
  const asked = await owner.ask('POST', '/api/office/health/backups')
  expect(asked.statusCode).toBe(202)
  expect((await running()).backups.askedAt).toBe(asked.json().askedAt)
  await run()
  await run()
  const { backups } = await running()
  expect(backups).toMatchObject({
    askedAt: null,
    made: [{ name: 'murmur-2026-03-02T0802Z.backup' }],
    isEncrypted: false,
  })
  const log = await owner.ask('GET', '/api/office/activity?kind=backup')
  expect(log.json().rows).toMatchObject([{ by: owner.name, what: 'Asked for a backup' }])
})

test('OFFICE-59: without a folder for backups, the owner is told how to name one', async () => {
  const without = await testShop()
  const asked = await (await signedInStaff(without, 'owner')).ask('POST', '/api/office/health/backups')
  expect([asked.statusCode, asked.json()['hydra:description']]).toEqual([
    422,
    'The server has no folder for backups. Set BACKUP_TO to a folder on another disk.',
  ])
  await without.close()
})
