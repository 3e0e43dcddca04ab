import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/pages.ts'
import { importContent } from '#importer/content/run.ts'
import { OwnersFolder } from '#importer/fixtures/owners-folder.ts'
import { selectSubscribers } from './queries.ts'
import { aUser } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { NEWSLETTERS } from './service.ts'

const DEMO = join(import.meta.dirname, '../../../content/demo')
const folder = new OwnersFolder()
let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
  folder
    .put(
      'pages/about.md',
      '---\ntitle: About Murmur\n---\n\n## How\n\nWe *listen* to [everything](/browse).\n',
    )
    .put(
      'faq/02-buying.md',
      '---\nname: Buying\n---\n\n## How?\n\nSo.\n\n## (unpublished) Why?\n\nLater.\n\n## When?\n\nNow.\n',
    )
    .put('faq/01-listening.md', '---\nname: Listening\n---\n\n## Where?\n\nHere.\n')
    .put('faq/03-quiet.md', '---\nname: Quiet\n---\n\n## (unpublished) Whisper?\n\nYes.\n')
  for (const name of ['membership.json', 'settings.json']) copyFileSync(join(DEMO, name), folder.folder(name))
  await importContent({ ...shop, now: shop.now }, folder.path)
})
afterAll(async () => {
  await shop.close()
  folder.remove()
})

async function get(path: string) {
  const answer = await shop.app.inject({ url: `/api/${path}` })
  return { status: answer.statusCode, body: answer.json() }
}
const subscribe = (payload: object) => shop.app.inject({ method: 'POST', url: '/api/newsletters', payload })

test('API-21 ENT-27: an info page has title and content; an unknown page is 404', async () => {
  const { status, body } = await get('info_pages/about')
  expect(status).toBe(200)
  expect(misfits(contract.getInfoPage.reply, body)).toEqual([])
  expect(body).toMatchObject({
    title: 'About Murmur',
    content: '<h2>How</h2>\n<p>We <em>listen</em> to <a href="/browse" rel="noopener">everything</a>.</p>',
  })
  expect((await get('info_pages/nothing')).status).toBe(404)
})

test('API-22 ENT-26: lists every category in order with its published questions only', async () => {
  const { body } = await get('f_a_q_categories')
  expect(misfits(contract.listFaqCategories.reply, body)).toEqual([])
  expect(
    body['hydra:member'].map(({ name, faqsPublished }: { name: string; faqsPublished: object[] }) => ({
      name,
      faqsPublished,
    })),
  ).toEqual([
    { name: 'Listening', faqsPublished: [{ question: 'Where?', answer: '<p>Here.</p>' }] },
    {
      name: 'Buying',
      faqsPublished: [
        { question: 'How?', answer: '<p>So.</p>' },
        { question: 'When?', answer: '<p>Now.</p>' },
      ],
    },
    { name: 'Quiet', faqsPublished: [] },
  ])
})

test('without membership.json the membership page shows the shop’s plans; a file with one key changes only that text', async () => {
  const own = await testShop()
  const page = async () => (await own.app.inject('/api/membership_pages')).json()['hydra:member'][0]
  expect(
    misfits(contract.listMembershipPages.reply, (await own.app.inject('/api/membership_pages')).json()),
  ).toEqual([])
  expect(await page()).toMatchObject({ joinTitle: 'Hear more, and pay less.', testimonialBlocks: [] })
  const mine = new OwnersFolder().put('membership.json', { joinTitle: 'Come aboard.' })
  const reports = await importContent({ ...own, now: own.now }, mine.path)
  expect(reports.map(({ outcome }) => outcome)).toEqual(['created'])
  own.answers.clear()
  expect(await page()).toMatchObject({ joinTitle: 'Come aboard.', freeTitle: 'Free' })
  mine.remove()
  await own.close()
})

test('API-47 ENT-31: the membership page’s first member has every text', async () => {
  const { body } = await get('membership_pages')
  expect(misfits(contract.listMembershipPages.reply, body)).toEqual([])
  const [page, ...more] = body['hydra:member']
  expect(more).toEqual([])
  const written = JSON.parse(readFileSync(join(DEMO, 'membership.json'), 'utf8'))
  expect(page).toMatchObject(written)
  for (const field of Object.keys(contract.MembershipPage.properties)) expect(page).toHaveProperty([field])
  expect(page.testimonialBlocks.length).toBeGreaterThanOrEqual(4)
})

test('API-48 ENT-23: setting 1 says whether the purchaser’s address is required, also by its name', async () => {
  for (const name of ['1', 'requiredPurchaserEmail'])
    expect((await get(`settings/${name}`)).body).toMatchObject(
      JSON.parse(readFileSync(join(DEMO, 'settings.json'), 'utf8')),
    )
  await shop.db.execute(
    sql`update content_records set content = '{"requiredPurchaserEmail": true}' where name = 'settings'`,
  )
  shop.answers.clear()
  // Without a support address, the sender of the shop's emails is used.
  expect((await get('settings/1')).body).toMatchObject({
    requiredPurchaserEmail: true,
    supportMail: 'hello@localhost',
    bookshopMail: 'hello@localhost',
    bookshopPhone: null,
    address: [],
    vatNumber: null,
  })
  expect((await get('settings/2')).status).toBe(404)
})

