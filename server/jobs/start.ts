import { MINUTE_MS, SECOND_MS } from '#contract/durations.ts'
import { progressInWords } from '../backup/progress.ts'
import { BACKUP_JOB, backUpIfDue } from './backup-job.ts'
import { reconcileMoneyBack, sweepMemberships } from '../features/membership/sync-due-memberships.ts'
import { syncCustomers } from '../features/membership/payment-methods.ts'
import { ACCOUNT_CLOSED } from '../features/account/queries.ts'
import { closeAccountsAtProvider, reconcileInTurn } from '../features/checkout/reconcile-payments.ts'
import { followContent } from '../features/documents/follow-content.ts'
import { followEvents } from '../features/provider-events/follow-events.ts'
import { makeOwnFiles } from '../features/library/personal-files.ts'
import { OWN_FILE_DUE } from '../features/library/queries.ts'
import { sendNextBookEmails } from '../features/series/next-book-emails.ts'
import { carryOutStatements } from '../features/withdrawals/carry-out-statements.ts'
import { WITHDRAWAL_STATED } from '../features/withdrawals/service.ts'
import { sendDueMail, smtpTransport } from '../integrations/mail/sender.ts'
import { MAIL_QUEUED } from '../integrations/mail/queue.ts'
import type { Shop } from '../shop.ts'
import { BUSINESS, lastNight, untilNightMs } from './business-jobs.ts'
import { catchUpJob, onceCaughtUp } from './catch-up.ts'
import { cleanUp } from './clean-up.ts'
import { ANALYSIS_JOB, selectRestoration, storeProgress } from './queries.ts'
import { type Job, runJob } from './run-job.ts'

/** Work of modules that depend on the server: main.ts passes it in. */
export interface WorkOfOthers {
  readonly analyseTitles?: (
    signal: AbortSignal,
    onProgress: (what: string, share: number) => void,
  ) => Promise<void>
}

