import { businessClock } from './schema/jobs.ts'
import type { Db } from './open.ts'

/** In milliseconds; only a demo's clock can be advanced. */
export async function selectClockOffset(db: Db): Promise<number> {
  const [row] = await db.select().from(businessClock)
  return row?.aheadMs ?? 0
}
