import { MINUTE_MS, SECOND_MS } from '#contract/durations.ts'
import { fingerprintOf } from '../codes/check-key.ts'
import { schemaOf, schemaOfRelease } from '../db/migrate.ts'
import { selectRestoration } from '../jobs/queries.ts'
import { broken, type CheckedShop, fine, look, type Result } from './check.ts'
import { selectFingerprint, selectNumbersBehind, selectServer, selectTimes } from './queries.ts'

const OLDEST_POSTGRES = 150_000
/** Signatures and sessions tolerate this much. */
const WRONG_CLOCK_MS = MINUTE_MS

export async function checkDatabase({ db, database }: CheckedShop): Promise<Result> {
  const { version, number, used, allowed } = await selectServer(db)
  if (database.kind === 'embedded') return fine(`The embedded PostgreSQL ${version} answers.`)
  if (number < OLDEST_POSTGRES)
    return broken(`This is PostgreSQL ${version}, and the shop needs 15 or later.`, 'Update it.')
  const says = `PostgreSQL ${version} answers; ${used} of ${allowed} connections are taken.`
  return used > allowed * 0.8 ? look(says, 'Raise its max_connections.') : fine(says)
}

export async function checkMigrations({ database }: CheckedShop): Promise<Result> {
  const schema = await schemaOf(database.pool)
  if (schema < schemaOfRelease())
    return look('The next start brings the database to this release.', 'Make a backup first.')
  if (schema > schemaOfRelease())
    return broken('The database belongs to a newer release of Murmur.', 'Start that one.')
  return fine('The database fits this release.')
}

export async function checkKeys({ config, db }: CheckedShop): Promise<Result> {
  const stored = await selectFingerprint(db)
  if (stored !== undefined && stored !== fingerprintOf(config))
    return broken(
      'CODE_KEY is not the key that cards and gifts were made with: none of them opens.',
      'Set CODE_KEY, or code.key in DATA_DIR, to the former key (it is in each backup) and restart the shop.',
    )
  return fine(
    `The code key fits, and there ${config.appKeys.length === 1 ? 'is 1 app key' : `are ${config.appKeys.length} app keys`}.`,
  )
}

export async function checkNumbers({ db }: CheckedShop): Promise<Result> {
  const behind = await selectNumbersBehind(db)
  const [first] = behind
  if (!first) return fine('All numbers go on after the last one that was given out.')
  return broken(
    `${behind.map(({ sequence }) => sequence).join(', ')} would give out numbers again, and orders would fail.`,
    `Run: select setval('${first.sequence}', ${first.highest})${behind.length > 1 ? ', and so on' : ''}`,
  )
}

export async function checkRestored({ db }: CheckedShop): Promise<Result> {
  const restoration = await selectRestoration(db)
  if (!restoration) return fine('The shop knows what the payment provider knows.')
  const day = restoration.backupMadeAt.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return look(
    `The shop is that of ${day}, and still asks the payment provider what happened since. It does so while it runs; until then it renews, reminds and pays back nothing.`,
  )
}

export async function checkClock({ db, now, config }: CheckedShop): Promise<Result> {
  const here = now().getTime()
  const { there, newestOrder } = await selectTimes(db)
  const apart = Math.abs(here - there.getTime())
  if (apart > WRONG_CLOCK_MS)
    return broken(
      `This machine and its database are ${Math.round(apart / SECOND_MS)} seconds apart.`,
      'Let both set their clocks by NTP.',
    )
  // A demo's business time may be ahead.
  if (!config.demo && newestOrder !== null && newestOrder.getTime() - here > WRONG_CLOCK_MS)
    return broken('This machine’s clock is behind its newest order.', 'Let it set its clock by NTP.')
  return fine('The clocks agree.')
}
