import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS } from './migrate.ts'

/**
 * Whatever migrations took away or changed, and why the release before could go on meanwhile: it runs beside the new one while a shop is
 * upgraded. What is to go is first left alone by a release, and taken away by the next one.
 */
const ACKNOWLEDGED: Readonly<Record<string, string>> = {
  '0034_states-of-titles.sql: ALTER TABLE "books" DROP COLUMN "sellable"':
    'made again, under the same name, out of other columns in the same migration',
  '0044_parts.sql: ALTER TABLE "books" DROP COLUMN "sellable"':
    'made again, under the same name, out of one column more in the same migration',
}

/** Indexes and checks may go: no release names them. */
const TAKES_AWAY =
  /\b(drop\s+(table|column|type|schema|view)|rename\s+(to|column)|alter\s+column\s+"\w+"\s+(set\s+data\s+type|type|set\s+not\s+null))\b/i

const all = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .flatMap((name) =>
    readFileSync(join(MIGRATIONS, name), 'utf8')
      .replaceAll(/^--(?!>).*$/gm, '')
      .split(/;(?:--> statement-breakpoint)?$/m)
      .map((statement) => ({ name, statement: statement.trim().replaceAll(/\s+/g, ' ') })),
  )
const statements = all
  .filter(({ statement }) => /^alter|^drop/i.test(statement) && TAKES_AWAY.test(statement))
  .map(({ name, statement }) => `${name}: ${statement}`)

test('a migration that takes something away or renames it is acknowledged, with why the release before may go on', () => {
  expect(statements.filter((statement) => !Object.hasOwn(ACKNOWLEDGED, statement))).toEqual([])
})

test('what is acknowledged is there', () => {
  expect(Object.keys(ACKNOWLEDGED).filter((statement) => !statements.includes(statement))).toEqual([])
})

/** Up to here no table of a shop was large. */
const LAST_OF_SMALL_TABLES = '0047'

test('an index on a table that is there is built while others write', () => {
  const locking = all.filter(({ name, statement }) => {
    const [, table] = /^create (?:unique )?index (?!concurrently).* on "(\w+)"/i.exec(statement) ?? []
    const isNew = all.some(
      (other) => other.name === name && other.statement.startsWith(`CREATE TABLE "${table}"`),
    )
    return (
      name > LAST_OF_SMALL_TABLES && table !== undefined && !isNew && !name.startsWith(LAST_OF_SMALL_TABLES)
    )
  })
  expect(locking).toEqual([])
})
