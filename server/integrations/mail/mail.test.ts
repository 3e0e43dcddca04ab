import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mails, sentMails } from '#server/db/schema/mails.ts'
import { MAIL_SAMPLES } from './samples.ts'
import type { MailKind } from './kinds.ts'
import { type MailServer, mailServer } from '#tests/support/mail-server.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { renderMail } from './render.ts'
import { type MailTransport, sendDueMail, smtpTransport } from './sender.ts'
import { queueMail, type QueuedMail } from './queue.ts'
import { forgetMailsTo } from './queries.ts'
import { startJobs } from '../../jobs/start.ts'

let shop: TestShop
let server: MailServer
let post: MailTransport

beforeAll(async () => {
  server = await mailServer()
  shop = await testShop({ env: { SMTP_URL: server.url, PUBLIC_URL: 'https://murmur.example' } })
  post = await smtpTransport(server.url, shop.config)
})
afterEach(async () => {
  await shop.db.delete(mails)
  server.received.length = 0
  server.answerWith(250)
})
afterAll(async () => {
  post.close()
  await shop.close()
  await server.close()
})

const confirmation = {
  to: 'una@murmur.example',
  kind: 'confirm_address',
  key: 'confirm_address:1',
  data: { firstName: 'Una', token: 'a-secret-token', code: '1234-5678' },
} as const satisfies QueuedMail<'confirm_address'>

const rows = () => shop.db.select().from(mails)
const again = () => shop.db.execute(sql`update mails set next_attempt_at = now()`)

test('an email is sent as HTML and text; afterwards its text is stored without its link and code', async () => {
  await queueMail(shop.db, confirmation)
  expect(await sendDueMail(shop, post)).toBe(1)
  const [mail] = server.received
  expect(mail!.to).toEqual(['una@murmur.example'])
  expect(mail!.headers.get('from')).toBe('Murmur <hello@murmur.example>')
  expect(mail!.headers.get('subject')).toBe('Confirm your email for Murmur')
  expect(mail!.headers.get('content-type')).toContain('multipart/alternative')
  const text = mail!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(text).toContain('Confirm my email:\r\nhttps://murmur.example/confirm/a-secret-token')
  expect(text).toContain('href="https://murmur.example/confirm/a-secret-token"')
  expect(text.match(/1234-5678/g)).toHaveLength(2)
  const [row] = await rows()
  expect(row).toMatchObject({ data: {}, recipient: '', sentAt: expect.any(Date) })
  const [sent] = await shop.db.select().from(sentMails)
  expect(sent).toMatchObject({ recipient: 'una@murmur.example', subject: 'Confirm your email for Murmur' })
  expect(sent!.text).toContain('https://murmur.example/confirm/……')
  expect(sent!.text).not.toMatch(/a-secret-token|1234-5678/)
  expect(await sendDueMail(shop, post)).toBe(0)
})

test('an email is queued once per key, and not at all if its transaction fails', async () => {
  expect(await queueMail(shop.db, confirmation)).toBe(true)
  expect(await queueMail(shop.db, confirmation)).toBe(false)
  await expect(
    shop.db.transaction(async (tx) => {
      await queueMail(tx, { ...confirmation, key: 'confirm_address:2' })
      throw new Error('the rest failed')
    }),
  ).rejects.toThrow('the rest failed')
  expect(await sendDueMail(shop, post)).toBe(1)
})

test('a server killed between sending and recording sends again, with the same Message-ID', async () => {
  await queueMail(shop.db, confirmation)
  // It sends, and is killed before it can record that.
  void sendDueMail(shop, {
    ...post,
    send: (mail) => post.send(mail).then(() => new Promise(() => undefined)),
  })
  await expect.poll(() => server.received.length).toBe(1)
  // Another instance leaves the email alone until its lease ends.
  expect(await sendDueMail(shop, post)).toBe(0)
  await again()
  expect(await sendDueMail(shop, post)).toBe(1)
  const [first, second] = server.received.map(({ headers }) => headers.get('message-id'))
  expect(first).toMatch(/^<[0-9a-f-]{36}@murmur\.example>$/)
  expect(second).toBe(first)
})

test('an email is sent later if the mail server is unavailable; a refused recipient is not tried again', async () => {
  await queueMail(shop.db, confirmation)
  server.answerWith(450)
  expect(await sendDueMail(shop, post)).toBe(0)
  server.answerWith(250)
  expect(await sendDueMail(shop, post)).toBe(0)
  await again()
  expect(await sendDueMail(shop, post)).toBe(1)

  await queueMail(shop.db, { ...confirmation, key: 'confirm_address:2' })
  server.answerWith(550)
  await sendDueMail(shop, post)
  server.answerWith(250)
  await again()
  expect(await sendDueMail(shop, post)).toBe(0)
})

test('after a day without mail server, everything is sent once it is back, each email once', async () => {
  const MAILS = process.env.LONG ? 40 : 4
  for (let number = 0; number < MAILS; number++)
    await queueMail(shop.db, { ...confirmation, key: `confirm_address:${number}` })
  const gone = await smtpTransport('smtp://127.0.0.1:1', shop.config)
  /** Waits until the next email is due; returns the seconds. */
  const wait = async (): Promise<number> => {
    const { rows: next } = await shop.db.execute<{ seconds: number }>(
      sql`select extract(epoch from min(next_attempt_at) - now())::float8 as seconds from mails where sent_at is null`,
    )
    const seconds = Math.max(0, next[0]!.seconds)
    await shop.db.execute(
      sql`update mails set next_attempt_at = next_attempt_at - make_interval(secs => ${seconds})`,
    )
    return seconds
  }
  for (let waited = 0; waited < 24 * 3600; waited += await wait()) await sendDueMail(shop, gone)
  gone.close()
  // The first successful retry makes all others due, which might otherwise wait for six more hours.
  await wait()
  expect(await sendDueMail(shop, post)).toBe(MAILS)
  expect(server.received).toHaveLength(MAILS)
  expect(new Set(server.received.map(({ headers }) => headers.get('message-id'))).size).toBe(MAILS)
})

