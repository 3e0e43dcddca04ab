import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newsletterSubscribers } from '#server/db/schema/pages.ts'
import { mails } from '#server/db/schema/mails.ts'
import { TEMPLATES } from '#server/integrations/mail/kinds.ts'
import { markUndeliverable } from '#server/integrations/mail/queries.ts'
import { queueMail } from '#server/integrations/mail/queue.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let hana: StaffSession
beforeAll(async () => {
  shop = await testShop()
  hana = await signedInStaff(shop, 'owner', { name: 'Hana Brodie' })
})
afterAll(() => shop.close())

const reason = (answer: { json: () => Record<string, unknown> }) => answer.json()['hydra:description']
const queued = (key: string) => shop.db.select().from(mails).where(eq(mails.key, key))

test('OFFICE-46: every email is listed, and looks as it was last sent, without what opens something', async () => {
  const { templates } = (await hana.ask('GET', '/api/office/emails/templates')).json()
  expect(templates.map(({ kind }: { kind: string }) => kind)).toEqual(Object.keys(TEMPLATES))
  for (const { kind, subject } of templates) {
    expect(subject, kind).not.toBe('')
    expect((await hana.ask('GET', `/api/office/emails/templates/${kind}/preview`)).body, kind).toContain(
      '<h1',
    )
  }
  const one = '/api/office/emails/templates/email_change'
  expect((await hana.ask('GET', one)).json()).toMatchObject({ isReal: false, testTo: hana.email })
  await queueMail(shop.db, {
    to: 'una@example.com',
    kind: 'email_change',
    key: 'email_change:1',
    data: { firstName: 'Undine', token: 'opens-it', code: '1234-5678' },
  })
  expect((await hana.ask('GET', one)).json().isReal).toBe(true)
  const preview = await hana.ask('GET', `${one}/preview`)
  expect(preview.body).toContain('Undine')
  expect(preview.body).not.toMatch(/opens-it|1234-5678/)
  expect(preview.headers['content-security-policy']).toMatch(
    /^default-src 'none'.*frame-ancestors 'self'; sandbox/,
  )
  expect((await hana.ask('GET', '/api/office/emails/templates/constructor')).statusCode).toBe(404)
})

test('OFFICE-46: a test goes to oneself alone, is no example, and has a limit', async () => {
  const url = '/api/office/emails/templates/order_confirmed'
  expect((await hana.ask('POST', `${url}/test`)).json()).toEqual({ to: hana.email })
  const sent = await shop.db.select().from(mails).where(eq(mails.recipient, hana.email))
  expect(sent).toMatchObject([{ kind: 'order_confirmed', key: expect.stringMatching(/^office_test:/) }])
  expect((await hana.ask('GET', url)).json().isReal).toBe(false)
  const wilf = await signedInStaff(shop, 'support', { name: 'Wilf Garrity' })
  for (let count = 0; count < 30; count += 1) await wilf.ask('POST', `${url}/test`)
  expect((await wilf.ask('POST', `${url}/test`)).statusCode).toBe(429)
})

test('OFFICE-46: emails that wait are found by address, kind and state, paged without gaps and downloaded as CSV', async () => {
  for (const n of [1, 2, 3])
    await queueMail(shop.db, {
      to: `Ebb_${n}@example.com`,
      kind: 'email_in_use',
      key: `email_in_use:ebb${n}`,
      data: { email: `ebb_${n}@example.com` },
    })
  await shop.db
    .update(mails)
    .set({ failedAt: shop.now(), attempts: 9, problem: '550' })
    .where(eq(mails.key, 'email_in_use:ebb3'))
  const list = async (query: string) => (await hana.ask('GET', `/api/office/emails/unsent?${query}`)).json()
  const { total, rows } = await list('words=ebb_')
  expect(total).toBe(3)
  expect((await list('words=ebb_&fate=failed')).rows).toMatchObject([{ fate: 'failed', problem: '550' }])
  expect((await list('words=ebb_&fate=waiting&kind=email_in_use')).total).toBe(2)
  expect((await list('words=ebb_&kind=order_confirmed')).rows).toEqual([])
  const paged: unknown[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: { rows: unknown[]; next: string | null } = await list(
      `words=ebb_&sort=-queued&limit=1${after && `&after=${after}`}`,
    )
    paged.push(...page.rows)
    after = page.next
  }
  expect(paged.toReversed()).toEqual(rows)
  expect((await hana.ask('GET', '/api/office/emails/unsent?sort=to')).statusCode).toBe(400)
  const { body } = await hana.ask('GET', '/api/office/emails/unsent/export?words=ebb_&fate=failed')
  expect(body.trim().split('\n')[1]).toMatch(/^email_in_use,ebb_3@example.com,.*,failed,9,,550/i)
})

