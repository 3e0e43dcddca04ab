import { randomUUID } from 'node:crypto'
import * as contract from '#contract/office/newsletter.ts'
import { act } from '../../features/activity/service.ts'
import { issueOf, NOBODYS_TOKEN, type NewsletterIssue } from '../../features/pages/newsletter-file.ts'
import { cancelIssue, queueIssue, selectIssues, selectSubscribers } from '../../features/pages/queries.ts'
import { notFound, outdated, refused, unprocessable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { notifyOfMail } from '../../integrations/mail/queries.ts'
import { MAIL_QUEUED, queueMail } from '../../integrations/mail/queue.ts'
import type { Part } from '../../integrations/mail/template.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { exportCsv } from '../csv.ts'

const PER_MINUTE = 300
const TESTS: Limit = { name: 'office newsletter tests of', most: 30, windowSeconds: 3600 }

export function registerNewsletter(server: ApiServer): void {
  const { shop } = server
  const { db, config } = shop

  serve(server, contract.getNewsletters, async ({ staff }) => {
    const [subscribers, issues] = await Promise.all([selectSubscribers(db), selectIssues(db)])
    return {
      subscribers: subscribers.length,
      issues: issues.map(({ queuedAt, ...issue }) => ({ ...issue, sentAt: queuedAt.toISOString() })),
      testTo: staff.email,
    }
  })
  serve(server, contract.previewNewsletter, async ({ body }) => {
    const { issue, subject, parts } = readIssue(body.markdown)
    const before = (await selectIssues(db)).find((each) => each.issue === issue)
    return {
      issue,
      subject,
      parts: parts.map(partReply),
      sentAt: before?.queuedAt.toISOString() ?? null,
    }
  })
  serve(server, contract.testNewsletter, async ({ body, staff }) => {
    const { issue, subject, parts } = readIssue(body.markdown)
    await countOrRefuse(db, TESTS, staff.staffId, shop.now())
    await act(shop, staff, {
      kind: 'newsletter test',
      about: `newsletter ${issue}`,
      what: `Sent themselves a test of “${subject}”`,
      carryOut: () =>
        queueMail(db, {
          to: staff.email,
          kind: 'newsletter',
          key: `newsletter_test:${randomUUID()}`,
          data: { subject, parts, token: NOBODYS_TOKEN },
        }),
    })
    return { to: staff.email }
  })
  serve(server, contract.sendNewsletter, async ({ body, staff }) => {
    const { issue, subject, parts } = readIssue(body.markdown)
    if (issue !== body.issue) throw outdated('The text changed. Look at it once more.')
    if ((await selectSubscribers(db)).length === 0) throw refused('Nobody has subscribed yet.')
    const { entry, result } = await act(shop, staff, {
      kind: 'newsletter send',
      about: `newsletter ${issue}`,
      what: `Sent “${subject}”`,
      carryOut: async () => {
        const queued = await queueIssue(db, issue, { subject, parts }, PER_MINUTE)
        await notifyOfMail(db, MAIL_QUEUED)
        return queued
      },
    })
    return { entry, queued: result }
  })
  serve(server, contract.stopNewsletter, async ({ params: { issue }, staff }) => {
    const found = (await selectIssues(db)).find((each) => each.issue === issue)
    if (!found) throw notFound()
    if (found.waiting === 0) throw refused('All of it has gone out.')
    const { result } = await act(shop, staff, {
      kind: 'newsletter stop',
      about: `newsletter ${issue}`,
      what: 'Stopped it',
      carryOut: () => cancelIssue(db, issue),
    })
    return { stopped: result }
  })
  serve(server, contract.exportSubscribers, async (call) => {
    const subscribers = await selectSubscribers(db)
    return exportCsv(shop, call, {
      list: 'newsletter',
      head: ['email', 'unsubscribe'],
      rows: subscribers.map(({ email, token }) => [
        email,
        `${config.publicUrl}/newsletter/unsubscribe/${token}`,
      ]),
    })
  })
}

function readIssue(markdown: string): NewsletterIssue {
  try {
    return issueOf(markdown)
  } catch (error) {
    if (error instanceof TypeError) throw unprocessable('markdown', error.message)
    throw error
  }
}

function partReply(part: Part): contract.NewsletterPart {
  if ('title' in part) return { kind: 'title', words: part.title, to: null }
  if ('quote' in part) return { kind: 'quote', words: part.quote, to: null }
  if ('button' in part) return { kind: 'button', words: part.button, to: part.to }
  return { kind: 'text', words: 'text' in part ? part.text : '', to: null }
}
