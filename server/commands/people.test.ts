import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { logbook } from '#server/db/schema/logbook.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/run-command.ts'
import { changeCommand, type Group, group } from './command-line.ts'
import { peopleCommand } from './people.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-people-'))
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(async () => {
  await shop.close()
  rmSync(folder, { recursive: true })
})

const people = (...argv: string[]) => typed(shop, peopleCommand, argv)
const WHY = ['--because', 'she called', '--yes']

test('an account is found by a part of its name or address, and shown without listening data', async () => {
  const nell = await aUser(shop, { firstName: 'Nell', lastName: 'O’Dwyer', confirmedAt: shop.now() })
  await inLibrary(shop, nell, await anAudioBook(shop, { title: 'Peat' }))
  await signedIn(shop, nell)
  for (const words of ['o’dwyer', 'nell o', nell.email.slice(2, 14).toUpperCase(), nell.id])
    expect((await people('find', words)).said, words).toContain(nell.email)
  expect((await people('find', '100%')).said).toBe('Nobody is found by “100%”.')
  const { said } = await people('show', nell.email.toUpperCase())
  for (const part of ['address confirmed', 'Membership: none; 0 free', 'on 1 device', 'purchase  Peat'])
    expect(said).toContain(part)
  const json = JSON.parse((await people('show', nell.id, '--json')).said)
  expect(json).toMatchObject({ person: { email: nell.email }, library: [{ title: 'Peat' }], logbook: [] })
  expect(JSON.stringify(json)).not.toMatch(/password|hash|heard|chapter|seconds/i)
  await expect(people('show', 'nobody@murmur.example')).rejects.toThrow(/Nobody has the account/)
})

test('a command shows what it will do, and does nothing without a reason and a confirmation', async () => {
  const user = await aUser(shop)
  const asked = ['confirm', user.email]
  const confirmed = async () =>
    (await shop.db.select({ at: users.confirmedAt }).from(users).where(eq(users.id, user.id)))[0]!.at
  await expect(people(...asked)).rejects.toThrow('Nothing was done yet. Say why')
  const unsure = await people(...asked, '--because', 'she called')
  expect(unsure).toMatchObject({ code: 1, said: expect.stringMatching(/counts as confirmed.*\n.*Add --yes/) })
  const no = await typed(shop, peopleCommand, [...asked, '--because', 'she called'], { reply: 'n' })
  expect([no.code, no.said.split('\n').at(-1)]).toEqual([1, 'Nothing was changed.'])
  const dry = JSON.parse((await people(...asked, '--because', 'x', '--json')).said)
  expect(dry).toMatchObject({ done: false, will: [expect.stringContaining(user.email)] })
  expect(await confirmed()).toBeNull()
  expect(await shop.db.$count(logbook, eq(logbook.userId, user.id))).toBe(0)

  expect((await typed(shop, peopleCommand, [...asked, '--because', 'she called'], { reply: 'y' })).code).toBe(
    0,
  )
  expect(await confirmed()).toEqual(shop.now())
  await expect(people(...asked, ...WHY, '--as', 'Ada')).rejects.toThrow(/confirmed already/)
  const entries = await shop.db.select().from(logbook).where(eq(logbook.userId, user.id)).orderBy(logbook.id)
  expect(entries).toMatchObject([
    { by: 'una', command: 'people confirm', because: 'she called', outcome: 'done' },
  ])
  expect((await people('show', user.email)).said).toContain(
    'una, people confirm: confirmed the address, because she called',
  )
})

test('a change that fails half-way is in the logbook as not finished', async () => {
  const failing = async () => ({
    ...{ will: ['It fails.'], what: 'failed', about: 'order M-1' },
    carryOut: () => Promise.reject(new Error('the provider is away')),
  })
  const command: Group = ({ change }) =>
    group('orders', [changeCommand('fail').action((options) => change(options, failing))])
  await expect(typed(shop, command, ['fail', ...WHY])).rejects.toThrow('the provider is away')
  expect(await shop.db.select().from(logbook).where(eq(logbook.about, 'order M-1'))).toMatchObject([
    { command: 'orders fail', outcome: 'failed' },
  ])
})

