import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { auditAll } from '#server/features/audit/service.ts'
import { reconcileMemberships } from '#server/features/membership/sync-due-memberships.ts'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { sandboxControlOf } from '#server/integrations/stripe/sandbox-control.ts'
import { paymentSettings } from '#server/settings/payment-settings.ts'
import { signedIn } from '#tests/support/builders.ts'
import { type TestSandbox, testSandbox } from '#tests/support/sandbox.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { DEMO_CONTENT } from './demo-folders.ts'
import { loadAccounts } from './demo-accounts.ts'
import { enrolDemoMembers } from './demo-members.ts'

let sandbox: TestSandbox
let shop: TestShop

beforeAll(async () => {
  sandbox = await testSandbox()
  await sandbox.billing.prices.setUp(membershipPrices())
  shop = await testShop({ env: { DEMO: '1' }, payments: sandbox.payments, billing: sandbox.billing })
  await toTheSandboxsTime()
  const folder = mkdtempSync(join(tmpdir(), 'murmur-accounts-'))
  const { password, accounts } = JSON.parse(readFileSync(join(DEMO_CONTENT, 'accounts.json'), 'utf8'))
  const empty = accounts.map((account: object) => ({ ...account, library: [], listening: [], bookmarks: [] }))
  writeFileSync(join(folder, 'accounts.json'), JSON.stringify({ password, accounts: empty }))
  // Half a second past a full second, because a real start is not at a full second either.
  const begun = new Date(shop.clock.now().getTime() + 500)
  await loadAccounts({ ...shop, now: () => begun }, folder)
  rmSync(folder, { recursive: true })
  await enrolDemoMembers(shop, sandboxControl())
})
afterAll(async () => {
  await shop.close()
  await sandbox.close()
})

const sandboxControl = () => sandboxControlOf(paymentSettings(sandbox.env))!

async function toTheSandboxsTime(duration = 'PT0S') {
  const { now } = await sandbox.control('clock', { advance: duration })
  shop.clock.set(new Date(Number(now) * 1000))
}

async function member(name: string) {
  const email = `${name}@murmur.example`
  const [user] = await shop.db.select().from(users).where(eq(users.email, email))
  const row = async () =>
    (await shop.db.select().from(subscriptions).where(eq(subscriptions.userId, user!.id)))[0]!
  const { id } = await row()
  const ask = async (method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, payload?: object) => {
    const headers = await signedIn(shop, { id: user!.id, email, password: '' })
    const url = `/api/subscriptions/${id}${path}`
    const answer = await shop.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: answer.statusCode, body: answer.json() }
  }
  return { id, userId: user!.id, row, ask }
}

const MEMBERS = [
  'supporter',
  'reader',
  'avid',
  'trial',
  'lapsed',
  'gone',
  'shelf',
  'paypal',
  'joined',
  'halfoff',
  'overdue',
]
/** The past charges of each member, in pence, within the last 140 or 210 days. */
const PAST = {
  supporter: [300, 300, 300, 300, 300],
  reader: [800, 800, 800],
  avid: [12_000],
  trial: [],
  lapsed: [800, 800, 800],
  gone: [800, 800, 800, 800],
  shelf: [3000],
  paypal: [800, 800],
  joined: [800],
  halfoff: [600, 600],
  overdue: [800, 800, 800],
} as const
const boughtBy = async (userId: string) =>
  (await shop.db.select().from(orders).where(eq(orders.userId, userId)).orderBy(asc(orders.paidAt))).map(
    ({ totalMinor }) => totalMinor,
  )

test('an audit of a newly filled demo shop finds nothing', async () => {
  shop.clock.advance(20 * 60)
  const options = { signal: new AbortController().signal, paceMs: 0, secondLookMs: 0 }
  const { findings } = await auditAll(shop, options)
  await toTheSandboxsTime()
  expect(findings.map(({ key }) => key.split(':')[0])).toEqual([])
})

test('ENT-42: every membership of the demo exists at the provider with the data of its row', async () => {
  const before = new Map<string, Awaited<ReturnType<Awaited<ReturnType<typeof member>>['row']>>>()
  for (const name of [...MEMBERS, 'reader+20', 'avid+01']) before.set(name, await (await member(name)).row())
  const usable = await shop.db.$count(credits)
  await reconcileMemberships(shop)
  for (const [name, row] of before) {
    expect(row.providerId, name).toMatch(/^sub_/)
    const { checkedAt, settlement, quotedFor } = await (await member(name)).row()
    const asked = { checkedAt, settlement, quotedFor, clientSecret: null }
    expect({ name, ...(await (await member(name)).row()) }).toEqual({ name, ...row, ...asked })
  }
  for (const [name, totals] of Object.entries(PAST))
    expect({ name, totals: await boughtBy((await member(name)).userId) }).toEqual({ name, totals })
  const written = (await shop.db.select().from(mails)).map(({ kind }) => kind)
  expect(new Set(written)).toEqual(new Set(['confirm_address', 'payment_failed']))
  expect(await shop.db.$count(credits)).toBe(usable)
  expect((await (await member('halfoff')).row()).nextMinor).toBe(600)
  expect((await (await member('gone')).row()).nextMinor).toBeNull()
})