export async function startJobs(
  shop: Shop,
  { analyseTitles }: WorkOfOthers = {},
): Promise<() => Promise<void>> {
  const { smtpUrl } = shop.config
  const post = smtpUrl ? await smtpTransport(smtpUrl, shop.config) : undefined
  const jobs: Job[] = [
    { name: 'clean-up', pauseMs: untilNightMs, run: () => cleanUp(shop) },
    {
      name: 'own-files',
      wokenBy: OWN_FILE_DUE,
      pauseMs: () => MINUTE_MS,
      firstInMs: 0,
      sharesWork: true,
      run: (signal) => makeOwnFiles(shop, signal),
    },
  ]
  jobs.push({
    // Audits each changed account once a night, after the reconciliation; a run continues where the last one ended.
    name: 'audit',
    pauseMs: () => 30 * MINUTE_MS,
    firstInMs: 10 * MINUTE_MS,
    run: async (signal) => {
      const { auditDue } = await import('../features/audit/service.ts')
      await auditDue(shop, lastNight(shop.now()), { signal })
    },
  })
  if (shop.payments.publishableKey !== '')
    jobs.push(
      {
        name: 'reconcile',
        pauseMs: () => 5 * MINUTE_MS,
        firstInMs: 15 * SECOND_MS,
        run: reconcileInTurn(shop),
      },
      {
        name: 'events',
        pauseMs: () => MINUTE_MS,
        firstInMs: 10 * SECOND_MS,
        run: (signal) => followEvents(shop, signal),
      },
      {
        // Each membership once a night; a run that ended early continues soon.
        name: 'memberships',
        pauseMs: () => 10 * MINUTE_MS,
        firstInMs: 45 * SECOND_MS,
        run: (signal) => sweepMemberships(shop, lastNight(shop.now()).toISOString(), signal),
      },
      {
        name: 'money-back',
        pauseMs: untilNightMs,
        firstInMs: 60 * SECOND_MS,
        run: (signal) => reconcileMoneyBack(shop, signal),
      },
      {
        name: 'closed-accounts',
        wokenBy: ACCOUNT_CLOSED,
        pauseMs: () => 10 * MINUTE_MS,
        firstInMs: 40 * SECOND_MS,
        sharesWork: true,
        run: (signal) => closeAccountsAtProvider(shop, signal),
      },
      {
        name: 'people',
        pauseMs: () => 5 * MINUTE_MS,
        firstInMs: 20 * SECOND_MS,
        run: (signal) => syncCustomers(shop, signal),
      },
    )
  jobs.push({
    name: 'content',
    pauseMs: () => MINUTE_MS,
    firstInMs: 20 * SECOND_MS,
    run: () => followContent(shop),
  })
  jobs.push({
    name: 'series',
    pauseMs: () => 10 * MINUTE_MS,
    firstInMs: 55 * SECOND_MS,
    run: (signal) => sendNextBookEmails(shop, signal),
  })
  jobs.push({
    name: 'calendar',
    pauseMs: () => 10 * MINUTE_MS,
    firstInMs: 30 * SECOND_MS,
    run: (signal) => BUSINESS.calendar.run(shop, signal),
  })
  jobs.push({
    name: 'audiobooks',
    pauseMs: () => 10 * MINUTE_MS,
    firstInMs: 50 * SECOND_MS,
    run: (signal) => BUSINESS.audiobooks.run(shop, signal),
  })
  jobs.push({
    name: 'gifts',
    pauseMs: () => MINUTE_MS,
    firstInMs: 5 * SECOND_MS,
    run: (signal) => BUSINESS.gifts.run(shop, signal),
  })
  jobs.push({
    name: 'prices',
    pauseMs: () => MINUTE_MS,
    firstInMs: 3 * SECOND_MS,
    run: () => BUSINESS.prices.run(shop),
  })
  jobs.push({
    name: 'months',
    pauseMs: () => MINUTE_MS,
    firstInMs: 4 * SECOND_MS,
    run: () => BUSINESS.months.run(shop),
  })
  jobs.push({
    name: 'refunds',
    pauseMs: () => MINUTE_MS,
    firstInMs: 25 * SECOND_MS,
    run: (signal) => BUSINESS.refunds.run(shop, signal),
  })
  jobs.push({
    name: 'withdrawals',
    wokenBy: WITHDRAWAL_STATED,
    pauseMs: () => MINUTE_MS,
    firstInMs: 35 * SECOND_MS,
    run: (signal) => carryOutStatements(shop, signal),
  })
  jobs.push({
    name: 'bookshops',
    pauseMs: () => 10 * MINUTE_MS,
    firstInMs: 60 * SECOND_MS,
    run: (signal) => BUSINESS.bookshops.run(shop, signal),
  })
  if (analyseTitles)
    jobs.push({
      name: ANALYSIS_JOB,
      pauseMs: () => 10 * MINUTE_MS,
      // The demo is opened for a look; it has nothing new to analyse while it is being looked at.
      firstInMs: (shop.config.demo ? 20 : 5) * MINUTE_MS,
      run: (signal) => analyseTitles(signal, analysisProgress(shop)),
    })
  const { backupTo } = shop.config
  if (backupTo)
    jobs.push({
      // Checked often, so that a missed night is made up for.
      name: BACKUP_JOB,
      pauseMs: () => 30 * MINUTE_MS,
      firstInMs: 5 * MINUTE_MS,
      run: () => backUpIfDue(shop, backupTo, lastNight(shop.now())),
    })
  if (post)
    jobs.push({
      name: 'mail',
      wokenBy: MAIL_QUEUED,
      pauseMs: () => 30 * SECOND_MS,
      firstInMs: 0,
      sharesWork: true,
      run: (signal) => sendDueMail(shop, post, signal),
    })
  const isRestored = (await selectRestoration(shop.db)) !== undefined
  const begun = isRestored ? [catchUpJob(shop), ...jobs.map((job) => onceCaughtUp(shop, job))] : jobs
  const stops = await Promise.all(begun.map((job) => runJob(shop, job)))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    post?.close()
  }
}

function analysisProgress({ db }: Shop): (what: string, share: number) => void {
  const progress = progressInWords(
    (text) => void storeProgress(db, ANALYSIS_JOB, text).catch(() => undefined),
    5 * SECOND_MS,
  )
  return (what, share) => progress.share(what, share)
}
