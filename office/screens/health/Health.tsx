import { ArrowsClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowsClockwise'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HealthCheck, JobState, Running } from '#contract/office/health.ts'
import { bytes as bytesInWords } from '#format/bytes.ts'
import { useMedia } from '#ui/use-media.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { isForTerminal, RemedyButton } from '../../ui/RemedyButton.tsx'
import { State } from '../../ui/State.tsx'
import { BoneRows, Failed } from '../../ui/states.tsx'
import { exactly, when } from '../../ui/when.ts'
import { CHECK_NAMES, JOB_NAMES } from './names.ts'
import { PHONE } from '../../ui/windows.ts'
import './health.css'

const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => officeCall('GET /api/office/health'),
})
const QUICK_MS = 1_000
const SLOW_MS = 30_000
const runningQuery = queryOptions({
  queryKey: ['health', 'running'],
  queryFn: () => officeCall('GET /api/office/health/running'),
  // A backup under way shows how far it is.
  refetchInterval: ({ state: { data } }) => (data && isAtWork(data) ? QUICK_MS : SLOW_MS),
})
const isAtWork = ({ backups, jobs }: Running): boolean =>
  backups.isRunning || backups.askedAt !== null || jobs.some(({ isRunning, isAsked }) => isRunning || isAsked)

export function Health() {
  const health = useQuery(healthQuery)
  const running = useQuery(runningQuery)
  const { refetch } = health
  const isBusy = running.data !== undefined && isAtWork(running.data)
  const [wasBusy, setWasBusy] = useState(false)
  useEffect(() => {
    setWasBusy(isBusy)
    // What was asked for may have solved something.
    if (wasBusy && !isBusy) void refetch()
  }, [isBusy, wasBusy, refetch])
  return (
    <Page
      title="Health"
      sub={
        <>
          {health.data && `Checked ${when(health.data.checkedAt).replace('Today', 'today')}. `}The same checks
          as <b>npm run doctor</b> and <b>npm run todo</b>.
        </>
      }
      acts={
        <Button
          icon={ArrowsClockwiseIcon}
          busy={health.isFetching}
          sends
          onClick={() => void Promise.all([health.refetch(), running.refetch()])}
        >
          Check again
        </Button>
      }
    >
      {health.error && !health.data ? (
        <Failed what="The checks" problem={health.error} onRetry={() => void health.refetch()} />
      ) : (
        <Checks checks={health.data?.checks} />
      )}
      {running.error && !running.data ? (
        <Failed what="The jobs" problem={running.error} onRetry={() => void running.refetch()} />
      ) : running.data ? (
        <div className="health-columns">
          <Jobs jobs={running.data.jobs} />
          <div>
            <BackupSection backups={running.data.backups} />
            <Traffic running={running.data} />
          </div>
        </div>
      ) : null}
    </Page>
  )
}

const STATES = {
  broken: { kind: 'broken', words: 'Broken' },
  look: { kind: 'look', words: 'Look' },
  fine: { kind: 'done', words: 'Fine' },
} as const

