import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobs } from '#server/db/schema/jobs.ts'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { payments, refunds } from '#server/db/schema/orders.ts'
import { runJob } from '#server/jobs/run-job.ts'
import { openLog } from '#server/log/log.ts'
import { cancelMail, insertMail } from '#server/integrations/mail/queries.ts'
import { sendDueMail } from '#server/integrations/mail/sender.ts'
import {
  aBuyer,
  checkOut,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { insertDone } from './queries.ts'
import { lastWrongPrices, type Todo, todoInWords, todoList } from './todo.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop({ log: openLog('error', { write: () => undefined }) })
})
afterAll(() => at.shop.close())

let list: () => Promise<Todo[]>
beforeEach(() => {
  list = todoList(at.shop, async () => [])
})
const kinds = async () => (await list()).map(({ kind }) => kind)

async function anOrder() {
  const buyer = await aBuyer(at.shop)
  const { eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [{ slug: eBook.slug, kind: 'e_books' }])
  return checkOut(buyer, cart)
}

test('the list is empty in a shop without problems', async () => {
  const { intent } = await anOrder()
  at.payments.pay(intent)
  await hearOf(at, intent)
  expect(await list()).toEqual([])
  expect(todoInWords([])).toBe('')
})

test('an amount mismatch is listed until all of it was refunded', async () => {
  const { intent } = await anOrder()
  at.payments.reprice(intent, 600)
  at.payments.pay(intent)
  await hearOf(at, intent)
  const [found] = await list()
  expect(found).toMatchObject({ kind: 'payment', key: `payment:${intent}` })
  expect(found!.what).toMatch(/^Somebody paid for order M-\d+, but not the sum that it costs\.$/)
  expect(todoInWords([found!])).toMatch(
    /^One thing needs you\. npm run todo says what to do:\n {2}Somebody paid/,
  )
  at.payments.giveBack(intent)
  await hearOf(at, intent)
  expect(await list()).toEqual([])
})

test('a job that failed three times in a row is listed until it succeeds', async () => {
  let fails = true
  const run = async () => {
    if (fails) throw new Error('the clerk ada@post.example is ill')
  }
  for (const sharesWork of [true, false]) {
    fails = true
    const name = sharesWork ? 'shared' : 'alone'
    const failures = async () =>
      (await at.shop.db.select().from(jobs).where(eq(jobs.name, name)))[0]?.failures ?? 0
    const once = async () => {
      at.shop.clock.advance(60)
      const before = await failures()
      const stop = await runJob(at.shop, { name, firstInMs: 0, sharesWork, pauseMs: () => 20_000, run })
      await expect.poll(failures).not.toBe(fails ? before : 1)
      await stop()
    }
    for (let round = 0; round < 2; round += 1) await once()
    expect(await kinds()).toEqual([])
    await once()
    const [found] = await list()
    expect(found).toMatchObject({ kind: 'job', key: `job:${name}` })
    expect(found!.what).toContain(
      `The job ${name} has failed 3 times in a row: Error the clerk [e-mail] is ill`,
    )
    fails = false
    await once()
    expect(await kinds()).toEqual([])
  }
})

test('a failed mail is listed, a cancelled one is not; a dismissed entry returns if it happens again', async () => {
  const mail = (key: string) => ({ key, kind: 'welcome', recipient: 'ada@post.example', data: {} })
  await insertMail(at.shop.db, mail('nobody:wants'))
  await cancelMail(at.shop.db, 'nobody:wants')
  expect(await kinds()).toEqual([])
  await at.shop.db.update(mails).set({ sentAt: new Date() })
  await insertMail(at.shop.db, {
    ...mail('lost:1'),
    kind: 'password_changed',
    data: { firstName: 'Ada' },
  })
  const refuse = () => Promise.reject(Object.assign(new Error('550 ada@post.example'), { responseCode: 550 }))
  await sendDueMail(at.shop, { send: refuse, close: () => undefined })
  const [found] = await list()
  expect(found).toMatchObject({ kind: 'mail' })
  expect(found!.what).toContain('The mail server said 550.')
  expect(JSON.stringify(found)).not.toContain('ada@')
  await insertDone(at.shop.db, found!.key, found!.since!)
  expect(await list()).toEqual([])
  await at.shop.db
    .update(mails)
    .set({ failedAt: new Date(Date.now() + 1000) })
    .where(eq(mails.key, 'lost:1'))
  expect(await kinds()).toEqual(['mail'])
  await at.shop.db.delete(mails)
})

test('a refund that stays refused, a dispute, and an order that cannot be compared are listed', async () => {
  const { order, intent } = await anOrder()
  at.payments.pay(intent)
  await hearOf(at, intent)
  const now = at.shop.clock.now()
  const refund = { reason: 'owner' as const, orderId: order, createdAt: now, updatedAt: now, nextTryAt: now }
  const [row] = await at.shop.db
    .insert(refunds)
    .values({
      ...refund,
      key: 'r',
      amountMinor: 599,
      state: 'refused',
      problem: 'charge_disputed',
      attempts: 2,
    })
    .returning()
  expect(await kinds()).toEqual([])
  await at.shop.db.update(refunds).set({ attempts: 3 }).where(eq(refunds.id, row!.id))
  expect((await list())[0]!.what).toMatch(
    /^£5\.99 of order M-\d+ could not be paid back, 3 times: charge_disputed\.$/,
  )
  await at.shop.db.update(refunds).set({ state: 'done' })

  at.payments.dispute(intent)
  await hearOf(at, intent)
  expect(await kinds()).toEqual(['dispute'])
  at.payments.closeDispute(intent, 'won')
  await hearOf(at, intent)
  expect(await kinds()).toEqual([])

  await at.shop.db
    .update(payments)
    .set({ checkFailures: 3, checkedAt: now })
    .where(eq(payments.orderId, order))
  expect(await kinds()).toEqual(['order'])
  await at.shop.db.update(payments).set({ checkFailures: 0 })
})

test('a membership is listed if the provider reports a state that cannot follow', async () => {
  const now = at.shop.clock.now()
  const { id: _, ...row } = aMembership({ userId: null, status: 'canceled', providerId: 'sub_odd' })
  await at.shop.db.insert(subscriptions).values({ ...row, contradictedBy: 'active', contradictedAt: now })
  const [found] = await list()
  expect(found).toMatchObject({ kind: 'membership', since: now })
  expect(found!.what).toBe(
    'A membership is canceled here and active at your payment provider, which contradicts it.',
  )
  expect(found!.remedy).toContain('sub_odd')
  await at.shop.db.update(subscriptions).set({ contradictedBy: null, contradictedAt: null })
  expect(await list()).toEqual([])
})

test('a wrong price at the provider is listed from the last answer, without waiting for a slow provider', async () => {
  let answer = (): Promise<Map<string, never>> => Promise.resolve(new Map<string, never>())
  const billing = { ...at.shop.billing, prices: { ...at.shop.billing.prices, find: () => answer() } }
  const asked = lastWrongPrices({ ...at.shop, billing })
  const listed = todoList(at.shop, asked)
  await listed()
  await expect.poll(async () => (await listed()).map(({ kind }) => kind)).toContain('price')
  const found = (await listed()).find(({ kind }) => kind === 'price')
  expect(found!.what).toMatch(/^Nobody can join .+, .+: the price at your payment provider is missing/)
  answer = () => new Promise(() => undefined)
  expect(await lastWrongPrices({ ...at.shop, billing })()).toEqual([])
})
