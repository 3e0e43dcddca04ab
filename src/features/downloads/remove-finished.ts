import { DAY_MS } from '#contract/durations.ts'
import { listHoldings } from '#device/inventory.ts'
import { removeTitle } from '#device/sound-store.ts'
import type { TitleKey } from '#device/title-key.ts'

/** Lets titles go that were finished so many days ago, as the listener wishes. Says which went. */
export async function removeFinishedTitles(
  ownerUuid: string,
  days: number,
  nowMs: number,
): Promise<TitleKey[]> {
  const gone: TitleKey[] = []
  for (const { title } of await listHoldings(ownerUuid)) {
    if (title.finishedAtMs === null || nowMs - title.finishedAtMs < days * DAY_MS) continue
    await removeTitle(ownerUuid, title.key)
    gone.push(title.key)
  }
  return gone
}
