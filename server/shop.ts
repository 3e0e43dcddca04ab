import type { Config } from './settings/config.ts'
import type { Database, OpenDatabase } from './db/open.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Caches } from './caches.ts'
import type { PublicAnswers } from './http/response-cache.ts'
import type { DiskSpace } from './http/disk-space.ts'
import type { BusinessClock, RealTime } from './clock.ts'
import type { MediaStore } from './integrations/media/media-store.ts'
import type { Billing, Payments } from './integrations/stripe/provider.ts'

export interface Shop {
  readonly config: Config
  readonly db: Database
  readonly database: OpenDatabase
  /** Real time from the database, so that all instances agree (`db/shared-clock.ts`). */
  readonly now: () => RealTime
  readonly clock: BusinessClock
  readonly answers: PublicAnswers
  readonly caches: Caches
  readonly log: Log
  readonly metrics: Metrics
  readonly disk: DiskSpace
  /** Aborted when this server has been told to shut down. */
  readonly ending: AbortSignal
  readonly media: MediaStore
  readonly payments: Payments
  readonly billing: Billing
}