test('log-out ends every session at once, also in the running server', async () => {
  const user = await aUser(shop)
  const headers = await signedIn(shop, user)
  const own = async () => (await shop.app.inject({ url: '/api/libraries', headers })).statusCode
  expect(await own()).toBe(200)
  const heard = new Promise((resolve) => void shop.database.listen('session_revoked', resolve))
  expect((await people('log-out', user.email, ...WHY)).said).toContain('1 log-in ended.')
  await heard
  expect(await own()).toBe(401)
})

test('log-out makes devices remove the account’s data at next contact, like “Log out everywhere else”', async () => {
  const user = await aUser(shop)
  const { email, password } = user
  const post = (url: string, payload: object) => shop.app.inject({ method: 'POST', url, payload })
  const { refresh_token } = (await post('/api/login', { email, password })).json()
  expect((await people('log-out', email, ...WHY)).said).toContain('remove')
  expect((await post('/api/token/refresh', { refresh_token })).statusCode).toBe(410)
})

test('a note is stored in the logbook and shown with the account; it changes nothing and sends no email', async () => {
  const user = await aUser(shop)
  await expect(people('note', user.email, '--yes')).rejects.toThrow('Say why')
  await expect(people('note', 'nobody@murmur.example', ...WHY)).rejects.toThrow(/Nobody has the account/)
  const noted = await people('note', user.email, '--because', 'is deaf in one ear: write', '--yes')
  expect(noted.said).toMatch(/They never see it\.\nThe note is stored\.$/)
  expect((await people('show', user.email)).said).toContain(
    'una, people note: a note, because is deaf in one ear',
  )
  expect(await shop.db.$count(mails, eq(mails.recipient, user.email))).toBe(0)
  await people('close', user.email, ...WHY)
  const entries = await shop.db
    .select()
    .from(logbook)
    .where(eq(logbook.about, `account ${user.id}`))
  expect(JSON.stringify(entries)).not.toContain('deaf')
})

test('a mistyped address that was never confirmed is replaced, also in orders, and must be confirmed', async () => {
  const nell = await aUser(shop, { email: 'nell@murmur.exmaple' })
  await shop.db.insert(orders).values({
    userId: nell.id,
    state: 'paid',
    fingerprint: '-',
    totalMinor: 0,
    vatMinor: 0,
    beforeDiscountMinor: 0,
    buyerName: 'Nell',
    buyerEmail: 'Nell@murmur.exmaple',
    countryCode: 'GB',
  })
  const taken = await aUser(shop)
  const correct = (to: string) => people('correct-address', nell.email, to, ...WHY)
  await expect(correct('nell at home')).rejects.toThrow('is not an email address')
  await expect(correct(taken.email)).rejects.toThrow(`There is an account with ${taken.email} already.`)
  expect((await correct('nell@murmur.example')).said).toMatch(
    /asked to confirm.*[^]*The address is nell@murmur\.example now\./,
  )
  const [mail] = await shop.db.select().from(mails).where(eq(mails.recipient, 'nell@murmur.example'))
  expect(mail!.kind).toBe('confirm_address')
  const [order] = await shop.db.select().from(orders).where(eq(orders.userId, nell.id))
  expect(order!.buyerEmail).toBe('nell@murmur.example')
  const confirm = { confirmationToken: (mail!.data as { token: string }).token, password: nell.password }
  const url = '/api/user_confirmation/confirm'
  expect((await shop.app.inject({ method: 'POST', url, payload: confirm })).statusCode).toBe(200)
  expect((await people('show', 'nell@murmur.example')).said).toContain('address confirmed')
})

test('a confirmed address only changes by the link sent to the new one, and the old address is notified', async () => {
  const ida = await aUser(shop, { confirmedAt: shop.now() })
  const asked = await people('correct-address', ida.email, 'ida-new@murmur.example', ...WHY)
  expect(asked.said).toContain('An email with a link is on its way to ida-new@murmur.example.')
  expect((await people('show', ida.email)).said).toContain('Is changing to ida-new@murmur.example')
  const kindsTo = async (email: string) =>
    (await shop.db.select().from(mails).where(eq(mails.recipient, email))).map(({ kind }) => kind)
  expect(await kindsTo(ida.email)).toEqual(['email_change_asked'])
  expect(await kindsTo('ida-new@murmur.example')).toEqual(['email_change'])
})

