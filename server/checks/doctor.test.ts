import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrongPrices } from '#server/features/membership/join.ts'
import { restorations } from '#server/db/schema/jobs.ts'
import { mails } from '#server/db/schema/mails.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { infoPages } from '#server/db/schema/pages.ts'
import { storeDetails } from '#server/db/shop-queries.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { noPayments } from '#tests/support/no-provider.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { cancelMail, dropPausedMail, pauseWaitingMail } from '#server/integrations/mail/queries.ts'
import { aBuyer, checkOut, comeBack, fillBag } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { fakePayments } from '#tests/support/fake-payments.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { readConfig } from '#server/settings/config.ts'
import type { CheckedShop, Result } from './check.ts'
import { examineMachine, examineShop, findingOf, lineOf } from './doctor.ts'
import { checkBackups, checkPermissions, checkSettings, memoryOf, roomOf } from './machine.ts'
import { PAGES_BY_LAW } from './titles-and-pages.ts'

const SOUND = Buffer.from('sound')
const SHA256 = createHash('sha256').update(SOUND).digest('hex')

let shop: TestShop
let file: string
const payments = { ...fakePayments(), live: true }
const billing = fakeBilling()

beforeAll(async () => {
  shop = await testShop({
    env: { DEMO: '0', SMTP_URL: 'smtp://localhost:1' },
    payments,
  })
  file = join(shop.mediaDir, SHA256.slice(0, 2), `${SHA256}.mp3`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, SOUND)
  const book = await anAudioBook(shop, { priceMinor: 1200 })
  await shop.db.execute(sql`delete from chapters; update books set sample_id = null; delete from media_files`)
  await shop.db.update(books).set({ madeAfterPurchase: true })
  await shop.db.insert(mediaFiles).values({ sha256: SHA256, extension: 'mp3', bytes: SOUND.length })
  const buyer = await aBuyer(shop)
  const till = await checkOut(buyer, await fillBag(buyer, [{ slug: book.slug, kind: 'audio_books' }]))
  payments.pay(till.intent)
  await comeBack(buyer, till)
  await shop.db.update(mails).set({ sentAt: sql`now()` })
})
afterAll(async () => {
  await shop.close()
})

const checked = (change: Partial<CheckedShop> = {}): CheckedShop => {
  const { config, db, database, media, clock } = shop
  const given = {
    config,
    db,
    database,
    media,
    clock,
    payments,
    billing,
    now: () => new Date(),
    isDeep: false,
  }
  const all = { ...given, ...change }
  return { wrongPrices: () => wrongPrices(all), ...all }
}

const found = async (name: string, change: Partial<CheckedShop> = {}): Promise<string> => {
  for await (const finding of examineShop(checked(change)))
    if (finding.name === name) return `${finding.state}: ${finding.says}`
  throw new Error(`There is no check ${name}`)
}

const away = () => {
  throw new PaymentsUnavailable('away')
}

test('every check returns one line, and none is broken in a healthy shop', async () => {
  const lines: string[] = []
  for await (const finding of examineShop(checked({ isDeep: true }))) lines.push(lineOf(finding))
  for await (const finding of examineMachine(shop.config)) lines.push(lineOf(finding))
  expect(lines).toHaveLength(22)
  expect(lines.filter((line) => !/^(fine|look) {3,4}\S/.test(line) || line.includes('\n'))).toEqual([])
  expect(lines.filter((line) => line.startsWith('look')).map((line) => line.slice(8, 20).trim())).toEqual([
    'pages',
    'name',
    'settings',
    'backups',
  ])
})

test('a mistake in shop.json is reported with its line; without the file, the shop has no name yet', async () => {
  const config = readConfig(
    { DATA_DIR: mkdtempSync(join(tmpdir(), 'murmur-name-')), APP_KEYS: 'k'.repeat(32), DEMO: '0' },
    [],
  )
  expect(await found('name', { config })).toMatch(/^look: The shop has no name of its own yet/)
  writeFileSync(join(config.dataDir, 'shop.json'), '{\n  "name": "Harbour",\n  "jurnal": "Log"\n}')
  expect(await found('name', { config })).toBe(
    'broken: shop.json line 3: "jurnal" is not a key here; did you mean "journal"?',
  )
  writeFileSync(join(config.dataDir, 'shop.json'), '{ "name": "Harbour" }')
  expect(await found('name', { config })).toBe('fine: The shop is called Harbour.')
})

test('a check that throws is reported and does not stop the others', async () => {
  const broken = { execute: away } as unknown as CheckedShop['db']
  expect(await found('database', { db: broken })).toBe('broken: This could not be looked at: away')
  expect(await found('numbers', { db: broken })).toContain('broken')
})

