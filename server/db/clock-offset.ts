import { businessClock } from './schema/jobs.ts'
import type { Db } from './open.ts'

/** The distance of business time from the machine's: a demo's may have been moved on. */
export async function selectClockOffset(db: Db): Promise<number> {
  const [row] = await db.select().from(businessClock)
  return row?.aheadMs ?? 0
}