test('a blocked account is logged out and can’t log in, even with a new password, until unblocked', async () => {
  const user = await aUser(shop, { confirmedAt: shop.now() })
  const headers = await signedIn(shop, user)
  const logIn = () =>
    shop.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: user.email, password: user.password },
    })
  const own = async () => (await shop.app.inject({ url: '/api/libraries', headers })).statusCode
  expect(await own()).toBe(200)
  expect((await people('block', user.email, ...WHY)).said).toMatch(/is blocked\. 1 log-in ended\.$/)
  await expect.poll(own).toBe(401)
  const refusedLogIn = await logIn()
  expect([refusedLogIn.statusCode, refusedLogIn.json().message]).toEqual([
    403,
    'This account is blocked. If you think that’s a mistake, please write to us.',
  ])
  expect((await people('find', user.email)).said).toContain('blocked')
  // A stranger with a wrong password learns nothing.
  const guess = { email: user.email, password: 'not the password' }
  expect((await shop.app.inject({ method: 'POST', url: '/api/login', payload: guess })).statusCode).toBe(401)
  await expect(people('block', user.email, ...WHY)).rejects.toThrow('blocked already')
  await people('unblock', user.email, ...WHY)
  expect((await logIn()).statusCode).toBe(200)
  await expect(people('unblock', user.email, ...WHY)).rejects.toThrow('isn’t blocked')
})

test('free audiobooks are given with an email, and end with the given last day', async () => {
  const user = await aUser(shop)
  const given = await people('credit', user.email, '--count', '2', '--until', '2026-04-30', ...WHY)
  expect(given.said).toContain('can choose 2 free audiobooks until 30th April 2026.')
  const rows = await shop.db.select().from(credits).where(eq(credits.userId, user.id))
  expect(rows).toMatchObject([{ usableUntil: new Date('2026-04-30T23:00:00Z') }, { subscriptionId: null }])
  expect((await people('show', user.email)).said).toContain('2 free audiobooks to choose')
  const [mail] = await shop.db.select().from(mails).where(eq(mails.recipient, user.email))
  expect(mail).toMatchObject({ kind: 'audiobook_given', data: { count: 2 } })
  await expect(people('credit', user.email, '--count', '0', ...WHY)).rejects.toThrow(/from 1 to 12/)
  await expect(people('credit', user.email, '--until', '2025-01-01', ...WHY)).rejects.toThrow(
    'That day is over.',
  )
})

test('an export is readable by its owner only; closing erases the person and reasons that mention them', async () => {
  const user = await aUser(shop, { confirmedAt: shop.now() })
  await inLibrary(shop, user, await anAudioBook(shop, { title: 'Ash' }))
  const file = join(folder, 'all.json')
  await people('export', user.email, '--to', file, '--because', 'Una Marsh asked by letter', '--yes')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    profile: { email: user.email },
    library: [{ title: 'Ash' }],
    doneByTheShop: [{ what: 'exported all that is kept' }],
  })
  await expect(people('export', user.email, '--to', file, ...WHY)).rejects.toThrow(/could not be written/)

  const closing = await people('close', user.email, ...WHY)
  expect(closing.said).toMatch(
    /1 title of theirs and all their places.*\n.*told by mail.*\nThe account is closed\./,
  )
  await expect(people('show', user.id)).rejects.toThrow(/Nobody has the account/)
  const left = await shop.db
    .select()
    .from(logbook)
    .where(eq(logbook.about, `account ${user.id}`))
  expect(left.map(({ because, userId }) => [because, userId])).toEqual([
    ['', null],
    ['', null],
    ['', null],
  ])
  expect(left.at(-1)).toMatchObject({ command: 'people close', outcome: 'done' })
  const desk = await aUser(shop, { outlet: 'Corner Books' })
  await expect(people('close', desk.email, ...WHY)).rejects.toThrow(/the desk of Corner Books/)
})
