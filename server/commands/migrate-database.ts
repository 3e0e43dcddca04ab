import { databaseOf, joinDatabase, type OpenDatabase } from '../db/open.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { readConfig } from '../settings/config.ts'
import { command, reading, typed } from './run-command.ts'

const USAGE = `Usage: npm run database:migrate
       npm run database:migrate -- --list

Migrates the database to the schema of this release, as its first start would, and prints what it did.
--list prints what it would do. Migrations only add, so servers of the previous release keep working.`

await command(main)

async function main(): Promise<void> {
  const isList = typed(
    reading(USAGE, { list: { type: 'boolean' } }, ({ values, positionals }) =>
      positionals.length > 0 ? USAGE : { isList: values.list === true },
    ),
  ).isList
  const options = databaseOf(readConfig(process.env, []))
  const pending = await withDatabase(joinDatabase({ ...options, schemaAsItIs: true }), pendingMigrations)
  if (pending.length === 0) return console.log('The database fits this release. There is nothing to do.')
  if (isList) return console.log(['These migrations would be carried out:', ...pending].join('\n  '))
  const left = await withDatabase(joinDatabase({ ...options, log: console }), pendingMigrations)
  console.log(['Carried out:', ...pending.filter((name) => !left.includes(name))].join('\n  '))
}

async function withDatabase<Result>(
  opening: Promise<OpenDatabase>,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await opening
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