test('a database without tables is reported in one sentence', async () => {
  const client = { query: async () => ({ rows: [{ exists: false }] }), release: () => undefined }
  const database = { ...shop.database, pool: { connect: async () => client } as never }
  const lines: string[] = []
  for await (const finding of examineShop(checked({ database }))) lines.push(lineOf(finding))
  expect(lines).toEqual([expect.stringMatching(/^broken +database +The database is empty: the first start/)])
})

test('sequences behind, a wrong code key and a database of another release are broken', async () => {
  expect(await found('numbers')).toMatch(/^fine/)
  await shop.db.execute(sql`select setval('order_numbers', 100001, false), setval('books_id_seq', 1, false)`)
  expect(await found('numbers')).toMatch(
    /^broken: books_id_seq, order_numbers .+ select setval\('books_id_seq', 1\), and so on/,
  )
  await shop.db.execute(sql`select setval('order_numbers', 200000), setval('books_id_seq', 100)`)
  expect(await found('numbers')).toMatch(/^fine/)

  await shop.db.execute(sql`insert into code_key (fingerprint) values ('of another') on conflict do nothing`)
  await shop.db.execute(sql`update code_key set fingerprint = 'of another'`)
  expect(await found('keys')).toMatch(/^broken: CODE_KEY is not the key/)

  const note = (at: number) =>
    shop.db.execute(
      sql`update drizzle.__drizzle_migrations set created_at = ${at} where id = (select max(id) from drizzle.__drizzle_migrations)`,
    )
  const { rows } = await shop.db.execute<{ at: string }>(
    sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`,
  )
  expect(await found('migrations')).toBe('fine: The database fits this release.')
  try {
    await note(9e12)
    expect(await found('migrations')).toMatch(/^broken: The database belongs to a newer release/)
  } finally {
    await note(Number(rows[0]!.at))
  }
})

test('a restored shop is reported until it has asked the provider for all changes', async () => {
  expect(await found('restored')).toMatch(/^fine/)
  await shop.db.insert(restorations).values({ backupMadeAt: new Date('2026-11-22T03:17:00Z') })
  expect(await found('restored')).toMatch(/^look: The shop is that of 22 November 2026/)
  await shop.db.delete(restorations)
})

test('mail that waits too long is broken; mail that was given up or waits for release is reported', async () => {
  expect(await found('mail')).toBe('fine: No email waits.')
  const queue = (key: string, more: object = {}) =>
    shop.db
      .insert(mails)
      .values({ key, kind: 'reset_password', recipient: 'una@post.example', data: {}, ...more })
  await queue('given up', { failedAt: new Date(), problem: '550' })
  expect(await found('mail')).toBe('look: 1 mail of the last week was refused for good.')
  await queue('old', { queuedAt: new Date(Date.now() - 3 * 3_600_000) })
  expect(await found('mail')).toMatch(/^broken: 1 email waits, the oldest for 3 hours/)
  await pauseWaitingMail(shop.db, [])
  expect(await found('mail')).toMatch(/^look: 1 email waits for your word/)
  await queue('new')
  expect(await found('mail')).toMatch(/^look: 1 email waits for your word/)
})

test('mail that was cancelled or dropped was not refused, so it is not reported', async () => {
  await shop.db.delete(mails)
  const queue = (key: string) =>
    shop.db.insert(mails).values({ key, kind: 'welcome', recipient: 'una@post.example', data: {} })
  await queue('cancelled')
  await cancelMail(shop.db, 'cancelled')
  await queue('paused')
  await pauseWaitingMail(shop.db, [])
  await dropPausedMail(shop.db)
  expect(await found('mail')).toBe('fine: No email waits.')
})

test('the provider: missing keys, no answer, different prices, missing events', async () => {
  expect(await found('provider')).toBe('fine: The payment provider answers.')
  expect(await found('provider', { payments: noPayments })).toMatch(/^look: Nothing can be paid for/)
  expect(await found('provider', { payments: { ...payments, live: false } })).toContain('no money moves')
  expect(await found('provider', { payments: { ...payments, listPayments: away } })).toMatch(
    /^broken: .+ does not answer/,
  )
  expect(await found('prices')).toMatch(/^fine/)
  const otherPrices = { ...billing, prices: { ...billing.prices, find: async () => new Map() } }
  expect(await found('prices', { billing: otherPrices })).toMatch(
    /^broken: Nobody can join .*npm run payments:set-up/,
  )
  expect(await found('webhooks')).toMatch(/^fine: The provider had nothing to report/)
  const listEvents: typeof payments.listEvents = async function* () {
    for (const id of ['evt_1', 'evt_2']) yield { id, type: 'x', createdAt: new Date(), subject: null }
  }
  await shop.db.execute(sql`insert into provider_events (id, type) values ('evt_1', 'x')`)
  expect(await found('webhooks', { payments: { ...payments, listEvents } })).toMatch(
    /^broken: Of the provider’s last 2 events 1 did not arrive/,
  )
})

test('a file that is missing, too short, or has other bytes in a deep check, is broken', async () => {
  expect(await found('media')).toMatch(/^fine: 1 file of/)
  writeFileSync(file, 'SOUND')
  expect(await found('media')).toMatch(/^fine/)
  expect(await found('media', { isDeep: true })).toContain(
    `for example media/${SHA256.slice(0, 2)}/${SHA256}.mp3`,
  )
  writeFileSync(file, 'so')
  expect(await found('media')).toMatch(/^broken: 1 file is missing or damaged/)
  rmSync(file)
  expect(await found('media')).toMatch(/^broken/)
})

test('differing clocks are broken; titles on sale without files, and missing pages, are reported', async () => {
  expect(await found('clock')).toBe('fine: The clocks agree.')
  expect(await found('clock', { now: () => new Date(Date.now() - 300_000) })).toMatch(
    /^broken: .+ 300 seconds apart/,
  )
  await shop.db.execute(sql`update orders set created_at = now() + interval '1 hour'`)
  expect(await found('clock')).toMatch(/^broken: This machine’s clock is behind its newest order/)
  expect(await found('on sale')).toMatch(/^fine/)
  await shop.db.update(books).set({ madeAfterPurchase: false })
  expect(await found('on sale')).toMatch(/^look: 1 title is on sale without sound or text/)
  await shop.db.update(books).set({ deliverable: false })
  expect(await found('on sale')).toMatch(/^look: 1 title has a price and is not on sale/)
  expect(await found('pages')).toMatch(/^look: The law asks for your terms/)
})

test('the doctor uses the owner’s details: the seller on receipts counts as address and VAT number', async () => {
  for (const slug of Object.keys(PAGES_BY_LAW))
    await shop.db.insert(infoPages).values({ slug, title: slug, content: '' })
  expect(await found('pages')).toMatch(/^look: Receipts lack your address/)
  const seller = { address: ['2 Quay Street', 'Whitby'], vatNumber: 'GB 1' }
  await storeDetails(shop.db, { file: { name: 'Harbour', seller }, pictures: {}, version: '1' }, new Date())
  expect(await found('pages')).toMatch(/^fine/)
})

test('checks without a database: settings, permissions, disk space, memory, backups', async () => {
  const { config } = shop
  const { state, says } = {
    state: (result: Result) => findingOf('', result).state,
    says: (result: Result) => findingOf('', result).says,
  }
  expect(says(checkSettings(config))).toContain('Set PUBLIC_URL')
  expect(says(checkSettings({ ...config, publicUrl: 'http://shop.example' }))).toContain('is not encrypted')
  expect(state(checkSettings({ ...config, publicUrl: 'https://shop.example' }))).toBe('fine')
  expect(state(roomOf(100e6, 10e9, '/shop'))).toBe('broken')
  expect(state(roomOf(1e9, 10e9, '/shop'))).toBe('look')
  expect(roomOf(9e9, 10e9, '/shop')).toEqual({ problems: [], fine: '9 GB of 10 GB are free for /shop.' })
  expect([state(memoryOf(400e6, true)), state(memoryOf(400e6, false))]).toEqual(['look', 'fine'])

  const folder = mkdtempSync(join(tmpdir(), 'murmur-doctor-'))
  const at = { ...config, dataDir: folder, backupTo: folder, demo: false }
  writeFileSync(join(folder, 'app.key'), 'k', { mode: 0o600 })
  expect(state(checkPermissions(at))).toBe('fine')
  chmodSync(join(folder, 'app.key'), 0o644)
  expect(says(checkPermissions(at))).toContain('chmod 600')

  expect(says(await checkBackups({ ...at, backupTo: undefined }))).toContain('Set BACKUP_TO')
  expect(says(await checkBackups(at))).toContain('There is no backup')
  writeFileSync(join(folder, 'murmur-2026-11-22T0317Z.backup'), '')
  const states = async (now: string, backupPassphrase?: string) =>
    state(await checkBackups({ ...at, backupPassphrase }, new Date(now)))
  expect(await states('2026-11-23T03:00:00Z', 'owls')).toBe('fine')
  expect(await states('2026-11-23T03:00:00Z')).toBe('look')
  expect(await states('2026-11-23T09:00:00Z', 'owls')).toBe('broken')
  rmSync(folder, { recursive: true })
})
