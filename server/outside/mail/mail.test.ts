// On PostgreSQL too: several instances send from one queue, by locks.
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { type MailServer, mailServer } from '#tests/support/mail-server.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import type { DataOf, MailKind } from './kinds.ts'
import { smtpTransport, type MailTransport, written } from './transport.ts'
import { queueMail, type QueuedMail } from './queue.ts'
import { forgetMailsTo } from './rows.ts'
import { startJobs } from '../../jobs/start.ts'
import { sendDueMail } from './sender.ts'

let shop: TestShop
let server: MailServer
let post: MailTransport

beforeAll(async () => {
  server = await mailServer()
  shop = await testShop({ env: { SMTP_URL: server.url, PUBLIC_URL: 'https://murmur.example' } })
  post = await smtpTransport({ smtpUrl: server.url, mailFrom: shop.config.mailFrom })
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

test('a mail goes out in both forms, from the shop, and afterwards nothing of it is left but that it was', async () => {
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
  expect(await sendDueMail(shop, post)).toBe(0)
})

test('what is queued twice under one key, or in a transaction that fails, is not sent twice, or at all', async () => {
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

test('a server killed between sending and noting sends again, under the same Message-ID', async () => {
  await queueMail(shop.db, confirmation)
  // It sends, and is never heard of again.
  void sendDueMail(shop, {
    ...post,
    send: (mail) => post.send(mail).then(() => new Promise(() => undefined)),
  })
  await expect.poll(() => server.received.length).toBe(1)
  // Another instance leaves the mail alone until its time is over.
  expect(await sendDueMail(shop, post)).toBe(0)
  await again()
  expect(await sendDueMail(shop, post)).toBe(1)
  const [first, second] = server.received.map(({ headers }) => headers.get('message-id'))
  expect(first).toMatch(/^<[0-9a-f-]{36}@murmur\.example>$/)
  expect(second).toBe(first)
})

test('a mail server that is away for a while gets the mail later; a recipient it refuses is not tried again', async () => {
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

test('a mail leaves by itself as soon as it is committed', async () => {
  const stop = await startJobs(shop)
  await queueMail(shop.db, confirmation)
  await expect.poll(async () => (await rows())[0]?.sentAt).toBeTruthy()
  expect(server.received).toHaveLength(1)
  await stop()
})

test('mail that somebody subscribed to can be ended with one press, other mail cannot', async () => {
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

test('a name can neither write markup nor a header, and a comma makes no second recipient', async () => {
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

test('who is gone is written to no more, and no mail says who it was', async () => {
  await queueMail(shop.db, confirmation)
  await forgetMailsTo(shop.db, 'UNA@murmur.example')
  expect(await sendDueMail(shop, post)).toBe(0)
  expect(await rows()).toMatchObject([{ recipient: '', data: {} }])
})

test('the mailbox of the demo shows every mail and its links; any other shop has none', async () => {
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

const person = { firstName: 'Una', token: 'a-token', code: '1234-5678' }
const member = { firstName: 'Una', plan: 'Reader, by the month' }
const NEXT = { at: '2026-12-03T10:00:00.000Z', amountMinor: 800 }
const UNTIL = '2026-11-27T10:00:00.000Z'
/** What each kind needs, and what both its forms must say. */
const SAMPLES: { readonly [Kind in MailKind]: { data: DataOf<Kind>; says: readonly string[] } } = {
  gift_membership: {
    data: {
      giverName: 'Gwen Tarn',
      firstName: 'Una',
      plan: 'a year of Reader',
      months: 12,
      creditsPerMonth: 1,
      christmas: true,
      message: 'For long evenings',
      email: 'una@murmur.example',
      claimableUntil: UNTIL,
      waited: null,
      token: 'a-token',
      code: '1234-5678',
    },
    says: [
      'Merry Christmas, Una',
      'Gwen Tarn has given you a Murmur membership: a year of Reader',
      'For long evenings',
      '/get-subscription?email=una%40murmur.example',
      '1234-5678',
      'never be charged',
      '27th November 2026',
    ],
  },
  gift_membership_given: {
    data: {
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      recipient: 'Una',
      email: 'una@murmur.example',
      arrivesAt: '2026-12-24T19:00:00.000Z',
      zone: 'Pacific/Auckland',
      takeBackUntil: UNTIL,
      claimableUntil: UNTIL,
      hasAccount: false,
    },
    says: [
      '25th December 2026',
      '08:00',
      'Pacific/Auckland',
      'una@murmur.example',
      'nothing renews',
      'lapses',
      'See whether it’s been opened',
    ],
  },
  gift_membership_failed: {
    data: { giverName: 'Gwen Tarn', plan: 'a year of Reader', email: 'una@murmur.exampel', hasAccount: true },
    says: ['una@murmur.exampel', 'Nothing is lost', '/subscription-details'],
  },
  gift_membership_opened: {
    data: { giverName: 'Gwen Tarn', plan: 'a year of Reader', recipient: 'Una' },
    says: ['Una has opened your gift', 'a year of Reader'],
  },
  gift_membership_unopened: {
    data: {
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      recipient: 'Una',
      email: 'una@murmur.example',
      claimableUntil: UNTIL,
      hasAccount: true,
    },
    says: ['Una', 'Nobody has opened it yet', '27th November 2026'],
  },
  gift_membership_begun: {
    data: {
      firstName: 'Una',
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      validUntil: UNTIL,
      creditsPerMonth: 1,
      waited: true,
    },
    says: ['Gwen Tarn', 'a year of Reader', '27th November 2026', 'never be charged'],
  },
  gift_membership_withdrawn: {
    data: { plan: 'a year of Reader' },
    says: ['a year of Reader', 'returned to the giver', 'still yours'],
  },
  confirm_address: { data: person, says: ['Una', '/confirm/a-token', '1234-5678', '24 hours'] },
  reset_password: {
    data: { ...person, userId: 'u-1' },
    says: ['Una', '/reset-password/u-1?token=a-token', '1234-5678', 'one hour'],
  },
  password_changed: { data: person, says: ['has just been changed', '/forgot-password'] },
  email_change: { data: person, says: ['Una', '/confirm/a-token', '1234-5678', '24 hours'] },
  email_change_asked: { data: person, says: ['Una', '/forgot-password'] },
  email_changed: {
    data: { firstName: 'Una', token: 'a-token' },
    says: ['Una', '/confirm/undo.a-token', '7 days'],
  },
  email_in_use: {
    data: { email: 'una@murmur.example' },
    says: ['una@murmur.example', 'Nothing has changed'],
  },
  account_deleted: { data: person, says: ['deleted', '/info/support'] },
  newsletter_confirm: { data: { token: 'n-1' }, says: ['/newsletter-signup?confirm=n-1'] },
  newsletter_welcome: { data: { token: 'n-1' }, says: ['/newsletter/unsubscribe/n-1'] },
  series_confirm: { data: { token: 's-1', slug: 's', series: 'Tides' }, says: ['/series/s?confirm=s-1'] },
  series_next: { data: { series: 'Tides', title: 'Ebb', path: '/e' }, says: ['Ebb', 'belongs to Tides'] },
  order_confirmed: {
    data: {
      firstName: 'Una',
      orderNumber: 'M-100001',
      path: '/orders/o-1',
      lines: [
        { title: 'A Quiet Book', priceMinor: 1499 },
        { title: 'Nine Winters', priceMinor: 899, giftTo: 'greta@murmur.example' },
      ],
      totalMinor: 2398,
      vatMinor: 250,
      discount: { code: 'WELCOME20', savedMinor: 560, roundedPercent: 20 },
    },
    says: [
      'M-100001',
      'A Quiet Book',
      '£14.99',
      'greta@murmur.example',
      '£23.98',
      '£2.50',
      'WELCOME20 (20% off, total rounded up to a whole pound)',
      '£5.60',
      '/orders/o-1',
    ],
  },
  gift_book: {
    data: {
      giverName: 'Nell Hart',
      title: 'Nine Winters',
      kind: 'e-book',
      message: 'For the cold evenings',
      email: 'greta+1@murmur.example',
      token: 'g-1',
      code: 'ABCD-EFGH',
    },
    says: [
      'Nell Hart',
      'Nine Winters',
      'For the cold evenings',
      '/get-book?email=greta%2B1%40murmur.example',
      'token=g-1',
      'ABCD-EFGH',
    ],
  },
  title_refunded: {
    data: { firstName: 'Una', orderNumber: 'M-100001', titles: ['A Quiet Book'], amountMinor: 1499 },
    says: ['M-100001', '£14.99', 'A Quiet Book is no longer in your library', '/orders'],
  },
  gift_withdrawn: {
    data: { title: 'Nine Winters' },
    says: ['Nine Winters is no longer in your library', 'was returned to the giver', '/library'],
  },
  card_receipt: {
    data: { title: 'Nine Winters', ending: '7731', priceMinor: 1200 },
    says: ['Nine Winters', '£12.00', '7731', '/redemption'],
  },
  card_taken_back: { data: { ending: '7731' }, says: ['7731', 'no longer opens anything'] },
  outlet_statement: {
    data: {
      outlet: 'Corner House Books',
      number: 'S-1001',
      month: 'October 2026',
      cards: 43,
      soldMinor: 51_600,
      owedMinor: 20_640,
      commissionMinor: 820,
      toPayMinor: 19_820,
      dueOn: '30th November 2026',
    },
    says: ['October 2026', 'Corner House Books', '£516.00', '£206.40', '−£8.20', '£198.20', '/activation'],
  },
  card_additions: {
    data: { month: 'October 2026', titles: [{ title: 'Nine Winters', priceMinor: 1200 }] },
    says: ['October 2026', 'Nine Winters', '£12.00', '/activation'],
  },
  membership_started: {
    data: {
      ...member,
      amountMinor: 400,
      next: NEXT,
      validUntil: NEXT.at,
      creditsPerMonth: 2,
      path: '/orders/o-1',
      withdrawUntil: UNTIL,
    },
    says: [
      'Reader, by the month',
      'Two free audiobooks every month',
      '£4.00',
      'Next payment, 3rd December 2026',
      '£8.00',
      'Until 27th November 2026 you can also change your mind',
      '/orders/o-1',
    ],
  },
  trial_started: {
    data: { firstName: 'Una', endsAt: NEXT.at, amountMinor: 800, creditsPerMonth: 1 },
    says: [
      'A free audiobook every month',
      '30 days',
      'On 3rd December 2026 it becomes £8.00 a month',
      'you pay nothing',
      '/subscription-details',
    ],
  },
  trial_ending: {
    data: { ...member, endsAt: NEXT.at, amountMinor: 800, last: true },
    says: ['ends in three days', '3rd December 2026', '£8.00', 'cancel before then', '/subscription-details'],
  },
  membership_reminder: {
    data: { ...member, ...NEXT },
    says: ['renews on 3rd December 2026', '£8.00', '/subscription-details'],
  },
  audiobook_lapsing: {
    data: { firstName: 'Una', left: 1, lastDay: NEXT.at },
    says: ['still yours to choose, until 3rd December 2026', '/subscriber-selection'],
  },
  title_taken_back: {
    data: {
      firstName: 'Una',
      titles: ['Peat'],
      givenBack: { kind: 'free audiobook', lastDay: NEXT.at },
    },
    says: ['Peat is no longer in your library', 'another free audiobook, until 3rd December 2026'],
  },
  audiobook_given: {
    data: { firstName: 'Una', count: 2, lastDay: NEXT.at },
    says: ['given you 2 free audiobooks', 'Choose until 3rd December 2026', '/subscriber-selection'],
  },
  membership_renewed: {
    data: {
      ...member,
      amountMinor: 800,
      vatMinor: 133,
      validUntil: NEXT.at,
      creditsPerMonth: 2,
      next: NEXT,
      orderNumber: 'M-100001',
      path: '/orders/o-1',
    },
    says: [
      'until 3rd December 2026',
      'Two new free audiobooks are waiting for you',
      '/subscriber-selection',
      'The next payment of £8.00 is taken on 3rd December 2026',
      'Manage or cancel',
      'M-100001',
      '£8.00',
      '£1.33',
      '/orders/o-1',
    ],
  },
  payment_failed: {
    data: { ...member, amountMinor: 800, benefitsUntil: UNTIL, subscriptionId: 's-1', last: false },
    says: ['£8.00', '27th November 2026', '/payment?update-card=1&subscription=s-1', 'Your library'],
  },
  payment_needs_you: {
    data: { ...member, amountMinor: 800, benefitsUntil: UNTIL, subscriptionId: 's-1' },
    says: ['your bank', '£8.00', '/payment?update-card=1&subscription=s-1'],
  },
  card_changed: {
    data: { firstName: 'Una', paidBy: 'the card ending in 4242' },
    says: ['the card ending in 4242', '/subscription-details'],
  },
  plan_changed: {
    data: {
      firstName: 'Una',
      from: 'Reader, by the month',
      to: 'Avid Reader, by the month',
      at: null,
      amountMinor: 210,
      more: 1,
      next: NEXT,
    },
    says: [
      'Avid Reader, by the month',
      'One more free audiobook is yours to choose this month',
      '£2.10',
      'Next payment, 3rd December 2026',
    ],
  },
  membership_cancelled: {
    data: { ...member, validUntil: NEXT.at, trial: true },
    says: ['3rd December 2026', 'You won’t be charged', 'yours to keep', '/subscription-details'],
  },
  membership_resumed: {
    data: { ...member, next: NEXT, dropped: { plan: 'Supporter', at: NEXT.at } },
    says: ['£8.00', 'You’d chosen Supporter from 3rd December 2026.', 'you can choose it again'],
  },
  membership_ending: {
    data: { ...member, validUntil: UNTIL },
    says: ['27th November 2026', 'doesn’t renew by itself', '/subscription'],
  },
  membership_ended: {
    data: { ...member, unpaid: true },
    says: ['You owe us nothing', '/library', '/subscription'],
  },
  membership_refunded: {
    data: { ...member, amountMinor: 350, orderNumber: 'M-100001', ended: true },
    says: ['£3.50', 'M-100001', 'Your membership has ended', '/orders'],
  },
  membership_withdrawn: {
    data: { ...member, amountMinor: 693 },
    says: ['has ended', 'We’re sending £6.93 back', '/orders'],
  },
}

test.each(Object.entries(SAMPLES))(
  '%s says what it is about, as HTML and as text',
  (kind, { data, says }) => {
    const mail = written({ id: 'm-1', kind, recipient: 'una@murmur.example', data }, shop.config)!
    expect(mail.subject).not.toBe('')
    const shown = mail.html.replaceAll('&amp;', '&')
    for (const words of says) {
      expect(mail.text).toContain(words)
      expect(shown).toContain(words)
    }
    // Every address is a whole one: a mail has no page to be relative to.
    for (const [, href] of mail.html.matchAll(/href="([^"]*)"/g))
      expect(href).toMatch(/^https:\/\/murmur\.example/)
  },
)
