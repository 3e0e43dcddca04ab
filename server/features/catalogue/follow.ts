import type { Shop } from '../../shop.ts'
import { CATALOGUE_CHANGED } from './change-notification-queries.ts'

/** An import tells of each of its batches, some of them in a second. */
const GATHER_MS = 2_000

/**
 * This instance forgets what it keeps of the catalogue when that changes: at once, and what is told in the next moments together at
 * their end, so that during an import pages still come from memory.
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
  // A reconnection counts as a message, since one may have been missed.
  const stop = await database.listen(CATALOGUE_CHANGED, forget, forget)
  return async () => {
    clearTimeout(gathering)
    await stop()
  }
}
