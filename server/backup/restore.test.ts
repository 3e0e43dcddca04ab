import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { leavingAnswers } from '#server/db/schema/membership.ts'
import { bringUpToDate, connect, schemaOfRelease, selectSchema } from '#server/db/migrate.ts'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import type { Place } from '#server/db/snapshot.ts'
import { catchUpAfterRestore, onceCaughtUp } from '#server/jobs/catch-up.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { countPausedMail, releasePausedMail } from '#server/integrations/mail/queries.ts'
import { type MailTransport, sendDueMail } from '#server/integrations/mail/sender.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  type CheckoutStarted,
  comeBack,
  fillBag,
} from '#tests/support/purchases.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'
import { aBookshop, aCard, type TestCard } from '#tests/support/cards.ts'
import { testDatabase } from '#tests/support/database.ts'
import { fakePayments } from '#tests/support/fake-payments.ts'
import { anAccountOf } from '#tests/support/gifts.ts'
import { laterMigrations } from '#tests/support/migrations-folder.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { soon } from '#tests/support/wait-for.ts'
import { jsonEntry, writeArchive } from './archive.ts'
import { checkBackup, lookAt } from './check.ts'
import { makeBackup } from './create-backup.ts'
import { placeMedia } from './media.ts'
import { silently } from './progress.ts'
import { restoreBackup, type Restored } from './restore.ts'
import { selectStoredFiles } from './queries.ts'

const PASSPHRASE = 'owls at dusk'
const SOUND = Buffer.alloc(200_000, 'sound')
const SOUND_PATH = `${hashOf(SOUND).slice(0, 2)}/${hashOf(SOUND)}.mp3`
const folder = mkdtempSync(join(tmpdir(), 'murmur-backups-'))
const file = join(folder, 'shop.backup')
const payments = fakePayments()

let database: OpenDatabase
let from: Place
let before: TestShop
let book: TestBook
let card: TestCard
let giftToken: string
let friend: Buyer
let unpaid: { readonly till: CheckoutStarted; readonly buyer: Buyer }
let acknowledged: number[]

let into: Place
let restored: OpenDatabase
let after: TestShop
let what: Restored