test('OFFICE-46: waiting and failed emails are listed; one is tried at once or sent again', async () => {
  await queueMail(shop.db, {
    to: 'nell@example.com',
    kind: 'email_in_use',
    key: 'email_in_use:2',
    data: { email: 'nell@example.com' },
  })
  const [waiting] = await queued('email_in_use:2')
  await shop.db
    .update(mails)
    .set({ nextAttemptAt: new Date('2100-01-01T00:00:00Z'), attempts: 2 })
    .where(eq(mails.id, waiting!.id))
  const { rows: emails } = (await hana.ask('GET', '/api/office/emails/unsent')).json()
  expect(emails.find(({ id }: { id: string }) => id === waiting!.id)).toMatchObject({
    to: 'nell@example.com',
    fate: 'waiting',
    attempts: 2,
  })
  const at = `/api/office/emails/${waiting!.id}`
  expect((await hana.ask('GET', at)).json()).toMatchObject({
    isRebuilt: false,
    text: expect.stringContaining('nell'),
  })
  const { entry } = (await hana.ask('POST', `${at}/again`)).json()
  expect(entry).toBeGreaterThan(0)
  const [tried] = await queued('email_in_use:2')
  expect(tried!.nextAttemptAt.getTime()).toBeLessThan(Date.now() + 60_000)
  await markUndeliverable(shop.db, waiting!.id, '550')
  const gone = await hana.ask('POST', `${at}/again`)
  expect([gone.statusCode, reason(gone)]).toEqual([
    422,
    'What it said was true for its day alone, so it cannot be made again.',
  ])
})

const LETTER = '# What is new\n\nA *letter*.\n\n[Browse](/browse)'
const subscribe = (...emails: string[]) =>
  shop.db.insert(newsletterSubscribers).values(emails.map((email) => ({ email, confirmedAt: shop.now() })))
const preview = async (markdown: string) => hana.ask('POST', '/api/office/newsletter/preview', { markdown })
const issues = () => shop.db.select().from(mails).where(eq(mails.kind, 'newsletter'))

test('OFFICE-47: a newsletter is looked at, tested, and sent once to each subscriber, with a link to leave', async () => {
  await subscribe('a@example.com', 'b@example.com')
  await shop.db.insert(newsletterSubscribers).values({ email: 'unconfirmed@example.com' })
  expect((await preview('No subject.')).json().violations[0].message).toContain('It begins with its subject')
  const { issue, subject, parts, sentAt } = (await preview(LETTER)).json()
  expect({ subject, parts, sentAt }).toEqual({
    subject: 'What is new',
    parts: [
      { kind: 'text', words: 'A letter.', to: null },
      { kind: 'button', words: 'Browse', to: '/browse' },
    ],
    sentAt: null,
  })
  await hana.ask('POST', '/api/office/newsletter/test', { markdown: LETTER })
  expect((await issues()).map(({ recipient }) => recipient)).toEqual([hana.email])
  const send = (markdown: string) => hana.ask('POST', '/api/office/newsletter/send', { markdown, issue })
  expect((await send(`${LETTER}\n\nMore.`)).statusCode).toBe(409)
  // Two presses at once: each address gets one.
  const both = await Promise.all([send(LETTER), send(LETTER)])
  expect(both.map((answer) => answer.json().queued).toSorted((one, two) => one - two)).toEqual([0, 2])
  await subscribe('c@example.com')
  expect((await send(LETTER)).json().queued).toBe(1)
  const rows = (await issues()).filter(({ key }) => key.startsWith(`newsletter:${issue}:`))
  expect(rows.map(({ recipient }) => recipient).toSorted()).toEqual([
    'a@example.com',
    'b@example.com',
    'c@example.com',
  ])
  expect(rows.every(({ data }) => JSON.stringify(data).includes('"token"'))).toBe(true)
  expect((await hana.ask('GET', '/api/office/newsletter')).json()).toMatchObject({
    subscribers: 3,
    issues: [{ issue, subject: 'What is new', waiting: 3, sent: 0 }],
  })
})

test('OFFICE-47: sending is undone while it waits, and the list is exported with links to leave', async () => {
  const { issue } = (await preview(`${LETTER}\n\nTwo.`)).json()
  const { entry } = (
    await hana.ask('POST', '/api/office/newsletter/send', { markdown: `${LETTER}\n\nTwo.`, issue })
  ).json()
  expect((await hana.ask('POST', `/api/office/activity/${entry}/undo`)).statusCode).toBe(200)
  expect((await hana.ask('POST', `/api/office/newsletter/${issue}/stop`)).statusCode).toBe(422)
  expect((await hana.ask('POST', '/api/office/newsletter/0000000000/stop')).statusCode).toBe(404)
  const file = await hana.ask('GET', '/api/office/newsletter/export')
  expect(file.body).toMatch(/a@example\.com,http\S+\/newsletter\/unsubscribe\//)
  const editor = await signedInStaff(shop, 'editor')
  expect((await editor.ask('GET', '/api/office/newsletter/export')).statusCode).toBe(403)
})
