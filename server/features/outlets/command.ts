import { parseArgs } from 'node:util'
import { BadSetting, readConfig } from '../../config.ts'
import { BusinessClock } from '../../clock.ts'
import { DatabaseInUse } from '../../db/errors.ts'
import { joinDatabase } from '../../db/open.ts'
import { openLog } from '../../log.ts'
import { Refusal } from '../../refusals.ts'
import { closeOutlet } from './calendar.ts'
import { addOutlet } from './open.ts'
import { selectOutlets } from './rows.ts'

const USAGE = `Usage: npm run outlets -- add --name NAME --email ADDRESS [--slug SLUG] [--discount 60] [--commission 10]
       npm run outlets -- list
       npm run outlets -- close SLUG

add    opens a bookshop that sells cards, with an account for its desk. Its staff choose the password at /forgot-password
close  ends it: it sells no more, its last statement is made at once, and the cards it sold stay good

  --discount    what a card costs it less than its price, in per cent
  --commission  what it earns of its readers' later purchases, in per cent, without VAT`

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isTold = error instanceof BadSetting || error instanceof DatabaseInUse || error instanceof Refusal
  if (!isTold) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      slug: { type: 'string' },
      discount: { type: 'string' },
      commission: { type: 'string' },
    },
  })
  const [verb, slug] = positionals
  const config = readConfig(process.env, [])
  const { databaseUrl, dataDir } = config
  const database = await joinDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}), log: console })
  const { db } = database
  try {
    if (verb === 'add' && values.name !== undefined && values.email !== undefined) {
      const added = await addOutlet(db, {
        name: values.name,
        email: values.email,
        slug: values.slug ?? slugOf(values.name),
        discountPercent: percentIn(values.discount, 60),
        commissionPercent: percentIn(values.commission, 10),
        now: new Date(),
      })
      console.log(
        `${added.name} is open as ${added.slug}. ${values.email} chooses a password at ${config.publicUrl}/forgot-password`,
      )
    } else if (verb === 'list')
      for (const {
        slug: name,
        name: called,
        discountPercent,
        commissionPercent,
        closedAt,
      } of await selectOutlets(db))
        console.log(
          `${name ?? '(no name)'}  ${called}: ${discountPercent}% off, ${commissionPercent}% commission${closedAt ? `, closed ${closedAt.toISOString().slice(0, 10)}` : ''}`,
        )
    else if (verb === 'close' && slug !== undefined) {
      const clock = new BusinessClock(() => new Date())
      const last = await closeOutlet({ db, config, clock, log: openLog('error') }, slug)
      console.log(
        last
          ? `${slug} is closed; its last statement is ${last.number}.`
          : `${slug} is closed; nothing was left to state.`,
      )
    } else {
      console.error(USAGE)
      return 1
    }
  } finally {
    await database.close()
  }
  return 0
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function percentIn(text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (!/^\d{1,2}$|^100$/.test(text))
    throw new BadSetting(`A share is a whole number from 0 to 100, not “${text}”.`)
  return Number(text)
}
