import { BusinessClock } from '../clock.ts'
import { command, typed, withDatabase } from './run-command.ts'
import type { Database } from '../db/open.ts'
import { openLog } from '../log/log.ts'
import { read } from './outlets-arguments.ts'
import { closeOutlet } from '../features/outlets/scheduled-statements.ts'
import { changeOutlet, addOutlet } from '../features/outlets/manage-outlet.ts'
import { selectOutlets } from '../features/outlets/queries.ts'

await command(async () => {
  const asked = typed(read)
  await withDatabase(async ({ db, config }) => {
    if (asked.verb === 'list') return list(db)
    if (asked.verb === 'add') {
      const { verb: _, ...outlet } = asked
      const { name, slug } = await addOutlet(db, { ...outlet, now: new Date() })
      return console.log(
        `${name} is open as ${slug}. ${outlet.email} chooses a password at ${config.publicUrl}/forgot-password`,
      )
    }
    if (asked.verb === 'change') {
      const { verb: _, ...change } = asked
      const { name, discountPercent, commissionPercent } = await changeOutlet(db, change, new Date())
      console.log(`${name}: ${discountPercent}% off, ${commissionPercent}% commission from now on.`)
      if (change.email)
        console.log(`${change.email} chooses a password at ${config.publicUrl}/forgot-password`)
      return
    }
    const { slug } = asked
    const clock = new BusinessClock(() => new Date())
    const last = await closeOutlet({ db, config, clock, log: openLog('error') }, slug)
    console.log(
      last
        ? `${slug} is closed; its last statement is ${last.number}.`
        : `${slug} is closed; nothing was left to state.`,
    )
  })
})

async function list(db: Database): Promise<void> {
  const outlets = await selectOutlets(db)
  if (outlets.length === 0) console.log('There are no bookshops yet.')
  for (const { slug, name, discountPercent, commissionPercent, closedAt } of outlets)
    console.log(
      `${slug ?? '(no name)'}  ${name}: ${discountPercent}% off, ${commissionPercent}% commission${closedAt ? `, closed ${closedAt.toISOString().slice(0, 10)}` : ''}`,
    )
}
