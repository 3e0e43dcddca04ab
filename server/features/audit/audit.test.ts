import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#server/log/log.ts'
import { todoList } from '#server/checks/todo.ts'
import { priceKeyOf } from '#server/integrations/stripe/prices.ts'
import { aBuyer, type Buyer, checkOut, fillBag, twoTitles } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { settleOrder } from '../checkout/settle-payment.ts'
import { auditAll, auditDue, openFindings } from './service.ts'

let all: MembersShop
let buyer: Buyer
let member: Member
let trial: Member
let order: string
let intent: string
let otherBook: number
/** The member's spent free audiobook and its title. */
let taken: { id: number; slug: string }

const options = { signal: new AbortController().signal, paceMs: 0, secondLookMs: 0 }
const quiet = openLog('error', { write: () => undefined })
/** The findings of an audit of all accounts, by kind. */
const found = async (): Promise<string[]> =>
  (await auditAll({ ...all.shop, log: quiet }, options)).findings.map(({ key }) => key.split(':')[0]!).sort()
const run =
  (...statements: readonly ReturnType<typeof sql>[]) =>
  async () => {
    for (const statement of statements) await all.shop.db.execute(statement)
  }

async function pay(of: Buyer): Promise<{ order: string; intent: string }> {
  const { audioBook, eBook } = await twoTitles(all.shop)
  const till = await checkOut(
    of,
    await fillBag(of, [
      { slug: audioBook.slug, kind: 'audio_books' },
      { slug: eBook.slug, kind: 'e_books' },
    ]),
  )
  await all.sandbox.confirm({ id: till.intent, clientSecret: till.clientSecret })
  return till
}

beforeAll(async () => {
  all = await membersShop()
  buyer = await aBuyer(all.shop)
  ;({ order, intent } = await pay(buyer))
  await settleOrder(all.shop, intent)
  member = await all.member(1)
  trial = await all.trial()
  taken = await anAudioBook(all.shop, { priceMinor: 1200, secondEdition: true })
  const answer = await member.ask('POST', `/api/audio_books/add-to-library/${taken.slug}`, { waiver: true })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  otherBook = (await anAudioBook(all.shop, { priceMinor: 900 })).id
  await all.pass('PT20M')
})
afterAll(() => all?.close())

test('an audit of a consistent shop finds nothing', async () => {
  expect(await found()).toEqual([])
})

interface Broken {
  readonly breaks: () => Promise<unknown>
  readonly mends: () => Promise<unknown>
  readonly finds: readonly string[]
}

