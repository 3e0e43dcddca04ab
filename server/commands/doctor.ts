import { type Group, showCommand } from './command-line.ts'
import { BusinessClock } from '../clock.ts'
import { databaseOf, joinDatabase } from '../db/open.ts'
import { selectClockOffset } from '../db/shared-clock.ts'
import { refuseNoShop } from '../db/snapshot.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { openProvider } from '../integrations/stripe/provider.ts'
import { type Config, readConfig, readPlace } from '../settings/config.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { wrongPrices } from '../features/membership/join.ts'
import { examineMachine, examineShop, type Finding, lineOf } from '../checks/doctor.ts'

export const doctorCommand: Group = ({ run }) =>
  showCommand('doctor')
    .description(
      'Checks the shop, running or not, and changes nothing. Prints a line for each check, with a remedy: fine, look (worth knowing) or broken (needs fixing). Exits with 1 if anything is broken.',
    )
    .option('--deep', 'Also reads each sound and text file and compares its checksum')
    .action(({ deep = false, json }) =>
      run(async () => {
        const found: Finding[] = []
        for await (const finding of findingsOf(deep)) {
          found.push(finding)
          if (!json) console.log(lineOf(finding))
        }
        if (json) console.log(JSON.stringify(found, null, 2))
        return found.some(({ state }) => state === 'broken') ? 1 : 0
      }),
    )

async function* findingsOf(isDeep: boolean): AsyncGenerator<Finding> {
  let config: Config
  try {
    refuseNoShop(readPlace())
    config = readConfig(process.env, [])
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    yield { name: 'settings', state: 'broken', says: error.message }
    return
  }
  yield* examineMachine(config)
  const opened = await joinDatabase({ ...databaseOf(config), schemaAsItIs: true }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  if (opened instanceof Error) {
    yield { name: 'database', state: 'broken', says: opened.message }
    return
  }
  try {
    const provider = openProvider(config.payments)
    const now = () => new Date()
    const clock = new BusinessClock(now)
    // Without the tables of a migrated database no check asks for business time.
    if (config.demo) clock.aheadMs = await selectClockOffset(opened.db).catch(() => 0)
    yield* examineShop({
      config,
      db: opened.db,
      database: opened,
      isDeep,
      media: openMedia(config),
      now,
      clock,
      wrongPrices: () => wrongPrices({ config, billing: provider.billing }),
      ...provider,
    })
  } finally {
    await opened.close()
  }
}