test('an email is sent as soon as it is committed', async () => {
  const stop = await startJobs(shop)
  await queueMail(shop.db, confirmation)
  await expect.poll(async () => (await rows())[0]?.sentAt).toBeTruthy()
  expect(server.received).toHaveLength(1)
  await stop()
})

test('a subscription email can be unsubscribed with one click, other emails cannot', async () => {
  await queueMail(shop.db, {
    to: 'a@b.example',
    kind: 'newsletter_welcome',
    key: 'n:1',
    data: { token: 't-1' },
  })
  await queueMail(shop.db, confirmation)
  await sendDueMail(shop, post)
  const [list, other] = server.received.map(({ headers }) => headers)
  expect(list!.get('list-unsubscribe')).toBe('<https://murmur.example/newsletter/unsubscribe/t-1>')
  expect(list!.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(other!.has('list-unsubscribe')).toBe(false)
})

test('a name can inject neither markup nor a header, and a comma adds no second recipient', async () => {
  const firstName = '<img src=x>\r\nBcc: all@murmur.example'
  await queueMail(shop.db, {
    to: 'giftee@murmur.example',
    kind: 'gift_book',
    key: 'gift:1',
    data: {
      giverName: firstName,
      title: 'A Quiet Book',
      kind: 'audiobook',
      email: 'giftee@murmur.example',
      token: 'abc',
    },
  })
  await sendDueMail(shop, post)
  const [mail] = server.received
  expect(mail!.headers.has('bcc')).toBe(false)
  expect(mail!.to).toEqual(['giftee@murmur.example'])
  expect(mail!.raw.replaceAll('=\r\n', '').split('Content-Type: text/html')[1]).not.toContain('<img')
})

test('no email is sent to a deleted account, and no row says who it was', async () => {
  await queueMail(shop.db, confirmation)
  await forgetMailsTo(shop.db, 'UNA@murmur.example')
  expect(await sendDueMail(shop, post)).toBe(0)
  expect(await rows()).toMatchObject([{ recipient: '', data: {} }])
})

test('the demo’s mailbox shows every email and its links; another shop has no mailbox', async () => {
  const demo = await testShop({ env: { DEMO: '1' }, database: shop.database })
  const orders: QueuedMail<MailKind>[] = [
    confirmation,
    {
      ...confirmation,
      kind: 'reset_password',
      key: 'reset:1',
      data: { ...confirmation.data, userId: 'u-1' },
    },
  ]
  for (const mail of orders) await queueMail(demo.db, mail)
  const [newest] = (await demo.app.inject('/dev/mail.json?to=Una@murmur.example')).json()
  expect(newest).toMatchObject({
    to: 'una@murmur.example',
    subject: expect.any(String),
    sentAt: expect.any(String),
  })
  const links = (await demo.app.inject('/dev/mail.json'))
    .json()
    .flatMap(({ links }: { links: string[] }) => links)
  expect(links).toContain('http://localhost:3000/confirm/a-secret-token')
  expect(links).toContain('http://localhost:3000/reset-password/u-1?token=a-secret-token')
  const page = await demo.app.inject('/dev/mail')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toContain('Confirm my email')
  expect((await demo.app.inject('/dev/mail.json?to=nobody@murmur.example')).json()).toEqual([])
  await demo.close()
  for (const path of ['/dev/mail', '/dev/mail.json', '/dev/clock'])
    expect((await shop.app.inject(path)).statusCode).toBe(404)
})

test.each(Object.entries(MAIL_SAMPLES))(
  '%s contains its facts, as HTML and as text',
  (kind, { data, says }) => {
    const mail = renderMail({ id: 'm-1', kind, recipient: 'una@murmur.example', data }, shop.config)!
    expect(mail.subject).not.toBe('')
    const shown = mail.html.replaceAll('&amp;', '&')
    for (const words of says) {
      expect(mail.text).toContain(words)
      expect(shown).toContain(words)
    }
    // Emails need absolute addresses, and text where pictures are blocked.
    for (const [, href] of mail.html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(href).toMatch(/^https:\/\/murmur\.example/)
  },
)

test('an email about books shows up to four of their covers, with a size, a text and a link', () => {
  const { data } = MAIL_SAMPLES.gift_book
  const htmlWith = (count: number) =>
    renderMail(
      {
        id: 'm-1',
        kind: 'gift_book',
        recipient: 'una@murmur.example',
        data: { ...data, covers: Array.from({ length: count }, () => data.covers![0]!) },
      },
      shop.config,
    )!.html
  expect(htmlWith(1)).toContain(
    '<a href="https://murmur.example/ebooks/nine-winters" style="text-decoration:none"><img src="https://murmur.example/media/covers/ab/nine-winters-330.jpg" alt="Nine Winters" width="160" height="240"',
  )
  const pictures = (html: string) => html.match(/<img [^>]*width="104" height="156"/g) ?? []
  expect([2, 7].map((count) => pictures(htmlWith(count)).length)).toEqual([2, 4])
  expect(htmlWith(0)).not.toContain('<img')
})
