import { BadSetting, readConfig } from '../../config.ts'
import { BusinessClock } from '../../clock.ts'
import { DatabaseInUse } from '../../db/errors.ts'
import { type Database, joinDatabase } from '../../db/open.ts'
import { openLog } from '../../log.ts'
import { Refusal } from '../../refusals.ts'
import { type Asked, read } from './asked.ts'
import { closeOutlet } from './calendar.ts'
import { addOutlet } from './open.ts'
import { selectOutlets } from './rows.ts'

try {
  const asked = read(process.argv.slice(2))
  if (typeof asked === 'string') throw new BadSetting(asked)
  await main(asked)
} catch (error) {
  const isTold = error instanceof BadSetting || error instanceof DatabaseInUse || error instanceof Refusal
  if (!isTold) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(asked: Asked): Promise<void> {
  const config = readConfig(process.env, [])
  const { databaseUrl, dataDir } = config
  const database = await joinDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}), log: console })
  const { db } = database
  try {
    if (asked.verb === 'add') {
      const { verb: _, ...outlet } = asked
      const { name, slug } = await addOutlet(db, { ...outlet, now: new Date() })
      console.log(
        `${name} is open as ${slug}. ${outlet.email} chooses a password at ${config.publicUrl}/forgot-password`,
      )
    } else if (asked.verb === 'list') await list(db)
    else {
      const { slug } = asked
      const clock = new BusinessClock(() => new Date())
      const last = await closeOutlet({ db, config, clock, log: openLog('error') }, slug)
      console.log(
        last
          ? `${slug} is closed; its last statement is ${last.number}.`
          : `${slug} is closed; nothing was left to state.`,
      )
    }
  } finally {
    await database.close()
  }
}

async function list(db: Database): Promise<void> {
  const outlets = await selectOutlets(db)
  if (outlets.length === 0) console.log('There are no bookshops yet.')
  for (const { slug, name, discountPercent, commissionPercent, closedAt } of outlets)
    console.log(
      `${slug ?? '(no name)'}  ${name}: ${discountPercent}% off, ${commissionPercent}% commission${closedAt ? `, closed ${closedAt.toISOString().slice(0, 10)}` : ''}`,
    )
}