/** Creates one inconsistency of each kind, as a bug would. */
const BROKEN: Readonly<Record<string, () => Broken>> = {
  'a title that nobody paid for': () => ({
    breaks: run(
      sql`insert into library_entries (user_id, book_id, source) values (${buyer.user.id}, ${otherBook}, 'purchase')`,
    ),
    mends: run(sql`delete from library_entries where book_id = ${otherBook}`),
    finds: ['library-without-order'],
  }),
  'a paid title that is not in the library': () => ({
    breaks: run(
      sql`create table kept as select * from library_entries where user_id = ${buyer.user.id} limit 1`,
      sql`delete from library_entries where id in (select id from kept)`,
    ),
    mends: run(sql`insert into library_entries select * from kept`, sql`drop table kept`),
    finds: ['order-not-delivered'],
  }),
  'lines that do not add up': () => ({
    breaks: run(
      sql`update order_lines set price_minor = price_minor + 1 where order_id = ${order} and position = 0`,
    ),
    mends: run(
      sql`update order_lines set price_minor = price_minor - 1 where order_id = ${order} and position = 0`,
    ),
    finds: ['order-sum'],
  }),
  'an order that lost its payment': () => ({
    breaks: run(sql`update payments set intent_id = null where order_id = ${order}`),
    mends: run(sql`update payments set intent_id = ${intent} where order_id = ${order}`),
    finds: ['order-without-payment'],
  }),
  'a refund that the order does not say': () => ({
    breaks: run(sql`insert into refunds (reason, key, order_id, amount_minor, state, created_at, updated_at)
      values ('owner', 'broken', ${order}, 100, 'done', '2020-01-01', '2020-01-01')`),
    mends: run(sql`delete from refunds where key = 'broken'`),
    finds: ['refund-unrecorded'],
  }),
  'a free audiobook that brought nothing': () => ({
    breaks: run(sql`update credits set spent_at = now(), book_id = ${otherBook}
      where id = (select id from credits where user_id = ${member.user.id} and spent_at is null limit 1)`),
    mends: run(sql`update credits set spent_at = null, book_id = null where book_id = ${otherBook}`),
    finds: ['audiobook-spent-for-nothing'],
  }),
  'a title chosen for nothing': () => ({
    breaks: run(sql`update credits set spent_at = null where book_id = ${taken.id}`),
    mends: run(sql`update credits set spent_at = now() where book_id = ${taken.id}`),
    finds: ['audiobook-not-spent'],
  }),
  'a month that brought too few free audiobooks': () => ({
    breaks: run(
      sql`create table kept as select * from credits where user_id = ${member.user.id} and spent_at is null limit 1`,
      sql`delete from credits where id in (select id from kept)`,
    ),
    mends: run(sql`insert into credits select * from kept`, sql`drop table kept`),
    finds: ['audiobooks-of-month'],
  }),
  'a trial that was not noted': () => ({
    breaks: run(
      sql`create table kept as select * from trials where subscription_id = ${trial.id}`,
      sql`delete from trials where subscription_id = ${trial.id}`,
    ),
    mends: run(sql`insert into trials select * from kept`, sql`drop table kept`),
    finds: ['trial-unrecorded'],
  }),
  'another sum than the provider took': () => ({
    breaks: run(
      sql`update orders set total_minor = total_minor + 100 where id = ${order}`,
      sql`update order_lines set price_minor = price_minor + 100 where order_id = ${order} and position = 0`,
    ),
    mends: run(
      sql`update order_lines set price_minor = price_minor - 100 where order_id = ${order} and position = 0`,
      sql`update orders set total_minor = total_minor - 100 where id = ${order}`,
    ),
    finds: ['payment-sum'],
  }),
  'a payment that the provider does not know': () => ({
    breaks: run(sql`update payments set intent_id = 'pi_unknown' where order_id = ${order}`),
    mends: run(sql`update payments set intent_id = ${intent} where order_id = ${order}`),
    finds: ['payment-unknown'],
  }),
  'a payment that was never paid': () => ({
    async breaks() {
      const unpaid = await all.sandbox.payments.createPayment(
        { amountMinor: 1799, metadata: {} },
        'never-paid',
      )
      await run(sql`update payments set intent_id = ${unpaid.id} where order_id = ${order}`)()
    },
    mends: run(sql`update payments set intent_id = ${intent} where order_id = ${order}`),
    finds: ['payment-not-paid'],
  }),
  'money that went back at the provider': () => ({
    breaks: () => all.sandbox.payments.refundPayment(intent, { amountMinor: 100 }, 'by-hand'),
    mends: () => settleOrder(all.shop, intent),
    finds: ['payment-refunded'],
  }),
  'a payment of which nobody heard': () => {
    let paid = ''
    return {
      async breaks() {
        ;({ intent: paid } = await pay(await aBuyer(all.shop)))
        await all.pass('PT20M')
      },
      mends: () => settleOrder(all.shop, paid),
      finds: ['payment-without-order'],
    }
  },
  'a membership in another state': () => ({
    breaks: run(sql`update subscriptions set status = 'past_due' where id = ${member.id}`),
    mends: run(sql`update subscriptions set status = 'active' where id = ${member.id}`),
    finds: ['membership-state'],
  }),
  'a membership with another plan': () => ({
    breaks: run(sql`update subscriptions set plan = 2 where id = ${member.id}`),
    mends: run(sql`update subscriptions set plan = 1 where id = ${member.id}`),
    finds: ['membership-plan'],
  }),
  'a charge that no order is of': () => ({
    breaks:
      run(sql`with gone as (delete from subscription_invoices where subscription_id = ${member.id} returning order_id)
      delete from orders where id in (select order_id from gone)`),
    mends: () => member.settle(),
    finds: ['charge-without-order'],
  }),
  'another sum than was charged': () => ({
    breaks: run(
      sql`update orders set total_minor = total_minor + 100 where id = (select order_id from subscription_invoices where subscription_id = ${member.id})`,
      sql`update order_lines set price_minor = price_minor + 100 where order_id = (select order_id from subscription_invoices where subscription_id = ${member.id})`,
    ),
    mends: run(
      sql`update order_lines set price_minor = price_minor - 100 where order_id = (select order_id from subscription_invoices where subscription_id = ${member.id})`,
      sql`update orders set total_minor = total_minor - 100 where id = (select order_id from subscription_invoices where subscription_id = ${member.id})`,
    ),
    finds: ['charge-sum'],
  }),
  'an order of an invoice that nobody knows': () => ({
    breaks: run(
      sql`create table kept as select invoice_id from subscription_invoices where subscription_id = ${member.id}`,
      sql`update subscription_invoices set invoice_id = 'in_unknown' where subscription_id = ${member.id}`,
    ),
    mends: run(
      sql`update subscription_invoices set invoice_id = (select invoice_id from kept) where subscription_id = ${member.id}`,
      sql`drop table kept`,
    ),
    finds: ['charge-without-order', 'order-without-charge'],
  }),
  'a membership that runs at the provider alone': () => {
    let beside = ''
    return {
      async breaks() {
        const { customer, method } = await all.sandbox.billing.subscriptions.retrieve(
          await member.providerId(),
        )
        const made = { customer, price: priceKeyOf(4), method: method!.id, metadata: {} }
        beside = (await all.sandbox.billing.subscriptions.create(made, 'beside')).id
      },
      mends: () => all.sandbox.billing.subscriptions.end(beside),
      finds: ['membership-unknown-here'],
    }
  },
  'a membership that the provider does not know': () => {
    let known = ''
    return {
      async breaks() {
        known = await member.providerId()
        await run(sql`update subscriptions set provider_id = 'sub_unknown' where id = ${member.id}`)()
      },
      mends: () => run(sql`update subscriptions set provider_id = ${known} where id = ${member.id}`)(),
      finds: ['membership-unknown-here', 'membership-unknown-there'],
    }
  },
}

