import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import { isBesideWrites, MIGRATIONS } from './migrate.ts'

/**
 * Everything that migrations removed or changed, and why the previous release still works: it runs next to the new one
 * during an upgrade. One release stops using something, the next one removes it.
 */
const ACKNOWLEDGED: Readonly<Record<string, string>> = {}

/** Dropping indexes and checks is allowed: no release refers to them by name. */
const TAKES_AWAY =
  /\b(drop\s+(table|column|type|schema|view)|rename\s+(to|column)|alter\s+column\s+"\w+"\s+(set\s+data\s+type|type|set\s+not\s+null))\b/i

interface Statement {
  readonly name: string
  readonly statement: string
}

const statementsIn = (name: string, migration: string): Statement[] =>
  migration
    .replaceAll('--> statement-breakpoint', '')
    .replaceAll(/^--.*$/gm, '')
    .split(/;$/m)
    .map((statement) => ({ name, statement: statement.trim().replaceAll(/\s+/g, ' ') }))

const contractionsIn = (statements: readonly Statement[]): string[] =>
  statements
    .filter(({ statement }) => /^alter|^drop/i.test(statement) && TAKES_AWAY.test(statement))
    .map(({ name, statement }) => `${name}: ${statement}`)

/** Indexes that would block writes to a table which the same migration did not create. */
const lockingIndexesIn = (statements: readonly Statement[]): Statement[] =>
  statements.filter(({ name, statement }) => {
    const [, table] = /^create (?:unique )?index (?!concurrently).* on "(\w+)"/i.exec(statement) ?? []
    const isNew = statements.some(
      (other) => other.name === name && other.statement.startsWith(`CREATE TABLE "${table}"`),
    )
    return table !== undefined && !isNew
  })

const all = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .flatMap((name) => statementsIn(name, readFileSync(join(MIGRATIONS, name), 'utf8')))
const statements = contractionsIn(all)

test('a migration that removes or renames something is acknowledged, with why the previous release still works', () => {
  expect(statements.filter((statement) => !Object.hasOwn(ACKNOWLEDGED, statement))).toEqual([])
})

test('every acknowledged statement exists', () => {
  expect(Object.keys(ACKNOWLEDGED).filter((statement) => !statements.includes(statement))).toEqual([])
})

test('an index on an existing table is built concurrently', () => {
  expect(lockingIndexesIn(all)).toEqual([])
})

test('an index that is built concurrently has its own migration', () => {
  for (const migration of readMigrationFiles({ migrationsFolder: MIGRATIONS }))
    expect(() => isBesideWrites(migration)).not.toThrow()
})

test('both checks find their cases in a migration', () => {
  const migration = `-- The shop window.
CREATE TABLE "panels" ("id" integer);--> statement-breakpoint
ALTER TABLE "books" DROP COLUMN
  "sellable";--> statement-breakpoint
ALTER TABLE "books" ADD COLUMN "added" text;--> statement-breakpoint
ALTER TABLE "books" ALTER COLUMN "title" SET NOT NULL;--> statement-breakpoint
DROP INDEX "books_added";--> statement-breakpoint
CREATE INDEX "panels_id" ON "panels" USING btree ("id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "books_large" ON "books" USING btree ("title");--> statement-breakpoint
CREATE UNIQUE INDEX "books_added" ON "books" USING btree ("added");`
  const found = statementsIn('0001.sql', migration)
  expect(contractionsIn(found)).toEqual([
    '0001.sql: ALTER TABLE "books" DROP COLUMN "sellable"',
    '0001.sql: ALTER TABLE "books" ALTER COLUMN "title" SET NOT NULL',
  ])
  expect(lockingIndexesIn(found).map(({ statement }) => statement)).toEqual([
    'CREATE UNIQUE INDEX "books_added" ON "books" USING btree ("added")',
  ])
})
