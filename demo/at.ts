import { BusinessClock } from '#server/clock.ts'
import type { Transaction } from '#server/db/open.ts'
import type { Shop } from '#server/shop.ts'

const DAY = 24 * 3_600_000

/** The shop as services see it on an earlier day, inside the transaction that loads the demo. */
export type ShopDaysAgo = (days: number) => Shop

export function shopIn(shop: Shop, tx: Transaction): ShopDaysAgo {
  const startMs = shop.now().getTime()
  return (days) => {
    const at = () => new Date(startMs - days * DAY)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- services use queries and transactions only
    return { ...shop, db: tx as unknown as Shop['db'], now: at, clock: new BusinessClock(at) }
  }
}
