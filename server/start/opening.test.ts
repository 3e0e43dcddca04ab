import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { freePort, type ServerProcess, startSources } from '#tests/support/server-process.ts'
import { openDatabase } from '../db/open.ts'
import { users } from '../db/schema/accounts.ts'
import { contentRecords, infoPages } from '../db/schema/pages.ts'
import { OwnersDetails } from '#server/settings/owners-details.ts'
import type { Payments } from '#server/integrations/stripe/provider.ts'
import { noPayments } from '#tests/support/no-provider.ts'
import { fakePayments } from '#tests/support/fake-payments.ts'
import { whatIsMissing } from './welcome.ts'

let dataDir: string
let server: ServerProcess
const env = async () => ({ DATA_DIR: dataDir, APP_KEYS: 'k'.repeat(32), PORT: await freePort() })

beforeAll(async () => {
  dataDir = await freshDataDir()
  server = await startSources({ ...(await env()), PUBLIC_URL: 'https://shop.example' })
})
afterAll(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '8.8.8.8' },
    body: JSON.stringify(body),
  })

test('a shop with a public address opens empty: no demo accounts, no mailbox, no access', async () => {
  const logIn = await post(`${server.url}/api/login`, {
    email: 'avid@murmur.example',
    password: 'murmur-demo',
  })
  expect(logIn.status).toBe(401)
  expect((await fetch(`${server.url}/dev/mail.json?to=avid@murmur.example`)).status).toBe(404)
  const books = await (await fetch(`${server.url}/api/audio_books`)).json()
  expect(books).toMatchObject({ 'hydra:totalItems': 0 })
})

test('a client that leaves a response half read does not keep the server from stopping', async () => {
  const cover = `covers/ab/${'ab'.repeat(16)}-330.webp`
  await mkdir(join(dataDir, 'media/covers/ab'), { recursive: true })
  // More than the socket buffers of both ends can hold.
  await writeFile(join(dataDir, 'media', cover), Buffer.alloc(40_000_000))
  const reader = connect(Number(new URL(server.url).port), '127.0.0.1')
  reader.on('error', () => undefined)
  await once(reader, 'connect')
  reader.write(`GET /media/${cover} HTTP/1.1\r\nHost: shop.example\r\n\r\n`)
  await once(reader, 'readable')
  await expect(server.stop()).resolves.toBeUndefined()
  reader.destroy()
})

test('a real shop does not open with the demo’s accounts in it unless its owner says so', async () => {
  const database = await openDatabase({ dataDir, log: console })
  const reader = { email: 'reader@murmur.example', firstName: 'Rosa', lastName: 'Reader', passwordHash: '-' }
  await database.db.insert(users).values(reader)
  await database.close()
  const opening = { ...(await env()), PUBLIC_URL: 'https://shop.example' }
  await expect(startSources(opening)).rejects.toThrow(/whose password everybody knows.*DEMO=1.*DEMO=0/)
  const opened = await startSources({ ...opening, DEMO: '0' })
  // Like `npm start` ending without sending a signal.
  expect(await opened.abandon()).toBe(0)
  await expect(fetch(opened.url)).rejects.toThrow()
})

test('the welcome lists what a shop still needs in plain sentences, and nothing if it is complete', async () => {
  const database = await openDatabase({ dataDir: await freshDataDir() })
  const shop = { db: database.db, now: () => new Date() } as never
  const missing = (config: object, payments: Payments) =>
    whatIsMissing({ db: database.db, config: { demo: false, ...config }, payments } as never)
  const nothing = { smtpUrl: undefined, details: new OwnersDetails(false) }
  expect((await missing(nothing, noPayments)).join('\n')).toMatch(
    /no name of its own[^]*npm run import[^]*STRIPE_SECRET_KEY[^]*SMTP_URL[^]*terms[^]*privacy notice[^]*pages\/imprint\.md/,
  )

  const details = new OwnersDetails(false)
  details.replace({ file: { name: 'Harbour Lane' }, pictures: {}, version: '1' })
  const all = { smtpUrl: 'smtp://mail.example', details }
  const payments = fakePayments()
  for (const slug of ['terms-conditions', 'terms-privacy-etc', 'imprint'])
    await database.db.insert(infoPages).values({ slug, title: slug, content: '' })
  expect((await missing(all, payments)).join('\n')).toMatch(
    /Receipts lack your address and your VAT number: npm run new-shop/,
  )
  const settings = { address: ['3 Quay Lane', 'Port Marram'], vatNumber: 'GB 000 0000 00' }
  await database.db.insert(contentRecords).values({ name: 'settings', content: settings })
  await anAudioBook(shop, { published: false })
  expect(await missing(all, payments)).toEqual([])
  await anAudioBook(shop, { chapters: [], deliverable: false, summary: 'About it.' })
  await anAudioBook(shop)
  await anEBook(shop, { madeAfterPurchase: true, summary: 'About it.' })
  expect(await missing(all, payments)).toEqual([
    '1 title has a price and is not on sale: the sound or text is missing.',
    'Of the titles on sale 2 have no cover.',
    'Of the titles on sale 1 has no summary.',
  ])
  await database.close()
})
