import type { Config } from './settings/config.ts'
import type { Database, OpenDatabase } from './db/open.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { PublicAnswers } from './http/response-cache.ts'
import type { DiskSpace } from './http/disk-space.ts'
import type { BusinessClock } from './clock.ts'
import type { MediaStore } from './integrations/media/media-store.ts'
import type { Billing } from './integrations/stripe/billing.ts'
import type { Payments } from './integrations/stripe/payments.ts'

/** Every feature is built from this: passed as an argument, never reached for. */
export interface Shop {
  readonly config: Config
  readonly db: Database
  readonly database: OpenDatabase
  /** The real time, for sessions, limits and signatures: the database's, which all machines of a shop share (`db/shared-clock.ts`); tests hand in their own. */
  readonly now: () => Date
  /** The time of memberships, gifts, orders and jobs: the same, until a demo's is moved on. */
  readonly clock: BusinessClock
  readonly answers: PublicAnswers
  /** The framework writes into the same one. */
  readonly log: Log
  /** What this server counts while it works. */
  readonly metrics: Metrics
  readonly disk: DiskSpace
  /** Aborted once this server has been told to end. */
  readonly ending: AbortSignal
  /** Sound, covers and e-books. */
  readonly media: MediaStore
  readonly payments: Payments
  readonly billing: Billing
}
