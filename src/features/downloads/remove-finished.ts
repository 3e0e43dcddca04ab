import { DAY_MS } from '#contract/durations.ts'
import { finishedAtMs } from '#storage/finished.ts'
import { listHoldings } from '#storage/inventory.ts'
import { removeTitle } from '#storage/sound-store.ts'
import type { TitleKey } from '#storage/title-key.ts'

/** Lets titles go that were finished so many days ago, as the listener wishes. Says which went. */
export async function removeFinishedTitles(
  ownerUuid: string,
  days: number,
  nowMs: number,
): Promise<TitleKey[]> {
  const gone: TitleKey[] = []
  for (const { title } of await listHoldings(ownerUuid)) {
    const atMs = await finishedAtMs(ownerUuid, title)
    if (atMs === null || nowMs - atMs < days * DAY_MS) continue
    await removeTitle(ownerUuid, title.key)
    gone.push(title.key)
  }
  return gone
}
