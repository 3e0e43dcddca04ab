import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { auditAll } from '#server/features/audit/service.ts'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { openLog } from '#server/log/log.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { servedCalls } from './calls.ts'
import type { SampleCall } from './sample-call.ts'
import { buildWorld, type World } from './world.ts'

/**
 * Attack sweeps over every call of the contract. They use the server's own list of calls, so that they cover a new endpoint
 * automatically. A normal run takes a sample of each kind, a long run all of them.
 */
const SAMPLE = process.env.LONG ? Infinity : 8
vi.setConfig({ testTimeout: 900_000 })

let world: World
let calls: Map<string, SampleCall>
/** Audit findings caused by how the test world was built, not by a call. */
let before: Set<string>
beforeAll(async () => {
  world = await buildWorld()
  world.shop.app.log.level = 'silent'
  calls = await servedCalls(world)
  before = new Set(await audited())
})
afterAll(() => world.shop.close())

const options = { signal: new AbortController().signal, paceMs: 0, secondLookMs: 0, asksProvider: false }
const quiet = openLog('error', { write: () => undefined })
async function audited(): Promise<string[]> {
  return (await auditAll({ ...world.shop, log: quiet }, options)).findings.map(({ key }) => key)
}
const foundSince = async () => (await audited()).filter((key) => !before.has(key))

type Named = readonly [name: string, line: SampleCall]
/** A sample of the calls, the same for the same seed. */
function some(wanted: (name: string, line: SampleCall) => boolean): Named[] {
  const random = randomNumbers()
  return [...calls]
    .filter(([name, line]) => wanted(name, line))
    .map((named) => ({ named, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, SAMPLE)
    .map(({ named }) => named)
}
const methodOf = (name: string) => name.split(' ')[0] as NonNullable<InjectOptions['method']>
const changes = (name: string) => methodOf(name) !== 'GET'

/** A checksum of each table's rows, without the tables that only count calls. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await world.shop.db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('rate_limits', 'audited_accounts', 'audited_orders', 'audit_findings', 'untrusted_proxies') order by 1`)
  const sums = tables.map(
    ({ name }) => sql`select ${name}::text as name,
      md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${sql.identifier(name)} t`,
  )
  const { rows } = await world.shop.db.execute<{ name: string; sum: string }>(
    sql.join(sums, sql` union all `),
  )
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

test('another user’s object answers 404 on every call that takes its id, and nothing changes', async () => {
  const foreign = some((_name, { statuses }) => statuses.stranger === 404 && statuses.owner < 300)
  expect(foreign.length).toBeGreaterThan(5)
  for (const [name, line] of foreign)
    for (const caller of ['stranger', 'member'] as const) {
      await world.shop.db.delete(rateLimits)
      const { url, payload } = await line.request(world)
      const [method, stood] = [methodOf(name), await everything()]
      const headers = world.headersOf(caller)
      const answer = await world.shop.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
      expect([name, caller, answer.statusCode]).toEqual([name, caller, 404])
      expect(await everything(), `${name} by the ${caller}`).toEqual(stood)
    }
})

test('the audit finds nothing after a changing call was made five times at once', async () => {
  for (const [name, line] of some(changes)) {
    await world.shop.db.delete(rateLimits)
    const { url, payload } = await line.request(world)
    const asked = { method: methodOf(name), url, headers: world.headersOf(line.by ?? 'owner') }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.shop.app.inject({ ...asked, ...(payload ? { payload } : {}) })),
    )
    expect(
      answers.map(({ statusCode }) => statusCode).filter((status) => status >= 500 && status !== 503),
      name,
    ).toEqual([])
    expect(await foundSince(), name).toEqual([])
  }
})

test('no call has an effect when the calls before it were skipped', async () => {
  for (const [name] of some((name) => changes(name) && /\{\w+\}/.test(name))) {
    await world.shop.db.delete(rateLimits)
    const line = calls.get(name)!
    const { payload } = await line.request(world)
    const stood = await everything()
    // The objects that earlier calls would have created don't exist.
    const url = name.split(' ')[1]!.replaceAll(/\{\w+\}/g, () => randomUUID())
    for (const caller of ['stranger', 'member'] as const) {
      const headers = world.headersOf(caller)
      const answer = await world.shop.app.inject({
        method: methodOf(name),
        url,
        headers,
        ...(payload ? { payload } : {}),
      })
      expect(answer.statusCode, `${name} by the ${caller}`).toBeLessThan(500)
      // Some ids are chosen by the caller; all others must be refused.
      const isTheirs = line.statuses.stranger !== 404
      expect(isTheirs || answer.statusCode >= 400, `${name} by the ${caller}`).toBe(true)
      expect(isTheirs ? stood : await everything(), name).toEqual(stood)
    }
    expect(await foundSince(), name).toEqual([])
  }
})
