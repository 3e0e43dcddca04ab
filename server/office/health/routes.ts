import * as contract from '#contract/office/health.ts'
import type { Role } from '#contract/office/permissions.ts'
import type { HealthCheck } from '#contract/office/health.ts'
import { newestBackups } from '../../backup/nightly.ts'
import { BACKUP_JOB } from '../../jobs/backup-job.ts'
import { type Check, type CheckedShop, type Result, resultOf } from '../../checks/check.ts'
import { selectMailState } from '../../checks/queries.ts'
import { MACHINE_CHECKS, SHOP_CHECKS } from '../../checks/table.ts'
import { wrongPrices } from '../../features/membership/join.ts'
import { act } from '../../features/activity/service.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { askForRun, selectJob } from '../../jobs/queries.ts'
import { remedyFor } from '../remedies.ts'
import { selectJobStates, selectTraffic } from './queries.ts'

const BACKUPS_SHOWN = 20
const WORST_FIRST = ['broken', 'look', 'fine'] as const

export function registerHealth(server: ApiServer): void {
  const { shop } = server
  const { db, config } = shop

  serve(server, contract.getHealth, async ({ staff }) => {
    const checked: CheckedShop = { ...shop, wrongPrices: () => wrongPrices(shop), isDeep: false }
    const shown = SHOP_CHECKS.filter(({ inDoctor, todoKind }) => inDoctor || todoKind)
    const checks = [
      ...(await linesOf(MACHINE_CHECKS, config, staff.role)),
      ...(await linesOf(shown, checked, staff.role)),
    ]
    return {
      checkedAt: shop.now().toISOString(),
      checks: checks.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state)),
    }
  })

  serve(server, contract.getRunning, async () => {
    const [jobs, traffic, mail, space, made] = await Promise.all([
      selectJobStates(db),
      selectTraffic(db),
      selectMailState(db),
      shop.disk.space(),
      config.backupTo ? newestBackups(config.backupTo, BACKUPS_SHOWN) : [],
    ])
    const backup = jobs.find(({ name }) => name === BACKUP_JOB)
    const isAsked = backup?.askedAt && !(backup.succeededAt && backup.succeededAt >= backup.askedAt)
    return {
      jobs: jobs.map(({ name, endedAt, dueAt, isRunning, failures, problem, askedAt }) => ({
        name,
        isAsked: askedAt !== null && (endedAt === null || endedAt < askedAt),
        endedAt: endedAt?.toISOString() ?? null,
        dueAt: dueAt.toISOString(),
        isRunning,
        failures,
        problem,
      })),
      webhooks: {
        lastAt: traffic.lastWebhook === null ? null : new Date(traffic.lastWebhook).toISOString(),
        today: traffic.webhooksToday,
      },
      emails: {
        waiting: mail.waiting,
        oldestAt: mail.oldestAt?.toISOString() ?? null,
        paused: mail.paused,
        givenUp: mail.givenUp,
        sentToday: traffic.sentToday,
      },
      storage: { ...space, databaseBytes: traffic.databaseBytes },
      backups: {
        folder: config.backupTo ?? null,
        isEncrypted: config.backupPassphrase !== undefined,
        made: made.map(({ name, madeAt, bytes }) => ({ name, at: madeAt.toISOString(), bytes })),
        askedAt: isAsked ? backup.askedAt!.toISOString() : null,
        isRunning: backup?.isRunning ?? false,
        progress: backup?.isRunning ? backup.progress || null : null,
        problem: backup?.problem ?? null,
      },
    }
  })

  serve(server, contract.backUpNow, async ({ staff }) => {
    if (!config.backupTo)
      throw refused('The server has no folder for backups. Set BACKUP_TO to a folder on another disk.')
    const askedAt = shop.now()
    await act(shop, staff, {
      kind: 'backup',
      about: 'backup',
      what: 'Asked for a backup',
      carryOut: () => askForRun(db, BACKUP_JOB, askedAt),
    })
    return { askedAt: askedAt.toISOString() }
  })
  serve(server, contract.runJobNow, async ({ params: { name }, staff }) => {
    if (!(await selectJob(db, name))) throw notFound()
    const askedAt = shop.now()
    await act(shop, staff, {
      kind: 'jobs run',
      about: `job ${name}`,
      what: `Asked for a run of the job ${name}`,
      carryOut: () => askForRun(db, name, askedAt),
    })
    return { askedAt: askedAt.toISOString() }
  })
}

async function linesOf<Given>(checks: readonly Check<Given>[], given: Given, role: Role) {
  const results: { readonly id: string; readonly kind: string; readonly result: Result }[] = []
  for (const check of checks) {
    const { id, todoKind: kind = id } = check
    results.push({ id, kind, result: await resultOf(check, given) })
  }
  return results.flatMap(({ id, kind, result: { problems, fine } }): HealthCheck[] =>
    problems.length === 0
      ? [{ id, state: 'fine', what: fine, remedy: '', act: null }]
      : problems.map(({ severity, what, remedy, subject = null, userId = null }) => ({
          ...{ id, state: severity, what, remedy },
          act: remedyFor(role, { kind, subject, userId, what }),
        })),
  )
}
