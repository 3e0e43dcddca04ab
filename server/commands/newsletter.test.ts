import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { OwnersFolder } from '#importer/fixtures/owners-folder.ts'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/run-command.ts'
import { newsletterCommand } from './newsletter.ts'
import { newsletterFrom } from '../features/pages/newsletter-file.ts'

const folder = new OwnersFolder()
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  await shop.db.execute(sql`truncate newsletter_subscribers, mails, users cascade`)
})
afterAll(async () => {
  await shop.close()
  folder.remove()
})

const newsletter = (...argv: string[]) => typed(shop, newsletterCommand, argv)
const WHY = ['--because', 'December', '--yes']
const ISSUE = `# New in December

Three for the *long evenings*, read by [Ida](/people/ida-frost).

## Out now

- Low Water
- High Water

[See them all](/browse)
`
const file = (text = ISSUE) => folder.put('issue.md', text).folder('issue.md')
const sent = () => shop.db.select().from(mails).where(eq(mails.kind, 'newsletter')).orderBy(mails.recipient)

/** A confirmed subscriber, an unconfirmed one, an account with the newsletter switched on, and one without. */
async function aList() {
  await shop.db.execute(sql`insert into newsletter_subscribers (email, confirmed_at)
    values ('confirmed@post.example', now()), ('asked@post.example', null)`)
  const reader = await aUser(shop, { newsletter: true, confirmedAt: shop.now() })
  await aUser(shop, { newsletter: false, confirmedAt: shop.now() })
  return { reader, everybody: ['confirmed@post.example', reader.email].sort() }
}

test('Markdown becomes subject, headings, lists and buttons; unsupported Markdown is named in the error', () => {
  expect(newsletterFrom(ISSUE)).toEqual({
    subject: 'New in December',
    parts: [
      { text: 'Three for the long evenings, read by Ida (/people/ida-frost).' },
      { title: 'Out now' },
      { text: '• Low Water\n• High Water' },
      { button: 'See them all', to: '/browse' },
    ],
  })
  for (const [text, why] of [
    ['Just words.', 'begins with its subject'],
    ['# Alone', 'nothing below'],
    ['# A\n\n![cat](cat.png)', 'no pictures'],
    ['# A\n\n[x](javascript:1)', 'A link leads to https://'],
    ['# A\n\n| a |\n|---|\n| b |', 'cannot be shown in a newsletter'],
  ] as const)
    expect(() => newsletterFrom(text)).toThrow(why)
})

test('an issue is sent once to each confirmed subscriber with a personal link; the log shows progress', async () => {
  const { everybody } = await aList()
  const { said } = await newsletter('send', file(), ...WHY)
  expect(said).toContain('Three for the long evenings')
  expect(said).toContain('It goes to 2 people, within 1 minute or so')
  const first = await sent()
  expect(first.map(({ recipient }) => recipient)).toEqual(everybody)
  const tokens = first.map(({ data }) => (data as { token: string }).token)
  expect(new Set(tokens).size).toBe(2)
  // A second run sends it only to the new subscriber.
  await shop.db.execute(
    sql`update newsletter_subscribers set confirmed_at = now() where email = 'asked@post.example'`,
  )
  expect((await newsletter('send', file(), ...WHY)).said).toContain(
    'only those who do not have it get it now',
  )
  expect((await newsletter('send', file(), ...WHY)).said).toContain('Everybody on the list has it already')
  expect(await sent()).toHaveLength(3)
  expect((await newsletter('log')).said).toMatch(/ 0 +3 +0\n/)
  // The emails are spread over time, so that receipts are not delayed.
  expect(new Set((await sent()).map(({ nextAttemptAt }) => nextAttemptAt.getTime())).size).toBeGreaterThan(1)
})

test('the unsubscribe link removes the subscriber, updates the account and cancels queued issues', async () => {
  const { reader } = await aList()
  await newsletter('send', file(), ...WHY)
  const mail = (await sent()).find(({ recipient }) => recipient === reader.email)!
  const { token } = mail.data as { token: string }
  const answer = await shop.app.inject({ method: 'POST', url: `/api/newsletters/unsubscribe/${token}` })
  expect(answer.statusCode).toBe(204)
  expect((await sent()).map(({ recipient, failedAt }) => [recipient, failedAt !== null])).toContainEqual([
    '',
    true,
  ])
  const [account] = await shop.db.select().from(users).where(eq(users.email, reader.email))
  expect(account!.newsletter).toBe(false)
  expect((await newsletter('export')).said).not.toContain(reader.email)
})

test('the export contains unsubscribe links and leaves out accounts with the newsletter switched off', async () => {
  const { reader, everybody } = await aList()
  const { said } = await newsletter('export')
  for (const email of everybody)
    expect(said).toMatch(new RegExp(`${email},http://[^,]+/newsletter/unsubscribe/[0-9a-f-]{36}`))
  expect(said).not.toContain('asked@post.example')
  await shop.db.update(users).set({ newsletter: false }).where(eq(users.email, reader.email))
  expect((await newsletter('export')).said).not.toContain(reader.email)
})

test('a test is sent to one address, and an issue can be stopped', async () => {
  await aList()
  await newsletter('test', file(), '--to', 'me@post.example', ...WHY)
  expect((await sent()).map(({ recipient }) => recipient)).toEqual(['me@post.example'])
  const [, issue] = /stop ([0-9a-f]{10}) ends it/.exec((await newsletter('send', file(), ...WHY)).said)!
  expect((await newsletter('stop', issue!, ...WHY)).said).toContain('2 mails are not sent.')
  expect((await newsletter('log')).said).toMatch(/ 0 +0 +2\n/)
})
