import { answerHelp, command } from './run-command.ts'
import { readConfig } from '../settings/config.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { moveDatabase, NotEmpty } from '../db/move.ts'
import { openDatabase } from '../db/open.ts'

const USAGE = `Usage: DATABASE_URL=postgres://… npm run database:move

Copies the shop of DATA_DIR from its embedded PostgreSQL into an empty database of your own. Stop the shop first. The embedded database
stays as it was, also where the move is interrupted; then begin again. Sound and pictures stay in DATA_DIR.`

await command(main, [NotEmpty])

async function main(): Promise<void> {
  answerHelp(USAGE)
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl || process.argv.length > 2) throw new BadSetting(USAGE)
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
