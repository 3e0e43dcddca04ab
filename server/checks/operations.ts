import { HOUR_MS } from '#contract/durations.ts'
import { selectOpenPackRequests } from '../features/outlets/queries.ts'
import { overdueBookshops } from '../features/outlets/statement-payments.ts'
import { formatPounds } from '../format.ts'
import { untrustedProxiesOf } from '../rate-limiting/untrusted-proxy.ts'
import { broken, type CheckedShop, counted, fine, found, look, type Result, together } from './check.ts'
import { type MailState, selectFailingJobs, selectGivenUpMails, selectMailState } from './queries.ts'

/** A mail server may be away for an hour; after that the owner should look. */
const LATE_MAIL_MS = HOUR_MS
/** Jobs fail now and then and recover: listed after this many failures in a row. */
const FAILURES = 3
const AT_MOST = 100

export async function checkMailQueue({ db, config, now }: CheckedShop): Promise<Result> {
  const state = await selectMailState(db)
  const { waiting, oldestAt, givenUp } = state
  const waitsMs = oldestAt === null ? 0 : now().getTime() - oldestAt.getTime()
  const wait = counted(waiting, 'email waits', 'emails wait')
  const problems: Result[] = []
  if (waiting > 0 && config.smtpUrl && waitsMs > LATE_MAIL_MS)
    problems.push(
      broken(
        `${wait}, the oldest for ${counted(Math.round(waitsMs / HOUR_MS), 'hour', 'hours')}.`,
        'Look whether the mail server of SMTP_URL takes them.',
      ),
    )
  problems.push(pausedMail(state))
  if (givenUp > 0)
    problems.push(
      look(
        `${counted(givenUp, 'mail of the last week was', 'mails of the last week were')} refused for good.`,
      ),
    )
  if (waiting > 0 && !config.smtpUrl && !config.demo)
    problems.push(look(`${wait} for a mail server: set SMTP_URL.`))
  return together(fine(waiting === 0 ? 'No email waits.' : `${wait}, none of them for long.`), ...problems)
}

export const checkPausedMail = async ({ db }: CheckedShop): Promise<Result> =>
  pausedMail(await selectMailState(db))

const pausedMail = ({ paused }: MailState): Result =>
  paused === 0
    ? fine('No email waits for your word.')
    : look(
        `${counted(paused, 'email waits', 'emails wait')} for your word since the shop was restored.`,
        'npm run restore -- --mail show',
      )

export async function checkGivenUpMails({ db }: CheckedShop): Promise<Result> {
  const mails = await selectGivenUpMails(db, AT_MOST)
  return found(
    mails.map(({ id, kind, key, problem, since }) => ({
      severity: 'broken',
      subject: id,
      since,
      what: `A mail was given up: ${kind.replaceAll('_', ' ')} (${key}). ${
        problem === 'unreachable' ? 'The mail server never accepted it.' : `The mail server said ${problem}.`
      }`,
      remedy: `npm run mails -- show ${id} shows whom it was for. Correct the address or the mail server and send it again, or remove it from the list: npm run todo -- done mail:${id}`,
    })),
  )
}

export async function checkStarterPacks({ db }: CheckedShop): Promise<Result> {
  const requests = await selectOpenPackRequests(db, AT_MOST)
  return found(
    requests.map(({ id, shopName, town, packs, askedAt }) => ({
      severity: 'broken',
      subject: id,
      since: askedAt,
      what: `${shopName} in ${town} asked for ${counted(packs, 'starter pack', 'starter packs')} of cards.`,
      remedy: `npm run outlets -- packs shows whom to write to. When the cards are on their way: npm run outlets -- packs --done ${id.slice(0, 8)}`,
    })),
  )
}

export async function checkBookshopPayments({ db, config, clock }: CheckedShop): Promise<Result> {
  return found(
    (await overdueBookshops({ db, config }, clock.now(), AT_MOST)).map(
      ({ slug, name, numbers, owedMinor, since }) => ({
        severity: 'broken',
        subject: slug,
        since,
        what: `${name} owes ${formatPounds(owedMinor)}: ${numbers.length > 1 ? 'the statements' : 'the statement'} ${numbers.join(', ')} should be paid.`,
        remedy:
          'Look at your bank. In the office, under Cards, say when it was paid, or remind the bookshop.',
      }),
    ),
  )
}

export async function checkJobs({ db }: CheckedShop): Promise<Result> {
  const jobs = await selectFailingJobs(db, FAILURES, AT_MOST)
  return found(
    jobs.map(({ name, failures, since, problem }) => ({
      severity: 'broken',
      subject: name,
      since,
      what: `The job ${name} has failed ${failures} times in a row: ${problem ?? 'no reason was given'}.`,
      remedy: `Look for "job":"${name}" in the log. It is tried again automatically, and leaves the list when it succeeds.`,
    })),
  )
}

/** If the settings do not name the proxy, or it does not send `X-Forwarded-For`, all visitors share its address. */
export async function checkProxies({
  db,
  config,
  now,
}: Pick<CheckedShop, 'db' | 'config' | 'now'>): Promise<Result> {
  const proxies = await untrustedProxiesOf(db, config, now())
  const problems = proxies
    .filter(({ isNamed }) => !isNamed)
    .map(({ address, problem, since, remedy }) => ({
      severity: 'broken' as const,
      subject: address,
      since,
      what: `${problem}: all visitors share its address and its limits, so a few busy ones can keep everybody from logging in.`,
      remedy,
    }))
  const named = proxies.find(({ isNamed }) => isNamed)
  return together(
    found(problems, 'No proxy makes all visitors share one address.'),
    ...(named
      ? [
          look(
            `${named.address} is in TRUSTED_PROXIES now.`,
            'Restart the shop if it was not started since; this line goes with that.',
          ),
        ]
      : []),
  )
}

export async function checkAuditFindings({ db }: CheckedShop): Promise<Result> {
  // Loaded on demand, because each start imports the checks.
  const { openFindings } = await import('../features/audit/service.ts')
  const findings = await openFindings(db, AT_MOST)
  return found(
    findings.map(({ key, what, remedy, foundAt, userId }) => ({
      severity: 'broken',
      subject: key,
      since: foundAt,
      userId,
      what,
      remedy: `${remedy} npm run audit checks again at once; this leaves the list when everything agrees.`,
    })),
  )
}
