import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logbook } from '#server/db/schema/logbook.ts'
import { testDatabase } from '#tests/support/database.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import { act } from './service.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const by = { staffId: null, name: 'hana' }
const shop = () => ({ db: database.db, now: () => new Date('2026-11-24T09:00:00Z') as never })

test('an act is written down before it is done, and with its outcome afterwards', async () => {
  const { entry } = await act(shop(), by, {
    kind: 'titles price',
    about: 'title the-salt-ledger',
    what: 'Set the price to £12.00',
    because: ' A sale. ',
    before: 1100,
    after: 1200,
    carryOut: async () => {
      const [row] = await database.db.select().from(logbook).where(eq(logbook.about, 'title the-salt-ledger'))
      expect(row).toMatchObject({ outcome: null, because: 'A sale.', before: 1100, after: 1200 })
    },
  })
  const failing = act(shop(), by, {
    kind: 'titles price',
    about: 'title other',
    what: 'Set the price',
    carryOut: () => Promise.reject(new Error('no')),
  })
  await expect(failing).rejects.toThrow('no')
  const rows = await database.db.select().from(logbook).orderBy(logbook.id)
  expect(rows.map(({ id, outcome }) => [id, outcome])).toEqual([
    [entry, 'done'],
    [entry + 1, 'failed'],
  ])
})

test.each([
  ['a row is deleted', sql`delete from logbook`],
  ['its words are changed', sql`update logbook set what = 'Nothing'`],
  ['another person is named', sql`update logbook set "by" = 'oswin'`],
  ['its outcome is changed later', sql`update logbook set outcome = 'failed' where outcome = 'done'`],
  ['its reason is replaced', sql`update logbook set because = 'Another reason'`],
  ['its value before is replaced', sql`update logbook set before = '1'::jsonb where before is not null`],
])('the activity log can’t be edited: %s', async (_how, statement) => {
  const failure = await database.db.execute(statement).then(
    () => undefined,
    (error: { cause?: { message?: string } }) => error.cause?.message,
  )
  expect(failure).toMatch(/^logbook: rows are never/)
})

test('the reason and the values of an entry about a closed account can be erased', async () => {
  await database.db.update(logbook).set({ because: '', before: null, after: null })
  const [row] = await database.db.select().from(logbook)
  expect(row).toMatchObject({ because: '', before: null, what: 'Set the price to £12.00' })
})
