import { minute } from '../settings/days.ts'
import { letterLines, linesAsRead } from './email-lines.ts'
import { changeCommand, type Group, group, showCommand } from './command-line.ts'
import { type Change, doneSoFar, rowByIdPrefix, type Shown } from './frame.ts'
import { tableOr } from '../print/table.ts'
import {
  type MailRow,
  selectMailsBy,
  selectMailsTo,
  selectSent,
  selectUnsent,
} from '../integrations/mail/queries.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../http/http-errors.ts'
import { isWaiting, repeatMail, textOfMail, TRUE_FOR_ITS_DAY } from '../features/mails/repeat.ts'
import type { Remade } from '../features/mails/membership-mails.ts'

const LISTED_AT_MOST = 200
const ID_LETTERS = 8

export const mailsCommand: Group = ({ show, change }) =>
  group('mails', [
    showCommand('waiting')
      .description('Lists emails that are still to be sent, and those that were given up')
      .action((options) => show(options, waiting)),
    showCommand('to')
      .description('Lists what the shop wrote to an address in the last 90 days')
      .argument('<address>')
      .action((address, options) => show(options, (shop) => listTo(shop, address))),
    showCommand('show')
      .description(
        'Shows the text of an email as it was sent, for 90 days; later it is written again from today’s data. Links and codes that open something are never shown',
      )
      .argument('<id>', ID)
      .action((id, options) => show(options, (shop) => showMail(shop, id))),
    changeCommand('send-again')
      .description('Sends it once more; a link in it is replaced, and the old one stops working')
      .argument('<id>', ID)
      .action((id, options) => change(options, (shop) => again(shop, id))),
  ])

const ID = 'As waiting, to and npm run orders -- show list it; the first six letters are enough'

async function waiting({ db, config }: Shop): Promise<Shown> {
  const rows = await selectUnsent(db, LISTED_AT_MOST)
  const isKept = config.demo && !config.smtpUrl
  return {
    lines: [
      ...tableOr(
        'No mail waits, and none was given up.',
        rows.map((row) => [
          row.id.slice(0, ID_LETTERS),
          minute(row.queuedAt, config.shopZone),
          row.kind,
          row.recipient || '(erased)',
          fateOf(row, config.shopZone),
        ]),
      ),
      ...(isKept ? ['The demo sends nothing: read its mails at /dev/mail.'] : []),
      ...(!isKept && !config.smtpUrl ? ['Nothing is sent before SMTP_URL names your mail server.'] : []),
    ],
    json: rows.map(({ data: _data, ...row }) => row),
  }
}

async function listTo({ db, config }: Shop, address: string): Promise<Shown> {
  const found = await selectMailsTo(db, address.trim(), LISTED_AT_MOST)
  return {
    lines: tableOr(
      `Nothing was sent to ${address} in the last 90 days, and nothing waits.`,
      found.map(({ mail, subject }) => [
        mail.id.slice(0, ID_LETTERS),
        minute(mail.queuedAt, config.shopZone),
        subject ?? mail.kind,
        fateOf(mail, config.shopZone),
      ]),
    ),
    json: found.map(({ mail: { id, kind, queuedAt, sentAt }, subject }) => ({
      id,
      kind,
      subject,
      queuedAt,
      sentAt,
    })),
  }
}

function fateOf({ sentAt, failedAt, attempts, nextAttemptAt }: MailRow, zone: string): string {
  if (sentAt) return `sent ${minute(sentAt, zone)}`
  if (failedAt) return `given up after ${attempts} tries`
  if (nextAttemptAt.getUTCFullYear() === 9999)
    return 'waits for your word since the shop was restored: npm run restore -- --mail show'
  return attempts === 0 ? 'waits' : `tried ${attempts} times, again ${minute(nextAttemptAt, zone)}`
}

const mailBy = (shop: Shop, typed: string): Promise<MailRow> =>
  rowByIdPrefix('mail', typed, (prefix) => selectMailsBy(shop.db, prefix))

async function showMail(shop: Shop, typed: string): Promise<Shown> {
  const row = await mailBy(shop, typed)
  const sent = await selectSent(shop.db, row.id)
  const text = sent ? null : await textOfMail(shop, row)
  const { data: _data, ...json } = row
  const done = await doneSoFar(shop, { about: `mail ${row.key}` })
  return {
    lines: [
      `${row.kind}, ${minute(row.queuedAt, shop.config.shopZone)}, ${fateOf(row, shop.config.shopZone)}`,
      ...(sent ? linesAsRead(sent.recipient, sent) : linesOf(text, shop)),
      ...(text && isRebuilt(row) ? [REBUILT] : []),
      ...done.lines,
    ],
    json: {
      ...json,
      recipient: sent?.recipient ?? text?.to ?? null,
      subject: sent?.subject ?? null,
      text: sent?.text ?? text?.data ?? null,
      rebuilt: !sent && isRebuilt(row),
      logbook: done.json,
    },
  }
}

const linesOf = (text: Remade | null, { config }: Shop): string[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made with the data of its kind
  text ? letterLines({ ...text, data: text.data as never }, config) : [TRUE_FOR_ITS_DAY]

const isRebuilt = ({ recipient }: MailRow): boolean => recipient === ''
const REBUILT =
  'What was sent is kept for 90 days. This text is written from today’s data, so sums and titles may differ from what they read.'

async function again(shop: Shop, typed: string): Promise<Change> {
  const row = await mailBy(shop, typed)
  const text = await textOfMail(shop, row)
  if (!text) throw refused(TRUE_FOR_ITS_DAY)
  const waits = isWaiting(row)
  return {
    about: `mail ${row.key}`,
    what: waits ? `tried ${row.kind} at once` : `sent ${row.kind} again`,
    will: [
      ...(waits
        ? ['It still waits, and is tried at once.']
        : [
            `It goes out once more${text.send ? ', with a new link; the old one opens nothing any more' : ''}.`,
          ]),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made with the data of its kind
      ...letterLines({ ...text, data: text.data as never }, shop.config),
    ],
    carryOut: async () => {
      await repeatMail(shop, row)
      return { lines: ['It is on its way.'], json: {} }
    },
  }
}
