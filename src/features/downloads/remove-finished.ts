import { listHoldings } from '#device/inventory.ts'
import { removeTitle } from '#device/sound-store.ts'
import type { TitleKey } from '#device/title-key.ts'

/** Long enough to hear the last page once more. */
const FINISHED_STAYS_MS = 24 * 60 * 60_000

/** Lets finished titles go after a day, where the listener wishes it. Says which went. */
export async function removeFinishedTitles(ownerUuid: string, nowMs: number): Promise<TitleKey[]> {
  const gone: TitleKey[] = []
  for (const { title } of await listHoldings(ownerUuid)) {
    if (title.finishedAtMs === null || nowMs - title.finishedAtMs < FINISHED_STAYS_MS) continue
    await removeTitle(ownerUuid, title.key)
    gone.push(title.key)
  }
  return gone
}
