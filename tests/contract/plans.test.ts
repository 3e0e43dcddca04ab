import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUSINESS } from '#server/jobs/business-jobs.ts'
import { heardQueries, type HeardQuery } from '#tests/support/statement-log.ts'
import { makeCall, servedCalls } from './calls.ts'
import { buildWorld, type World } from './world.ts'

/** Tables that stay small in the largest shop, or are read completely because all rows are shown. */
const SMALL: ReadonlySet<string> = new Set([
  'categories',
  'editorial_items',
  'faq_categories',
  'home_panels',
  'outlets',
  'publishers',
])

let world: World
let heard: HeardQuery[]
beforeAll(async () => {
  world = await buildWorld()
  heard = await heardQueries(async () => {
    for (const [name, { by = 'owner' }] of await servedCalls(world)) {
      await makeCall(world, name, 'visitor')
      await makeCall(world, name, by)
    }
    for (const work of Object.values(BUSINESS)) await work.run(world.shop)
  })
})
afterAll(() => world.shop.close())

/** Which tables a statement would scan completely although the database may use any existing index. */
async function readWhole({ text, values }: HeardQuery): Promise<string[]> {
  const client = await world.shop.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    return [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table!)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('no call and no business job scans a large table: every statement uses an index', async () => {
  const statements = new Map(heard.map((query) => [query.text, query]))
  const asked = [...statements.values()].filter(({ text }) =>
    /^\s*(select|insert|update|delete|with)\b/i.test(text),
  )
  expect(asked.length).toBeGreaterThan(200)
  const whole: string[] = []
  for (const query of asked)
    for (const table of await readWhole(query)) if (!SMALL.has(table)) whole.push(`${table}: ${query.text}`)
  expect(whole).toEqual([])
})
