import type { Shop } from '../../shop.ts'
import { CATALOGUE_CHANGED, selectEmptyShelves } from './queries.ts'

/** An import sends one notification per batch, sometimes several within a second. */
const GATHER_MS = 2_000

/**
 * Clears the caches immediately on the first notification, and once more after `gatherMs` if others followed. So
 * most pages still come from the cache during an import.
 */
export async function followCatalogue(
  { database, answers }: Pick<Shop, 'database' | 'answers'>,
  gatherMs = GATHER_MS,
): Promise<() => Promise<void>> {
  let gathering: NodeJS.Timeout | undefined
  let isToldAgain = false
  const forget = () => {
    if (gathering) {
      isToldAgain = true
      return
    }
    answers.clear()
    gathering = setTimeout(() => {
      gathering = undefined
      if (!isToldAgain) return
      isToldAgain = false
      forget()
    }, gatherMs).unref()
  }
  // After a reconnection too: a notification may have been missed.
  const stop = await database.listen(CATALOGUE_CHANGED, forget, forget)
  return async () => {
    clearTimeout(gathering)
    await stop()
  }
}

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
