import { schemaOf } from '../db/migrate.ts'
import { loadDetails } from '../db/shop-queries.ts'
import type { Config } from '../settings/config.ts'
import { type Check, type CheckedShop, inOneLine, type Problem, type Result, resultOf } from './check.ts'
import { MACHINE_CHECKS, SHOP_CHECKS } from './table.ts'

export interface Finding {
  readonly name: string
  readonly state: 'fine' | Problem['severity']
  readonly says: string
}

export const findingOf = (name: string, { problems: [first], fine }: Result): Finding => ({
  name,
  state: first?.severity ?? 'fine',
  says: first ? inOneLine(first) : fine,
})

export const lineOf = ({ state, name, says }: Finding): string =>
  `${state.padEnd(7)} ${name.padEnd(12)} ${says}`

export const examineMachine = (config: Config): AsyncGenerator<Finding> => findings(MACHINE_CHECKS, config)

export async function* examineShop(shop: CheckedShop): AsyncGenerator<Finding> {
  const { config, database, db } = shop
  // Without tables every check would fail.
  if ((await schemaOf(database.pool).catch(() => undefined)) === 0) {
    yield { name: 'database', state: 'broken', says: emptyDatabase(config.databaseUrl) }
    return
  }
  // With an older schema this fails; the checks report it.
  await loadDetails(db, config.details).catch(() => undefined)
  yield* findings(
    SHOP_CHECKS.filter(({ inDoctor }) => inDoctor),
    shop,
  )
}

const emptyDatabase = (databaseUrl: string | undefined) =>
  `The database is empty: the first start makes a shop in it, and npm run restore brings one back.${databaseUrl ? ' If yours should be there, DATABASE_URL names another database.' : ''}`

async function* findings<Given>(checks: readonly Check<Given>[], given: Given): AsyncGenerator<Finding> {
  for (const check of checks) yield findingOf(check.id, await resultOf(check, given))
}