test.each(Object.keys(BROKEN))('finds %s, and nothing else, until it is mended', async (name) => {
  const { breaks, mends, finds } = BROKEN[name]!()
  await breaks()
  expect(await found()).toEqual(finds)
  const listed = await todoList(all.shop, async () => [])()
  const items = listed.filter(({ kind }) => kind === 'audit')
  expect(items.map(({ key }) => key.split(':')[1]!).sort()).toEqual(finds)
  for (const { what, remedy } of items) {
    expect(what).toMatch(/\.$/)
    expect(remedy).toMatch(
      / npm run audit checks again at once; this leaves the list when everything agrees\.$/,
    )
  }
  await mends()
  expect(await found()).toEqual([])
  expect((await todoList(all.shop, async () => [])()).filter(({ kind }) => kind === 'audit')).toEqual([])
})

/** A gift that a guest paid for: its order has no account. */
async function aGuestsGift(): Promise<{ order: string; intent: string }> {
  const answer = await all.shop.app.inject({
    method: 'POST',
    url: '/api/subscriptions/give',
    payload: {
      giver: { firstName: 'Gus', lastName: 'Guest', email: `guest-${randomUUID()}@murmur.example` },
      plan: 5,
      giftKey: randomUUID(),
      giftEmail: `friend-${randomUUID()}@murmur.example`,
      startNow: true,
    },
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const { id, paymentIntent: clientSecret } = answer.json()
  const paid = { order: id, intent: clientSecret.split('_secret_')[0] }
  await all.sandbox.confirm({ id: paid.intent, clientSecret })
  return paid
}

test('audits the lines, payment and refunds of an order without an account too', async () => {
  const { order: guests, intent: paid } = await aGuestsGift()
  await settleOrder(all.shop, paid)
  await all.pass('PT20M')
  const { orders, findings } = await auditAll(all.shop, options)
  expect([orders, findings]).toEqual([1, []])
  const of = (key: string) => [{ key, userId: null, orderId: guests }]
  const breaks: readonly [change: ReturnType<typeof sql>, mend: ReturnType<typeof sql>, kind: string][] = [
    [
      sql`update orders set total_minor = total_minor + 100 where id = ${guests}`,
      sql`update orders set total_minor = total_minor - 100 where id = ${guests}`,
      'order-sum payment-sum',
    ],
    [
      sql`create table kept as select id, membership_gift_id from order_lines where order_id = ${guests}`,
      sql`update order_lines i set membership_gift_id = k.membership_gift_id from kept k where k.id = i.id`,
      'order-not-delivered',
    ],
    [
      sql`update payments set intent_id = null where order_id = ${guests}`,
      sql`update payments set intent_id = ${paid} where order_id = ${guests}`,
      'order-without-payment',
    ],
    [
      sql`insert into refunds (reason, key, order_id, amount_minor, state, created_at, updated_at)
        values ('owner', 'broken', ${guests}, 100, 'done', '2020-01-01', '2020-01-01')`,
      sql`delete from refunds where key = 'broken'`,
      'refund-unrecorded',
    ],
  ]
  for (const [change, mend, kinds] of breaks) {
    await run(change)()
    if (kinds === 'order-not-delivered')
      await run(sql`update order_lines set membership_gift_id = null where order_id = ${guests}`)()
    const result = await auditAll({ ...all.shop, log: quiet }, options)
    expect(result.findings.map(({ key }) => key.split(':')[0]!).toSorted()).toEqual(kinds.split(' '))
    for (const finding of result.findings) expect([finding]).toMatchObject(of(finding.key))
    const items = (await todoList(all.shop, async () => [])()).filter(({ kind }) => kind === 'audit')
    expect(items).toHaveLength(result.findings.length)
    await run(mend)()
    expect(await found()).toEqual([])
    expect((await todoList(all.shop, async () => [])()).filter(({ kind }) => kind === 'audit')).toEqual([])
  }
  await run(sql`drop table kept`)()
})

test('audits an order without an account again if it changed or has a finding', async () => {
  const { intent: paid } = await aGuestsGift()
  await all.pass('PT20M')
  const due = async () => (await auditDue({ ...all.shop, log: quiet }, all.shop.now(), options)).orders
  // The customer paid, but the shop received no webhook event.
  expect(await due()).toBeGreaterThan(0)
  expect((await openFindings(all.shop.db, 10)).map(({ key }) => key.split(':')[0])).toEqual([
    'payment-without-order',
  ])
  for (const _night of [1, 2]) {
    all.shop.clock.advance(2 * 3600)
    await due()
  }
  all.shop.clock.advance(2 * 3600)
  // Only the order with the finding.
  expect(await due()).toBe(1)
  await settleOrder(all.shop, paid)
  all.shop.clock.advance(2 * 3600)
  expect(await due()).toBe(1)
  expect(await openFindings(all.shop.db, 10)).toEqual([])
  all.shop.clock.advance(2 * 3600)
  await due()
  all.shop.clock.advance(2 * 3600)
  expect(await due()).toBe(0)
})

test('audits the orders of a deleted account, without its library', async () => {
  const leaver = await aBuyer(all.shop)
  const bought = await pay(leaver)
  await settleOrder(all.shop, bought.intent)
  await all.pass('PT20M')
  const { accounts, orders } = await auditAll(all.shop, options)
  await run(sql`delete from users where id = ${leaver.user.id}`)()
  expect(await auditAll(all.shop, options)).toMatchObject({
    accounts: accounts - 1,
    orders: orders + 1,
    findings: [],
  })
})

test('a refused second trial is not a finding', async () => {
  const buyer = await aBuyer(all.shop, { confirmedAt: all.shop.now() })
  const begun = await buyer.ask('POST', '/api/subscriptions/create_trial_subscription', { startNow: true })
  expect(begun.statusCode, begun.body).toBe(201)
  // The sandbox's default card, which paid for the trial above.
  const used = { paymentMethod: 'pm_card_visa' }
  const answer = await buyer.ask('POST', `/api/subscriptions/${begun.json().id}/update-payment-method`, used)
  expect(answer.statusCode, answer.body).toBe(422)
  expect(await found()).toEqual([])
})

test('does not report a difference that disappears before the second check', async () => {
  const { intent: paid } = await pay(await aBuyer(all.shop))
  await all.pass('PT20M')
  let looks = 0
  const retrievePayment: typeof all.shop.payments.retrievePayment = async (id) => {
    const payment = await all.shop.payments.retrievePayment(id)
    if (id === paid && (looks += 1) === 1) await settleOrder(all.shop, paid)
    return payment
  }
  const shop = { ...all.shop, payments: { ...all.shop.payments, retrievePayment } }
  expect((await auditAll(shop, options)).findings).toEqual([])
  expect(looks).toBeGreaterThan(0)
})

test('checks only accounts again that changed or have a finding, and stops when aborted', async () => {
  await auditAll(all.shop, options)
  all.shop.clock.advance(2 * 3600)
  const due = async () => (await auditDue({ ...all.shop, log: quiet }, all.shop.now(), options)).accounts
  await due()
  all.shop.clock.advance(2 * 3600)
  expect(await due()).toBe(0)
  await run(sql`update credits set spent_at = null where book_id = ${taken.id}`)()
  // This change does not mark the account as changed; the next one does.
  expect(await due()).toBe(0)
  await run(sql`update payments set checked_at = ${all.shop.now().toISOString()} where order_id = ${order}`)()
  expect(await due()).toBe(1)
  expect(await found()).toEqual(['audiobook-not-spent'])
  all.shop.clock.advance(2 * 3600)
  await run(sql`update credits set spent_at = now() where book_id = ${taken.id}`)()
  expect(await due()).toBeGreaterThan(0)
  expect(await found()).toEqual([])
  const over = new AbortController()
  over.abort()
  expect(await auditAll(all.shop, { ...options, signal: over.signal })).toEqual({
    accounts: 0,
    orders: 0,
    findings: [],
  })
})
