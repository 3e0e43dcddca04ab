import { businessClock } from './schema/jobs.ts'
import type { Db } from './open.ts'

/** How far business time is ahead of the real time, in milliseconds; only a demo's clock can be advanced. */
export async function selectClockOffset(db: Db): Promise<number> {
  const [row] = await db.select().from(businessClock)
  return row?.aheadMs ?? 0
}
