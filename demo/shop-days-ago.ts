import { BusinessClock } from '#server/clock.ts'
import type { Transaction } from '#server/db/open.ts'
import type { Shop } from '#server/shop.ts'

const DAY = 24 * 3_600_000

export type ShopDaysAgo = (days: number) => Shop

export function shopIn(shop: Shop, tx: Transaction): ShopDaysAgo {
  const startMs = shop.now().getTime()
  return (days) => {
    const at = () => new Date(startMs - days * DAY)
    return { ...shop, db: tx, now: at, clock: new BusinessClock(at) }
  }
}
