import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { isMarked, testsWithDatabase } from '#tests/support/tests-on-databases.ts'

/** Queries that are run by the tests of another room. */
const RUN_BY: Readonly<Record<string, string>> = {
  'server/commands/logbook-rows.ts': 'server/features/account/command.test.ts',
  'server/features/refunds/rows.ts': 'server/features/checkout/send-due-refunds.test.ts',
  'server/start/startup-rows.ts': 'server/features/bag/routes.test.ts',
  'server/guards/rate-limit-rows.ts': 'server/features/bag/routes.test.ts',
  'server/guards/session-rows.ts': 'server/features/account/routes.test.ts',
}

const marked = globSync('{server,tests/contract}/**/*.test.ts').filter(isMarked)

test('the queries of every room run on PostgreSQL in every run, not on the embedded database alone', () => {
  const rows = globSync('server/**/*rows.ts')
  expect(rows.length).toBeGreaterThan(40)
  const alone = rows.filter(
    (file) => !marked.some((each) => each === RUN_BY[file] || dirname(each) === dirname(file)),
  )
  expect(alone).toEqual([])
})

test('what says that it runs on PostgreSQL too opens a database', () => {
  const opening = testsWithDatabase()
  expect(marked.filter((file) => !opening.includes(file))).toEqual([])
})
