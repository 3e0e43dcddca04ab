import { Command } from '@commander-js/extra-typings'
import type { ClientConfig } from 'pg'
import { type Group, group } from './command-line.ts'
import { runningConfig, startEmbedded } from '../db/embedded/cluster.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { moveDatabase, NotEmpty } from '../db/move.ts'
import { databaseOf, joinDatabase, openDatabase, type OpenDatabase } from '../db/open.ts'
import { refuseNoShop } from '../db/snapshot.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { readConfig, readPlace } from '../settings/config.ts'

export const databaseCommand: Group = ({ run }) =>
  group('database', [
    new Command('url')
      .description(
        'Prints the address of the running shop’s database, for psql and other tools: psql "$(npm run --silent database -- url)"',
      )
      .action(() => run(printAddress)),
    new Command('open')
      .description(
        'Runs the embedded PostgreSQL of a shop that does not run, prints its address, and ends at Ctrl-C',
      )
      .action(() => run(open)),
    new Command('migrate')
      .description(
        'Migrates the database to the schema of this release, as its first start would, and prints what it did. Migrations only add, so servers of the previous release keep working.',
      )
      .option('--list', 'Prints what it would do')
      .action(({ list: isList = false }) => run(() => migrate(isList))),
    new Command('move')
      .description(
        'Copies the shop of DATA_DIR from its embedded PostgreSQL into an empty database of your own, at the address in DATABASE_URL. Stop the shop first. The embedded database stays as it was, also where the move is interrupted; then begin again. Sound and pictures stay in DATA_DIR.',
      )
      .action(() => run(move, [NotEmpty])),
  ])

async function printAddress(): Promise<number> {
  const { dataDir, databaseUrl } = readPlace()
  if (databaseUrl) {
    console.log(databaseUrl)
    return 0
  }
  refuseNoShop({ dataDir })
  const config = runningConfig(dataDir)
  if (config) {
    console.log(addressOf(config))
    return 0
  }
  console.error(`The shop in ${dataDir} does not run. Start it, or: npm run database -- open`)
  return 1
}

async function open(): Promise<void> {
  const { dataDir, databaseUrl } = readPlace()
  if (databaseUrl) return console.log(databaseUrl)
  refuseNoShop({ dataDir })
  const embedded = await startEmbedded({
    dataDir,
    log: { info() {}, warn: console.error, error: console.error },
    patienceMs: 0,
  })
  console.log(addressOf(embedded.config))
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve)
  })
  await embedded.close()
}

function addressOf({ host, port, user, database }: ClientConfig): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`
}

async function migrate(isList: boolean): Promise<void> {
  const options = databaseOf(readConfig(process.env, []))
  const pending = await withOpened(joinDatabase({ ...options, schemaAsItIs: true }), pendingMigrations)
  if (pending.length === 0) return console.log('The database fits this release. There is nothing to do.')
  if (isList) return console.log(['These migrations would be carried out:', ...pending].join('\n  '))
  const left = await withOpened(joinDatabase({ ...options, log: console }), pendingMigrations)
  console.log(['Carried out:', ...pending.filter((name) => !left.includes(name))].join('\n  '))
}

async function withOpened<Result>(
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

async function move(): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl)
    throw new BadSetting(
      'Set DATABASE_URL to the address of your empty database: DATABASE_URL=postgres://… npm run database:move',
    )
  const { dataDir } = readConfig({ ...process.env, DATABASE_URL: undefined }, [])
  const from = await openDatabase({ dataDir })
  try {
    const into = await openDatabase({ dataDir, databaseUrl })
    try {
      const { tables, rows } = await moveDatabase(from, into)
      console.log(`Moved ${rows.toLocaleString('en-GB')} rows in ${tables} tables.`)
      console.log(
        `From now on start the shop with DATABASE_URL, and with what stands in ${dataDir}/app.key as APP_KEYS and in code.key as CODE_KEY.`,
      )
    } finally {
      await into.close()
    }
  } finally {
    await from.close()
  }
}