test("members are enrolled once, even if the shop lost the provider's id", async () => {
  expect(await enrolDemoMembers(shop, sandboxControl())).toBe(0)
  const { row, id } = await member('reader+19')
  const { providerId } = await row()
  await shop.db.update(subscriptions).set({ providerId: null }).where(eq(subscriptions.id, id))
  expect(await enrolDemoMembers(shop, sandboxControl())).toBe(1)
  expect((await row()).providerId).toBe(providerId)
})

test('a Reader upgrades, and another one cancels and resumes', async () => {
  const one = await member('reader+01')
  const preview = (await one.ask('POST', '/preview', { plan: 1 })).body
  expect(preview).toMatchObject({ when: 'now' })
  expect(preview.amount).toBeGreaterThan(0)
  const { amount, reckonedAt } = preview
  expect((await one.ask('PATCH', '', { plan: 1, amount, reckonedAt })).status).toBe(200)
  expect(await one.row()).toMatchObject({ plan: 1, status: 'active' })
  const other = await member('reader+02')
  expect((await other.ask('POST', '/cancel')).status).toBe(200)
  expect((await other.row()).canceledAt).not.toBeNull()
  expect((await other.ask('PATCH', '', { canceledAt: null })).status).toBe(200)
  expect(await other.row()).toMatchObject({ canceledAt: null, nextMinor: 800 })
})

test('a yearly plan upgrades with its months, a trial changes at its end, and a canceled member resumes', async () => {
  const yearly = await member('shelf')
  const quote = (await yearly.ask('POST', '/preview', { plan: 2 })).body
  expect(
    (await yearly.ask('PATCH', '', { plan: 2, amount: quote.amount, reckonedAt: quote.reckonedAt })).status,
  ).toBe(200)
  const granted = await shop.db.select().from(credits).where(eq(credits.userId, yearly.userId))
  expect(granted.length).toBeGreaterThanOrEqual(8)
  const trial = await member('trial')
  expect((await trial.ask('PATCH', '', { plan: 6 })).status).toBe(200)
  expect(await trial.row()).toMatchObject({ plan: 4, pendingPlan: 6, status: 'trialing' })
  const gone = await member('gone')
  expect((await gone.ask('PATCH', '', { canceledAt: null })).status).toBe(200)
  expect(await gone.row()).toMatchObject({ canceledAt: null, nextMinor: 800 })
})

test('after a failed payment, a new card pays the open amount and grants the month’s audiobook', async () => {
  for (const name of ['lapsed', 'overdue'] as const) {
    const { row, ask, userId } = await member(name)
    const { customer } = await sandbox.billing.subscriptions.retrieve((await row()).providerId!)
    const setUp = await sandbox.billing.setUps.create({ customer, metadata: {} }, `card of ${name}`)
    await sandbox.confirmSetUp(setUp, '5555555555554444')
    expect((await ask('PATCH', '', { paymentMethod: setUp.id })).status).toBe(200)
    expect(await row()).toMatchObject({ status: 'active', cardLast4: '4444', paymentFailedAt: null })
    expect(await boughtBy(userId)).toEqual([...PAST[name], 800])
    expect(await shop.db.$count(credits, eq(credits.userId, userId))).toBe(1)
  }
})

test('a member who joined three days ago can withdraw and gets most of the price back', async () => {
  const { ask, row } = await member('joined')
  const { withdrawal } = (await ask('GET', '/details')).body
  expect(withdrawal.amount).toBeGreaterThan(7)
  expect((await ask('POST', '/withdraw', { amount: withdrawal.amount })).status).toBe(200)
  expect(await row()).toMatchObject({ status: 'canceled' })
})

test('after a month each member was charged once, at the provider and in the shop', async () => {
  await toTheSandboxsTime('P31D')
  await reconcileMemberships(shop)
  for (const [name, totals] of [
    ['supporter', [300]],
    ['reader', [800]],
    ['halfoff', [600]],
    ['paypal', [800]],
    ['avid', []],
  ] as const) {
    const { userId, row } = await member(name)
    const bought = await boughtBy(userId)
    expect({ name, totals: bought }).toEqual({ name, totals: [...PAST[name], ...totals] })
    expect((await row()).status).toBe('active')
  }
})

test('MEMB-47: a three-month code applies to three payments of a demo member too', async () => {
  for (let month = 0; month < 2; month += 1) await toTheSandboxsTime('P31D')
  await reconcileMemberships(shop)
  expect(await boughtBy((await member('halfoff')).userId)).toEqual([600, 600, 600, 800, 800])
})
