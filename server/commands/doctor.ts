import { command, reading, typed } from './run-command.ts'
import { databaseOf, joinDatabase } from '../db/open.ts'
import { refuseNoShop } from '../db/snapshot.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { openProvider } from '../integrations/stripe/provider.ts'
import { type Config, readConfig, readPlace } from '../settings/config.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { examine } from '../doctor/run-checks.ts'
import { broken, lineOf, type Named } from '../doctor/finding.ts'
import { examineQuickly } from '../doctor/startup-checks.ts'

const USAGE = `Usage: npm run doctor [-- --deep] [--json]

Checks the shop, running or not, and changes nothing. Prints a line for each check, with a remedy: fine, look (worth knowing)
or broken (needs fixing). Exits with 1 if anything is broken.

  --deep   also reads each sound and text file and compares its checksum
  --json   for scripts`

const read = reading(
  USAGE,
  { deep: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  ({ values, positionals }) => (positionals.length > 0 ? USAGE : values),
)

await command(async () => {
  const { deep, json } = typed(read)
  const found: Named[] = []
  for await (const finding of findingsOf(deep)) {
    found.push(finding)
    if (!json) console.log(lineOf(finding))
  }
  if (json) console.log(JSON.stringify(found, null, 2))
  return found.some(({ state }) => state === 'broken') ? 1 : 0
})

async function* findingsOf(isDeep: boolean): AsyncGenerator<Named> {
  let config: Config
  try {
    refuseNoShop(readPlace())
    config = readConfig(process.env, [])
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    yield { name: 'settings', ...broken(error.message) }
    return
  }
  yield* examineQuickly(config)
  const opened = await joinDatabase({ ...databaseOf(config), schemaAsItIs: true }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  if (opened instanceof Error) {
    yield { name: 'database', ...broken(opened.message) }
    return
  }
  try {
    const { db, pool, kind } = opened
    yield* examine({
      config,
      db,
      pool,
      kind,
      isDeep,
      media: openMedia(config),
      now: () => new Date(),
      ...openProvider(config.payments),
    })
  } finally {
    await opened.close()
  }
}
