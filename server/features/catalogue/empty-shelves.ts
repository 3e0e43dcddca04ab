import type { Shop } from '../../shop.ts'
import { CATALOGUE_CHANGED } from './change-notification-queries.ts'
import { selectEmptyShelves } from './empty-shelves-queries.ts'

export async function followEmptyShelves({
  database,
  db,
  answers,
  config,
  log,
}: Pick<Shop, 'database' | 'db' | 'answers' | 'config' | 'log'>): Promise<() => Promise<void>> {
  const look = async () => {
    const empty = await selectEmptyShelves(db)
    if (empty.join() === config.details.emptyShelves.join()) return
    config.details.emptyShelves = empty
    // Cached pages contain the menus.
    answers.clear()
  }
  const lookAgain = () =>
    void look().catch((error: unknown) =>
      log.warn({ err: error }, 'which lists are empty could not be asked'),
    )
  await look()
  return database.listen(CATALOGUE_CHANGED, lookAgain, lookAgain)
}