beforeAll(async () => {
  const dataDir = join(folder, 'busy')
  database = await testDatabase()
  from = { dataDir, databaseUrl: urlOf(database) }
  before = await shopOn(database, dataDir)
  book = await anAudioBook(before, { priceMinor: 1200 })
  card = await aCard(before)
  await (await aBookshop(before)).sell(card)
  mkdirSync(dirname(join(dataDir, 'media', SOUND_PATH)), { recursive: true })
  writeFileSync(join(dataDir, 'media', SOUND_PATH), SOUND)
  await before.db.insert(mediaFiles).values({ sha256: hashOf(SOUND), extension: 'mp3', bytes: SOUND.length })

  friend = await anAccountOf(before, 'friend@post.example')
  const giver = await aBuyer(before)
  const paid = await checkOut(giver, await bagOf(giver, { giftEmail: friend.user.email }))
  payments.pay(paid.intent)
  await comeBack(giver, paid)
  const [mail] = await before.db
    .select()
    .from(mails)
    .where(sql`kind = 'gift_book'`)
  giftToken = (mail!.data as { token: string }).token
  const buyer = await aBuyer(before)
  unpaid = { buyer, till: await checkOut(buyer, await bagOf(buyer)) }

  acknowledged = await whileOthersWrite(() => make(file))
  // Only the provider knows of this payment.
  payments.pay(unpaid.till.intent)

  into = {
    dataDir: join(folder, 'elsewhere'),
    databaseUrl: await anotherDatabase('elsewhere'),
  }
  what = await restoreBackup({ file, passphrase: PASSPHRASE, into })
  restored = await openDatabase(placeOf(into))
  after = await shopOn(restored, into.dataDir)
  after.clock.set(new Date(before.clock.now().getTime() + 180_000))
})
afterAll(async () => {
  await before.close()
  await after.close()
  await restored.close()
  await database.close()
  rmSync(from.dataDir, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

test('everything acknowledged before the backup is in it, from one moment, while the shop keeps working', async () => {
  const there = await restored.db.select().from(leavingAnswers)
  const written = await before.db.select().from(leavingAnswers)
  expect(written.length).toBeGreaterThan(there.length)
  acknowledged.forEach((count, writer) => {
    const numbers = there
      .filter(({ reason }) => reason.startsWith(`${writer}:`))
      .map(({ reason }) => Number(reason.split(':')[1]))
      .toSorted((a, b) => a - b)
    expect(numbers.length).toBeGreaterThanOrEqual(count)
    // Of the concurrent writes, a prefix without gaps.
    expect(numbers).toEqual(numbers.map((_, at) => at))
  })
  expect(readFileSync(join(into.dataDir, 'media', SOUND_PATH))).toEqual(SOUND)
  expect(readdirSync(into.dataDir)).not.toContain('restoring')
  expect(readdirSync(from.dataDir)).not.toContain('snapshot')
})

test('a restored shop asks the provider first, holds its mail back, and pays and mails nothing twice', async () => {
  const sent: string[] = []
  const post: MailTransport = { send: async ({ subject }) => void sent.push(subject), close: () => {} }
  const stateOf = async (order: string) =>
    (await after.db.execute(sql`select state from orders where id = ${order}`)).rows[0]!.state
  let runs = 0
  const job = onceCaughtUp(after, { name: 'calendar', pauseMs: () => 0, run: async () => void (runs += 1) })

  const { signal } = new AbortController()
  const isAway = () => {
    throw new PaymentsUnavailable('away')
  }
  payments.onCall = isAway
  payments.listEvents = isAway
  await expect(catchUpAfterRestore(after, signal)).rejects.toThrow(PaymentsUnavailable)
  await job.run(signal)
  expect(runs).toBe(0)
  expect(await sendDueMail(after, post)).toBe(0)

  payments.onCall = () => {}
  payments.listEvents = () => fakePayments().listEvents({})
  // A user who is here now still gets their mail.
  await after.app.inject({
    method: 'POST',
    url: '/api/forgot_passwords',
    payload: { email: friend.user.email },
  })
  expect(await sendDueMail(after, post)).toBe(1)
  expect(sent).toEqual([expect.stringContaining('password')])

  expect(await stateOf(unpaid.till.order)).toBe('awaiting_payment')
  await catchUpAfterRestore(after, signal)
  expect(await stateOf(unpaid.till.order)).toBe('paid')
  await job.run(signal)
  expect(runs).toBe(1)
  const made = payments.made.size
  await catchUpAfterRestore(after, signal)
  expect(payments.made.size).toBe(made)

  // The gift's mail and a receipt come from the backup, the other receipt from the payment found just now.
  expect(await sendDueMail(after, post)).toBe(0)
  const paused = await countPausedMail(after.db)
  expect(paused).toContainEqual({ kind: 'order_confirmed', count: 2 })
  expect(paused).toContainEqual({ kind: 'gift_book', count: 1 })
  const all = paused.reduce((sum, { count }) => sum + count, 0)
  expect(await releasePausedMail(after.db)).toBe(all)
  expect(await sendDueMail(after, post)).toBe(all)
})

test('in a restored shop printed cards and waiting gifts work, and purchases get unused numbers', async () => {
  const reader = await aBuyer(after)
  const redeemed = await reader.ask('POST', '/api/audiobook-cards/redeem', { token: card.code })
  expect(redeemed.statusCode, redeemed.body).toBeLessThan(300)
  const gift = await after.app.inject({
    method: 'POST',
    url: `/api/audio_books/claim/${giftToken}`,
    headers: friend.headers,
  })
  expect(gift.json()).toMatchObject({ slug: book.slug, inLibrary: true })

  const till = await checkOut(reader, await bagOf(reader))
  payments.pay(till.intent)
  expect((await comeBack(reader, till)).json().outcome).toBe('paid')
  const newest = async (shop: TestShop) =>
    (await shop.db.execute<{ number: number }>(sql`select max(substr(number, 3)::int) as number from orders`))
      .rows[0]!.number
  expect(await newest(after)).toBeGreaterThan((await newest(before)) + 9_000)
})

test('a shop with data, a newer backup, a wrong passphrase and a bad file are refused without a trace', async () => {
  const refused = async (given: Partial<Parameters<typeof restoreBackup>[0]>, words: string | RegExp) => {
    const empty = join(folder, 'empty')
    await expect(
      restoreBackup({ file, passphrase: PASSPHRASE, into: { dataDir: empty }, ...given }),
    ).rejects.toThrow(words)
    expect(existsSync(empty) ? readdirSync(empty) : []).toEqual([])
  }
  await refused({ into }, 'The database is not empty')
  await refused({ passphrase: 'owls at dawn' }, 'BACKUP_PASSPHRASE is not the passphrase')
  await refused({ passphrase: undefined }, 'Set BACKUP_PASSPHRASE')
  const cut = join(folder, 'cut')
  writeFileSync(cut, readFileSync(file).subarray(0, -100))
  await refused({ file: cut }, 'damaged or was cut short')
  const newer = join(folder, 'newer')
  const manifest = {
    format: 1,
    madeBy: '9.9.0',
    madeAt: '2030-01-01T00:00:00.000Z',
    schema: 9e12,
    media: 'whole',
  }
  await writeArchive(newer, undefined, Readable.from([jsonEntry('murmur.json', manifest)]))
  await refused({ file: newer }, 'made by a newer Murmur (9.9.0)')
  const older = join(folder, 'older')
  const early = { ...manifest, madeBy: '0.0.1', schema: 1_795_567_166_609 }
  await writeArchive(older, undefined, Readable.from([jsonEntry('murmur.json', early)]))
  await refused({ file: older }, 'made before the first release of Murmur (0.0.1)')
  await refused({ file: join(folder, 'nowhere') }, 'nowhere cannot be read')
  const others = join(folder, 'others')
  mkdirSync(others)
  writeFileSync(join(others, 'code.key'), 'x'.repeat(64))
  await expect(restoreBackup({ file, passphrase: PASSPHRASE, into: { dataDir: others } })).rejects.toThrow(
    'code.key is the key of another shop',
  )
})

test('a backup of an earlier release is restored with its schema and migrated to this one', async () => {
  const [old, now] = [await anotherDatabase('old'), await anotherDatabase('now')]
  const client = await connect({ connectionString: old })
  await bringUpToDate(client, {})
  await client.query(
    `insert into people (first_name, last_name, name_key) values ('Ada', 'Moss', 'ada moss')`,
  )
  await client.end()
  const saved = join(folder, 'old.backup')
  await makeBackup({
    shop: { ...before.config, dataDir: join(folder, 'old'), databaseUrl: old },
    store: before.media,
    file: saved,
    media: 'list',
    now: new Date(),
  })
  const migrations = laterMigrations(
    'alter table people add column initial text; update people set initial = left(last_name, 1)',
  )
  await restoreBackup({ file: saved, into: { dataDir: join(folder, 'now'), databaseUrl: now }, migrations })
  rmSync(migrations, { recursive: true })
  const there = await connect({ connectionString: now })
  expect(await selectSchema(there)).toBeGreaterThan(schemaOfRelease())
  expect((await there.query('select last_name, initial from people')).rows).toEqual([
    { last_name: 'Moss', initial: 'M' },
  ])
  expect((await there.query('select * from restorations')).rowCount).toBe(1)
  await there.end()
})

test('a restore for another PostgreSQL major version sends waiting mail and continues the numbers', async () => {
  const databaseUrl = await anotherDatabase('same_moment')
  const dataDir = join(folder, 'same-moment')
  await restoreBackup({ file, passphrase: PASSPHRASE, into: { dataDir, databaseUrl }, isSameMoment: true })
  const there = await connect({ connectionString: databaseUrl })
  expect((await there.query('select * from restorations')).rowCount).toBe(0)
  const number = async (client: { query: typeof there.query }) =>
    Number(
      (await client.query<{ last: string }>('select last_value as last from order_numbers')).rows[0]!.last,
    )
  expect((await number(there)) - (await number(restored.pool))).toBeLessThan(-9_000)
  await there.end()
})

test('the check of a backup reports missing files and a code key that does not match', async () => {
  const good = await lookAt(restored.db, {
    ...what,
    media: new Map((await selectStoredFiles(restored.db)).map(({ path, bytes }) => [path, bytes])),
  })
  expect(good.faults).toEqual([])
  expect(good.found).toMatch(/rows, among them \d+ titles, \d+ accounts and \d+ orders/)
  const bad = await lookAt(restored.db, { ...what, keys: { ...what.keys, codeKey: 'another' } })
  expect(bad.faults).toEqual([
    expect.stringContaining('Its code key is not the one'),
    // The other titles of this test have rows but no files.
    expect.stringMatching(/^(\d) of (?!\1)\d files of sound and text are not in it/),
  ])
})

test.runIf(process.env.LONG)(
  'a backup is checked in a new embedded database, which is deleted afterwards',
  async () => {
    const { found } = await checkBackup({ file, passphrase: PASSPHRASE })
    expect(found).toContain('rows, among them')
  },
)

test('listed media are found next to the backup or in their place, and missing files are reported', async () => {
  const place = (beside: string) =>
    placeMedia({
      store: mediaFolder(join(folder, 'bare')),
      staging: join(folder, 'bare/restoring'),
      listed: { [SOUND_PATH]: { bytes: SOUND.length, sha256: hashOf(SOUND) } },
      beside,
      progress: silently,
    })
  expect(await place(join(folder, 'nowhere'))).toEqual([SOUND_PATH])
  expect(await place(join(from.dataDir, 'media'))).toEqual([])
  expect(await place(join(folder, 'nowhere'))).toEqual([])
  expect(readFileSync(join(folder, 'bare/media', SOUND_PATH))).toEqual(SOUND)
})

const make = (to: string) =>
  makeBackup({
    shop: { ...before.config, ...from },
    store: mediaFolder(from.dataDir),
    file: to,
    passphrase: PASSPHRASE,
    media: 'whole',
    now: new Date(),
  })

/** Without APP_KEYS, the keys are those of its folder. */
const shopOn = (on: OpenDatabase, dataDir: string): Promise<TestShop> =>
  testShop({
    database: on,
    env: { DEMO: '1', DATA_DIR: dataDir, APP_KEYS: '' },
    payments,
  })

const bagOf = (buyer: Buyer, more: { readonly giftEmail?: string } = {}): Promise<string> =>
  fillBag(buyer, [{ slug: book.slug, kind: 'audio_books', ...more }])

/** Runs `work` while four writers insert increasing numbers; returns how many each had written when `work` started. */
async function whileOthersWrite(work: () => Promise<unknown>): Promise<number[]> {
  const counts = [0, 0, 0, 0]
  let isOver = false
  const writers = counts.map(async (_, writer) => {
    for (let number = 0; !isOver; number++) {
      await before.db
        .insert(leavingAnswers)
        .values({ plan: 5, day: '2026-03-02', reason: `${writer}:${number}` })
      counts[writer] = number + 1
    }
  })
  await soon(() => expect(Math.min(...counts)).toBeGreaterThan(20))
  const begun = [...counts]
  await work()
  isOver = true
  await Promise.all(writers)
  return begun
}

const placeOf = ({ dataDir, databaseUrl }: Place) => ({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) })

const urlOf = ({ pool }: OpenDatabase): string => pool.options.connectionString!

async function anotherDatabase(name: string): Promise<string> {
  const [{ current }] = (
    await database.db.execute<{ current: string }>(sql`select current_database() as current`)
  ).rows as [{ current: string }]
  await database.db.execute(sql.raw(`create database ${current}_${name}`))
  return urlOf(database).replace(`/${current}?`, `/${current}_${name}?`)
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test.runIf(process.env.LONG)(
  'a killed restore leaves no shop, and the next restore creates the whole one',
  async () => {
    const dataDir = join(folder, 'killed')
    const restoring = spawn(
      process.execPath,
      ['--import', './server/db/quick-imports.ts', './tools/murmur.ts', 'restore', file],
      {
        env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', BACKUP_PASSPHRASE: PASSPHRASE },
        stdio: 'ignore',
      },
    )
    const ended = once(restoring, 'exit')
    await soon(() => expect(readdirSync(join(dataDir, 'restoring'))).toContain('postgres'))
    restoring.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    const again = await restoreBackup({ file, passphrase: PASSPHRASE, into: { dataDir } })
    expect(again.rows).toBe(what.rows)
    expect(readFileSync(join(dataDir, 'media', SOUND_PATH))).toEqual(SOUND)
  },
)
