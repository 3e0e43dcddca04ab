import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { changeCommand, type Group, group, showCommand, wholeNumber } from './command-line.ts'
import { minute } from '../settings/days.ts'
import { letterLines } from './email-lines.ts'
import { type Change, doneSoFar, type Shown } from './frame.ts'
import { counted, table, CSV_MARK, csvLine } from '../print/table.ts'
import { MAIL_QUEUED, queueMail } from '../integrations/mail/queue.ts'
import { notifyOfMail } from '../integrations/mail/queries.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../http/http-errors.ts'
import { issueOf, NOBODYS_TOKEN, type NewsletterIssue } from '../features/pages/newsletter-file.ts'
import { cancelIssue, queueIssue, selectIssues, selectSubscribers } from '../features/pages/queries.ts'

export const newsletterCommand: Group = ({ show, change }) =>
  group('newsletter', [
    changeCommand('test')
      .description('Sends the issue to one address only')
      .argument('<file>')
      .option('--to <address>', 'Where to send it')
      .action((file, options) => change(options, (shop) => test(shop, file, options.to))),
    changeCommand('send')
      .description(
        'Sends it to all confirmed subscribers, each with an unsubscribe link. If you send the same file again, only new subscribers get it',
      )
      .argument('<file>')
      .option('--per-minute <number>', 'How many emails', wholeNumber('--per-minute', 1, 10_000), 300)
      .action((file, options) => change(options, (shop) => send(shop, file, options.perMinute))),
    showCommand('log')
      .description('Lists all issues, with the numbers of sent, waiting and undeliverable emails')
      .action((options) => show(options, log)),
    changeCommand('stop')
      .description('Cancels the emails of an issue that are still waiting')
      .argument('<issue>', 'The name of the issue, which log lists')
      .action((issue, options) => change(options, (shop) => stop(shop, issue))),
    showCommand('export')
      .description(
        'Prints addresses and unsubscribe links as CSV, for another program: npm run --silent newsletter -- export > list.csv',
      )
      .action((options) => show(options, exportList)),
  ]).description(
    'A file holds Markdown. It begins with the subject as a heading (# What is new in December); below it come paragraphs, lists, quotations, headings (##) and links. A paragraph that is one link becomes a button.',
  )

async function issueIn(path: string): Promise<NewsletterIssue> {
  const markdown = await readFile(path, 'utf8').catch(() => {
    throw new BadSetting(`${path} cannot be read.`)
  })
  try {
    return issueOf(markdown)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new BadSetting(`${path}: ${error.message}`)
  }
}

const preview = (shop: Shop, { subject, parts }: NewsletterIssue, to: string): string[] =>
  letterLines({ to, kind: 'newsletter', data: { subject, parts, token: NOBODYS_TOKEN } }, shop.config)

async function test(shop: Shop, path: string, to: string | undefined): Promise<Change> {
  if (!to?.includes('@')) throw new BadSetting('Say where to send it: --to ADDRESS')
  const letter = await issueIn(path)
  return {
    about: `newsletter ${letter.issue}`,
    what: `a test of “${letter.subject}”`,
    will: [...preview(shop, letter, to), `It goes to ${to} alone.`],
    carryOut: async () => {
      const { subject, parts } = letter
      await queueMail(shop.db, {
        to,
        kind: 'newsletter',
        key: `newsletter_test:${randomUUID()}`,
        data: { subject, parts, token: NOBODYS_TOKEN },
      })
      return { lines: ['It is on its way.'], json: { issue: letter.issue } }
    },
  }
}

async function send(shop: Shop, path: string, perMinute: number): Promise<Change> {
  const { db, config } = shop
  const letter = await issueIn(path)
  const subscribers = await selectSubscribers(db)
  if (subscribers.length === 0) throw refused('Nobody has subscribed yet.')
  const before = (await selectIssues(db)).find(({ issue }) => issue === letter.issue)
  const minutes = Math.ceil(subscribers.length / perMinute)
  return {
    about: `newsletter ${letter.issue}`,
    what: `sent “${letter.subject}”`,
    will: [
      ...preview(shop, letter, 'each subscriber'),
      before
        ? `It went out on ${minute(before.queuedAt, config.shopZone)} already: only those who do not have it get it now.`
        : `It goes to ${counted(subscribers.length, 'person', 'people')}, within ${counted(minutes, 'minute')} or so, each with a link to unsubscribe.`,
      ...(config.smtpUrl ? [] : ['Nothing leaves this shop before SMTP_URL names your mail server.']),
    ],
    carryOut: async () => {
      const { subject, parts } = letter
      const queued = await queueIssue(db, letter.issue, { subject, parts }, perMinute)
      await notifyOfMail(db, MAIL_QUEUED)
      return {
        lines: [
          queued === 0
            ? 'Everybody on the list has it already, so no mail was sent.'
            : `${counted(queued, 'mail is', 'mails are')} on the way. npm run newsletter -- log says how far; npm run newsletter -- stop ${letter.issue} ends it.`,
        ],
        json: { issue: letter.issue, queued },
      }
    },
  }
}

async function log(shop: Shop): Promise<Shown> {
  const issues = await selectIssues(shop.db)
  const named = await Promise.all(
    issues.map(async (issue) => ({
      ...issue,
      done: await doneSoFar(shop, { about: `newsletter ${issue.issue}` }),
    })),
  )
  if (named.length === 0) return { lines: ['No newsletter was sent yet.'], json: [] }
  return {
    lines: [
      ...table([
        ['Issue', 'Sent on', 'Sent', 'Waiting', 'Failed'],
        ...named.map(({ issue, queuedAt, sent, waiting, failed }) => [
          issue,
          minute(queuedAt, shop.config.shopZone),
          ...[sent, waiting, failed].map(String),
        ]),
      ]),
      ...named.flatMap(({ done }) => done.lines.slice(2)),
    ],
    json: named.map(({ done, ...issue }) => ({ ...issue, logbook: done.json })),
  }
}

async function stop(shop: Shop, issue: string): Promise<Change> {
  const found = (await selectIssues(shop.db)).find((each) => each.issue === issue)
  if (!found) throw refused(`No newsletter is called ${issue}. See them: npm run newsletter -- log`)
  if (found.waiting === 0) throw refused(`Nothing of ${issue} waits any more.`)
  return {
    about: `newsletter ${issue}`,
    what: 'stopped',
    will: [`${counted(found.waiting, 'mail')} that still wait are not sent. ${found.sent} have gone out.`],
    carryOut: async () => {
      const count = await cancelIssue(shop.db, issue)
      return { lines: [`${counted(count, 'mail is', 'mails are')} not sent.`], json: { stopped: count } }
    },
  }
}

async function exportList(shop: Shop): Promise<Shown> {
  const subscribers = (await selectSubscribers(shop.db)).map(({ email, token }) => ({
    email,
    unsubscribe: `${shop.config.publicUrl}/newsletter/unsubscribe/${token}`,
  }))
  return {
    lines: [
      CSV_MARK + csvLine(['email', 'unsubscribe']).trimEnd(),
      ...subscribers.map(({ email, unsubscribe }) => csvLine([email, unsubscribe]).trimEnd()),
    ],
    json: subscribers,
  }
}