function Checks({ checks }: { readonly checks: readonly HealthCheck[] | undefined }) {
  const isPhone = useMedia(PHONE)
  const [isWhole, setWhole] = useState(false)
  const fine = checks?.filter(({ state }) => state === 'fine').length ?? 0
  const shown = isPhone && !isWhole ? checks?.filter(({ state }) => state !== 'fine') : checks
  return (
    <>
      <table className="table health-checks" aria-busy={!checks}>
        <thead className="visually-hidden">
          <tr>
            <th>State</th>
            <th>Check</th>
            <th>Found</th>
            <th>What to do</th>
          </tr>
        </thead>
        <tbody>
          {!shown && <BoneRows widths={[60, 120, 400, 80]} rows={10} />}
          {shown?.map(({ id, state, what, remedy, act }, index) => (
            <tr key={`${id} ${index}`}>
              <td>
                <State kind={STATES[state].kind}>{STATES[state].words}</State>
              </td>
              <th scope="row" className="strong">
                {CHECK_NAMES[id] ?? id}
              </th>
              <td>
                {what}
                {remedy && !(act && isForTerminal(remedy)) && <small>{remedy}</small>}
              </td>
              <td className="num">{act && <RemedyButton remedy={act} about={what} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isPhone && fine > 0 && (
        <TextButton aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Hide' : 'Show'} the {fine} that are fine
        </TextButton>
      )}
    </>
  )
}

const Jobs = ({ jobs }: { readonly jobs: readonly JobState[] }) => (
  <Section title="Jobs">
    <table className="table dense">
      <thead>
        <tr>
          <th>Job</th>
          <th>Last run</th>
          <th className="num">Next</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(({ name, endedAt, dueAt, isRunning, failures, problem }) => (
          <tr key={name}>
            <td>
              <span title={name}>{JOB_NAMES[name] ?? name}</span>
            </td>
            <td>
              {isRunning ? (
                <State kind="half">running</State>
              ) : failures > 0 ? (
                <State kind={failures > 2 ? 'broken' : 'look'}>
                  {failures === 1 ? 'failed' : `failed ${failures} times`}
                </State>
              ) : (
                endedAt && (
                  <time dateTime={endedAt} title={exactly(endedAt)}>
                    {when(endedAt)}
                  </time>
                )
              )}
              {failures > 0 && problem && <small className="health-problem">{problem}</small>}
            </td>
            <td className="num muted nowrap">{when(dueAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Section>
)

function BackupSection({ backups }: { readonly backups: Running['backups'] }) {
  const may = useMay()
  const { folder, isEncrypted, made, askedAt, isRunning, progress, problem } = backups
  const isAsked = askedAt !== null
  const ask = useAct(() => officeCall('POST /api/office/health/backups'), {
    changes: [['health', 'running']],
    done: () => 'The backup begins in a moment.',
  })
  return (
    <Section
      title="Backups"
      acts={
        may('health.act') && (
          <Button
            look="beak"
            compact
            busy={ask.busy || isRunning || isAsked}
            sends
            why={folder === null ? 'Set BACKUP_TO on the server.' : undefined}
            onClick={() => void ask.write()}
          >
            {isRunning ? 'Backing up' : 'Back up now'}
          </Button>
        )
      }
    >
      <p role="status" className={isRunning || isAsked ? undefined : 'visually-hidden'}>
        {isRunning ? (progress ?? 'Beginning') : isAsked ? 'Waiting for the job' : ''}
      </p>
      {(ask.refusal || (problem && !isRunning)) && (
        <p className="bad">{ask.refusal || `The last one failed: ${problem}`}</p>
      )}
      {folder === null ? (
        <p className="hint">
          Nothing is backed up automatically. The operator sets <code>BACKUP_TO</code> to a folder on another
          disk; then each night makes a backup.
        </p>
      ) : made.length === 0 ? (
        <p className="hint">
          There is none in <code>{folder}</code> yet. One is made each night.
        </p>
      ) : (
        <>
          <table className="table dense">
            <thead>
              <tr>
                <th>Made</th>
                <th className="num">Size</th>
              </tr>
            </thead>
            <tbody>
              {made.slice(0, SHOWN).map(({ name, at, bytes }) => (
                <tr key={name}>
                  <td>
                    <time dateTime={at} title={name}>
                      {when(at)}
                    </time>
                  </td>
                  <td className="num">{bytesInWords(bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="hint below">
            In <code>{folder}</code>, with the sound and pictures beside them.{' '}
            {isEncrypted ? 'They are encrypted.' : 'They are not encrypted: set BACKUP_PASSPHRASE.'}
          </p>
        </>
      )}
    </Section>
  )
}

const SHOWN = 7

const Traffic = ({ running: { webhooks, emails, storage } }: { readonly running: Running }) => (
  <Section title="Coming and going">
    <dl className="facts">
      <div>
        <dt>Events from the payment provider</dt>
        <dd>
          {webhooks.lastAt === null
            ? 'none yet'
            : `last ${when(webhooks.lastAt)}, ${webhooks.today} in 24 hours`}
        </dd>
      </div>
      <div>
        <dt>Emails sent in 24 hours</dt>
        <dd>{emails.sentToday}</dd>
      </div>
      <div>
        <dt>Emails waiting</dt>
        <dd>
          {emails.waiting}
          {emails.oldestAt && `, the oldest since ${when(emails.oldestAt)}`}
          {emails.paused > 0 && `, and ${emails.paused} for your release`}
        </dd>
      </div>
      <div>
        <dt>Emails given up in a week</dt>
        <dd className={emails.givenUp > 0 ? 'bad' : undefined}>{emails.givenUp}</dd>
      </div>
      <div>
        <dt>Free on the disk</dt>
        <dd>
          {bytesInWords(storage.freeBytes)} of {bytesInWords(storage.sizeBytes)}
          <meter
            className="health-meter"
            min={0}
            max={storage.sizeBytes}
            value={storage.sizeBytes - storage.freeBytes}
            aria-label="Used on the disk"
          />
        </dd>
      </div>
      <div>
        <dt>Database</dt>
        <dd>{bytesInWords(storage.databaseBytes)}</dd>
      </div>
    </dl>
  </Section>
)
