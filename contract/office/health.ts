import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { Remedy } from './remedies.ts'
import { officeEndpoint } from './office-endpoint.ts'

const Count = Type.Integer({ minimum: 0 })

export const CheckState = Type.Unsafe<'broken' | 'look' | 'fine'>({
  type: 'string',
  enum: ['broken', 'look', 'fine'],
})

export const HealthCheck = Type.Object({
  id: Type.String(),
  state: CheckState,
  what: Type.String(),
  /** What to do; empty if `what` says it. */
  remedy: Type.String(),
  /** What a press does about it. */
  act: nullable(Remedy),
})
export type HealthCheck = Static<typeof HealthCheck>

export const JobState = Type.Object({
  name: Type.String(),
  /** When the last run ended. */
  endedAt: nullable(Instant),
  dueAt: Instant,
  isRunning: Type.Boolean(),
  /** A run was asked for and has not ended yet. */
  isAsked: Type.Boolean(),
  failures: Count,
  problem: NullableString,
})
export type JobState = Static<typeof JobState>

export const Backups = Type.Object({
  /** The folder, `BACKUP_TO`; null if the server has none. */
  folder: NullableString,
  isEncrypted: Type.Boolean(),
  /** Newest first, twenty at most. */
  made: Type.Array(Type.Object({ name: Type.String(), at: Instant, bytes: Count })),
  /** A backup was asked for and is not done yet. */
  askedAt: nullable(Instant),
  isRunning: Type.Boolean(),
  /** `Rows: 12,000` */
  progress: NullableString,
  problem: NullableString,
})
export type Backups = Static<typeof Backups>

export const getHealth = officeEndpoint({
  method: 'GET',
  path: '/api/office/health',
  summary: 'The checks of the doctor and the to-do list',
  may: 'health.read',
  reply: Type.Object({ checkedAt: Instant, checks: Type.Array(HealthCheck) }),
})
export const getRunning = officeEndpoint({
  method: 'GET',
  path: '/api/office/health/running',
  summary: 'Jobs, webhook events, emails, storage and backups',
  may: 'health.read',
  reply: Type.Object({
    jobs: Type.Array(JobState),
    webhooks: Type.Object({ lastAt: nullable(Instant), today: Count }),
    emails: Type.Object({
      waiting: Count,
      oldestAt: nullable(Instant),
      paused: Count,
      givenUp: Count,
      sentToday: Count,
    }),
    storage: Type.Object({ freeBytes: Count, sizeBytes: Count, databaseBytes: Count }),
    backups: Backups,
  }),
})
export type Running = Static<typeof getRunning.reply>

export const backUpNow = officeEndpoint({
  method: 'POST',
  path: '/api/office/health/backups',
  summary: 'Ask for a backup at once; the job that makes one each night makes it',
  may: 'health.act',
  status: 202,
  reply: Type.Object({ askedAt: Instant }),
})
/** The work of a job is repeatable: a run does what is due, and nothing twice. */
export const runJobNow = officeEndpoint({
  method: 'POST',
  path: '/api/office/health/jobs/{name}/run',
  summary: 'Run a job at once, on whichever server has it',
  may: 'health.act',
  status: 202,
  params: Type.Object({ name: Type.String({ pattern: '^[a-z-]{1,40}$' }) }),
  reply: Type.Object({ askedAt: Instant }),
})