test('API-19: subscribes an address once, and the response never reveals whether it was known', async () => {
  const first = await subscribe({ email: 'Wren@murmur.example' })
  const second = await subscribe({ email: 'wren@MURMUR.example' })
  expect([first.statusCode, second.statusCode]).toEqual([201, 201])
  expect(Object.keys(first.json())).toEqual(Object.keys(second.json()))
  expect((await shop.db.execute(sql`select email from newsletter_subscribers`)).rows).toEqual([
    { email: 'wren@murmur.example' },
  ])
})

test('API-19: refuses an invalid address with the text of the form', async () => {
  for (const payload of [{ email: 'wren' }, { email: '' }, {}]) {
    const answer = await subscribe(payload)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().violations[0].propertyPath).toBe('email')
  }
})

test('a new subscriber must confirm first, then receives one welcome with one-click unsubscribe', async () => {
  await subscribe({ email: 'leaving@murmur.example' })
  await subscribe({ email: 'leaving@murmur.example' })
  const listed = () =>
    shop.db.execute<{ token: string }>(
      sql`select token from newsletter_subscribers where email = 'leaving@murmur.example'`,
    )
  const mailed = await shop.db.execute<{ data: { token: string } }>(
    sql`select data from mails where recipient = 'leaving@murmur.example'`,
  )
  expect(mailed.rows).toHaveLength(1)
  const { token } = (await listed()).rows[0]!
  expect(mailed.rows[0]!.data.token).toBe(token)
  expect(await recipients()).not.toContain('leaving@murmur.example')

  const confirm = () => shop.app.inject({ method: 'POST', url: `/api/newsletters/confirm/${token}` })
  expect([(await confirm()).statusCode, (await confirm()).statusCode]).toEqual([204, 204])
  expect(await recipients()).toContain('leaving@murmur.example')
  const kinds = await shop.db.execute(
    sql`select kind from mails where recipient = 'leaving@murmur.example' order by id`,
  )
  expect(new Set(kinds.rows.map(({ kind }) => kind))).toEqual(
    new Set(['newsletter_confirm', 'newsletter_welcome']),
  )
  expect(kinds.rows).toHaveLength(2)
  const press = () =>
    shop.app.inject({
      method: 'POST',
      url: `/newsletter/unsubscribe/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
  expect((await press()).statusCode).toBe(204)
  expect((await listed()).rows).toEqual([])
  expect((await press()).statusCode).toBe(204)
})

test('unsubscribing also turns the newsletter off in the account', async () => {
  const member = await aUser(shop, { newsletter: true })
  await subscribe({ email: member.email })
  const { rows } = await shop.db.execute<{ token: string }>(
    sql`select token from newsletter_subscribers where email = ${member.email}`,
  )
  const url = `/api/newsletters/unsubscribe/${rows[0]!.token}`
  for (let turn = 0; turn < 2; turn += 1)
    expect((await shop.app.inject({ method: 'POST', url })).statusCode).toBe(204)
  const left = await shop.db.execute(sql`select newsletter from users where id = ${member.id}::uuid`)
  expect(left.rows).toEqual([{ newsletter: false }])
})

test('limits the number of subscriptions from one IP address', async () => {
  const before = await shop.db.execute(sql`delete from rate_limits`)
  expect(before).toBeDefined()
  for (let n = 1; n <= NEWSLETTERS.most; n += 1)
    expect((await subscribe({ email: `reader-${n}@murmur.example` })).statusCode).toBe(201)
  const answer = await subscribe({ email: 'one-more@murmur.example' })
  expect(answer.statusCode).toBe(429)
  expect(answer.headers['retry-after']).toBeDefined()
})

test('accounts with an unconfirmed address receive no newsletter', async () => {
  const registered = await aUser(shop, { newsletter: true })
  const confirmed = await aUser(shop, { newsletter: true, confirmedAt: shop.now() })
  expect(await recipients()).toContain(confirmed.email)
  expect(await recipients()).not.toContain(registered.email)
})

const recipients = async () => (await selectSubscribers(shop.db)).map(({ email }) => email)

test('one network can subscribe twenty email addresses per hour, even with many IP addresses', async () => {
  const from = (host: number) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/newsletters',
      payload: { email: `host-${host}@murmur.example` },
      remoteAddress: `2001:db8:1:2::${host.toString(16)}`,
    })
  const answers = []
  for (let host = 1; host <= 26; host++) answers.push((await from(host)).statusCode)
  expect(answers.filter((status) => status === 201)).toHaveLength(20)
})
