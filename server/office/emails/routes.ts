import { randomUUID } from 'node:crypto'
import * as contract from '#contract/office/emails.ts'
import { act } from '../../features/activity/service.ts'
import { isWaiting, repeatMail, textOfMail, TRUE_FOR_ITS_DAY } from '../../features/mails/repeat.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { type MailKind, TEMPLATES, templateOf } from '../../integrations/mail/kinds.ts'
import {
  type MailRow,
  selectMail,
  selectNewestOfKind,
  selectSent,
  selectSentCounts,
  countUnsent,
  selectUnsentPage,
} from '../../integrations/mail/queries.ts'
import { HIDDEN, queueMail, withoutSecrets } from '../../integrations/mail/queue.ts'
import { type RenderedMail, renderMail } from '../../integrations/mail/render.ts'
import { MAIL_SAMPLES } from '../../integrations/mail/samples.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import { exportList } from '../csv.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { readParts, readSort } from '../list-query.ts'

/** More than a person reads in an hour; fewer than would flood a mailbox. */
const TESTS: Limit = { name: 'office email tests of', most: 30, windowSeconds: 3600 }

export function registerEmails(server: ApiServer): void {
  const { shop } = server
  const { db, config } = shop

  serve(server, contract.listEmailTemplates, async () => {
    const counts = await selectSentCounts(db)
    return {
      templates: KINDS.map((kind) => ({
        kind,
        subject: rendered(shop, kind, sampleOf(kind)).subject,
        lastSentAt: counts.get(kind)?.lastSentAt ?? null,
        sent: counts.get(kind)?.sent ?? 0,
      })),
    }
  })
  serve(server, contract.getEmailTemplate, async ({ params, staff }) => {
    const { kind, data, isReal } = await exampleOf(shop, params.kind)
    return { kind, subject: rendered(shop, kind, data).subject, isReal, testTo: staff.email }
  })
  serve(server, contract.previewEmailTemplate, async ({ params, reply }) => {
    const { kind, data } = await exampleOf(shop, params.kind)
    await reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('x-frame-options', 'SAMEORIGIN')
      // An email has its styles in it. Nothing in it runs, and only the office shows it.
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${new URL(config.publicUrl).origin}; frame-ancestors 'self'; sandbox allow-same-origin`,
      )
      .send(rendered(shop, kind, data).html)
    return undefined
  })
  serve(server, contract.testEmailTemplate, async ({ params, staff }) => {
    const { kind, data } = await exampleOf(shop, params.kind)
    await countOrRefuse(db, TESTS, staff.staffId, shop.now())
    await act(shop, staff, {
      kind: 'emails test',
      about: `email ${kind}`,
      what: `Sent themselves a test of “${kind}”`,
      carryOut: () =>
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data of this kind
        queueMail(db, { to: staff.email, kind, key: `office_test:${randomUUID()}`, data: data as never }),
    })
    return { to: staff.email }
  })

  const note = config.smtpUrl
    ? null
    : config.demo
      ? 'the demo sends nothing: its emails are at /dev/mail.'
      : 'nothing is sent before SMTP_URL names your mail server.'
  serve(
    server,
    contract.listUnsentEmails,
    async ({ query: { after, limit = 50, sort, part, ...filter } }) => {
      const { isDescending } = readSort(sort, 'queued', isQueued)
      const place = readPlace(after, { value: 'time', id: 'uuid' })
      const [found, totals] = await readParts(
        part,
        () => selectUnsentPage(db, filter, { isDescending, after: place, limit: limit + 1 }),
        async () => ({ total: await countUnsent(db, filter), sums: { note } }),
      )
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      return {
        rows: shown.map(({ row }) => unsent(row)),
        next: last ? writePlace({ value: last.value, id: last.row.id }) : null,
        ...totals,
      }
    },
  )
  serve(server, contract.exportUnsentEmails, async ({ query: { sort, ...filter }, ...call }) => {
    const { isDescending } = readSort(sort, 'queued', isQueued)
    return exportList(shop, call, {
      list: 'emails',
      count: await countUnsent(db, filter),
      fetchPage: (after, limit) => selectUnsentPage(db, filter, { isDescending, after, limit }),
      placeOf: ({ row: { id }, value }) => ({ value, id }),
      head: ['Email', 'To', 'Written', 'State', 'Attempts', 'Next attempt', 'Problem'],
      cells: ({ row }) => {
        const { kind, to, queuedAt, fate, attempts, nextAttemptAt, problem } = unsent(row)
        return [kind, to ?? '', queuedAt, fate, attempts, nextAttemptAt ?? '', problem ?? '']
      },
    })
  })
  serve(server, contract.getUnsentEmail, async ({ params }) => {
    const row = await mailOf(shop, params.id)
    const sent = await selectSent(db, row.id)
    const text = sent ? null : await textOfMail(shop, row)
    const mail = text && rendered(shop, text.kind, text.data)
    return {
      ...unsent(row),
      to: sent?.recipient ?? text?.to ?? null,
      subject: sent?.subject ?? mail?.subject ?? null,
      text: sent?.text ?? mail?.text ?? null,
      isRebuilt: !sent && row.recipient === '',
    }
  })
  serve(server, contract.sendEmailAgain, async ({ params, staff }) => {
    const row = await mailOf(shop, params.id)
    if (!(await textOfMail(shop, row))) throw refused(TRUE_FOR_ITS_DAY)
    const { entry } = await act(shop, staff, {
      kind: 'mails send-again',
      about: `mail ${row.key}`,
      what: isWaiting(row) ? `tried ${row.kind} at once` : `sent ${row.kind} again`,
      carryOut: () => repeatMail(shop, row),
    })
    return { entry }
  })
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const KINDS = Object.keys(TEMPLATES) as MailKind[]

const sampleOf = (kind: MailKind): object => MAIL_SAMPLES[kind].data

function rendered({ config }: Pick<Shop, 'config'>, kind: MailKind, data: object): RenderedMail {
  const mail = renderMail({ id: 'preview', kind, recipient: '', data }, config)!
  // What is hidden is readable in links, too.
  return { ...mail, text: mail.text.replaceAll(encodeURIComponent(HIDDEN), HIDDEN) }
}

/** The data of the last email of this kind, without what opens something. @throws 404 */
async function exampleOf(
  shop: Shop,
  given: string,
): Promise<{ kind: MailKind; data: object; isReal: boolean }> {
  if (!templateOf(given)) throw notFound()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
  const kind = given as MailKind
  const row = await selectNewestOfKind(shop.db, kind)
  const real = row && (await textOfMail(shop, row))
  return real
    ? { kind, data: withoutSecrets(real.data), isReal: true }
    : { kind, data: withoutSecrets(sampleOf(kind)), isReal: false }
}

async function mailOf({ db }: Shop, id: string): Promise<MailRow> {
  const row = await selectMail(db, id)
  if (!row) throw notFound()
  return row
}

const isQueued = (key: string): key is 'queued' => key === 'queued'

const FOREVER = 9999

const unsent = (row: MailRow) => {
  const isPaused = row.nextAttemptAt.getUTCFullYear() === FOREVER
  const fate =
    row.failedAt || row.sentAt ? ('failed' as const) : isPaused ? ('paused' as const) : ('waiting' as const)
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient || null,
    queuedAt: row.queuedAt.toISOString(),
    fate,
    attempts: row.attempts,
    nextAttemptAt: fate === 'waiting' ? row.nextAttemptAt.toISOString() : null,
    problem: row.problem,
  }
}
