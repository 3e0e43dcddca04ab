import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BusinessClock } from '#server/clock.ts'
import { gifts, membershipGifts } from '#server/db/schema/gifts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { rateLimits, users } from '#server/db/schema/accounts.ts'
import { withdrawalStatements } from '#server/db/schema/withdrawals.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { todoList } from '#server/checks/todo.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { aRecipient } from '#tests/support/gifts.ts'
import { typed } from '#tests/support/run-command.ts'
import { carryOutStatements, orderNumbersIn } from './carry-out-statements.ts'
import { withdrawalsCommand } from '../../commands/withdrawals.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  await at.shop.db.delete(withdrawalStatements)
  await at.shop.db.delete(rateLimits)
})
afterAll(() => at.shop.close())

const statement = (more: object = {}) => ({
  name: 'Una Reed',
  contract: 'M-999999',
  email: 'una.reed@murmur.example',
  ...more,
})
const state = (payload: object, headers: object = {}) =>
  at.shop.app.inject({ method: 'POST', url: '/api/withdrawals', payload, headers: { ...headers } })
const rows = () => at.shop.db.select().from(withdrawalStatements)
const carryOut = () => carryOutStatements(at.shop)
const lettersTo = async (email: string): Promise<{ subject: string; text: string }[]> =>
  (await at.shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json()
const todo = async () =>
  (await todoList(at.shop, async () => [])()).filter(({ kind }) => kind === 'withdrawal')
const withdrawals = (...argv: string[]) => typed(at.shop, withdrawalsCommand, argv)

/** A paid order; `giftEmail` makes each title a gift. */
async function bought(buyer: Buyer, kinds: readonly ('eBook' | 'audioBook')[], giftEmail?: () => string) {
  const titles = await twoTitles(at.shop)
  const wanted = kinds.map((kind) => ({
    slug: titles[kind].slug,
    kind: kind === 'eBook' ? ('e_books' as const) : ('audio_books' as const),
    ...(giftEmail ? { giftEmail: giftEmail() } : {}),
  }))
  const { order, intent } = await checkOut(buyer, await fillBag(buyer, wanted))
  at.payments.pay(intent)
  await hearOf(at, intent)
  return { order, intent, number: await numberOf(order) }
}
const numberOf = async (order: string) =>
  (await at.shop.db.select().from(orders).where(eq(orders.id, order)))[0]!.number
const backThere = (intent: string) => at.payments.made.get(intent)!.refundedMinor

test('a statement without an account is stored with its time, and a receipt with its content is emailed at once', async () => {
  const answer = await state(statement({ contract: ' My membership ', scope: 'from December on' }))
  expect(answer.statusCode).toBe(201)
  const { statedAt } = answer.json()
  expect(statedAt).toBe(at.shop.clock.now().toISOString())
  expect(await rows()).toMatchObject([
    { name: 'Una Reed', contract: 'My membership', scope: 'from December on', settledAt: null },
  ])
  const [receipt] = await lettersTo('una.reed@murmur.example')
  expect(receipt!.subject).toBe('We’ve received your withdrawal')
  const time = `${statedAt.slice(11, 16)} (UTC)`
  for (const part of ['Una Reed', 'My membership', 'from December on', time])
    expect(receipt!.text, part).toContain(part)
})

test('a double press, a second tab and a repeated request store one statement and send one receipt', async () => {
  const email = aRecipient()
  const typedTwice = [statement({ email }), statement({ email: email.toUpperCase(), name: 'Una Reed ' })]
  const answers = await Promise.all([...typedTwice, ...typedTwice].map((payload) => state(payload)))
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(await rows()).toHaveLength(1)
  expect(await lettersTo(email)).toHaveLength(1)
  await state(statement({ email, contract: 'M-999998' }))
  expect(await rows()).toHaveLength(2)
})

test('the response is the same whether an order exists or not, and everything else happens later', async () => {
  const buyer = await aBuyer(at.shop)
  const { number } = await bought(buyer, ['eBook'], aRecipient)
  const right = (await state(statement({ contract: number, email: buyer.user.email }))).json()
  const wrong = (await state(statement({ contract: number, email: 'somebody@murmur.example' }))).json()
  expect(Object.keys(right)).toEqual(Object.keys(wrong))
  expect({ ...right, email: '', statedAt: '' }).toEqual({ ...wrong, email: '', statedAt: '' })
  expect((await at.shop.db.select().from(gifts)).every(({ takenBackAt }) => takenBackAt === null)).toBe(true)
})

test('links that a stranger types are removed from the email to an address that the shop does not know', async () => {
  const email = aRecipient()
  await state(statement({ email, name: 'https://evil.example/win', contract: 'Visit evil.example' }))
  const { text } = (await lettersTo(email))[0]!
  expect(text).not.toMatch(/evil\.example/)
  const { user } = await aBuyer(at.shop)
  await state(statement({ email: user.email, scope: 'the gift for greta@murmur.example' }))
  expect((await lettersTo(user.email))[0]!.text).toContain('the gift for greta@murmur.example')
})

test('refuses an empty name, an invalid address, a text that is too long, and too many statements', async () => {
  for (const wrong of [{ name: ' ' }, { email: 'una' }, { contract: '' }, { scope: 'x'.repeat(1001) }])
    expect((await state(statement(wrong))).statusCode, JSON.stringify(wrong)).toBe(422)
  expect(await rows()).toEqual([])
  for (let count = 0; count < 5; count += 1) await state(statement({ contract: `contract ${count}` }))
  const sixth = await state(statement({ contract: 'contract 6' }))
  expect([sixth.statusCode, sixth.json().message]).toEqual([
    429,
    'We’ve had several statements for this address already. Please try again in an hour, or write to us.',
  ])
  expect(await rows()).toHaveLength(5)
})

test('a statement with the order’s number and address takes its unclaimed gifts back, as of the time of the statement', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, intent } = await bought(buyer, ['eBook', 'audioBook'], aRecipient)
  // The email that confirms two gifts has no link to either; it leads to the form without a log-in.
  const [confirmation] = await lettersTo(buyer.user.email)
  expect(confirmation!.text).toContain(`/withdraw?order=${number}`)
  // In the last minute of the 14 days; the job runs after them.
  at.shop.clock.advance(14 * 86_400 - 60)
  await state(statement({ contract: `Order ${number.toLowerCase()}, please`, email: buyer.user.email }))
  at.shop.clock.advance(300)
  await carryOut()
  expect(backThere(intent)).toBe(1799)
  expect(await rows()).toMatchObject([{ problem: null, settledAt: at.shop.clock.now() }])
  expect(await todo()).toEqual([])
  const subjects = (await lettersTo(buyer.user.email)).map(({ subject }) => subject)
  expect(subjects).toContain(`Your money back for order ${number}`)
  // The same order with another text: nothing is left to do, and nothing is refunded twice.
  await state(statement({ contract: number, email: buyer.user.email }))
  await carryOut()
  expect(backThere(intent)).toBe(1799)
  expect(await todo()).toEqual([])
})

test('a visitor’s membership gift is taken back by the order’s number and address', async () => {
  const email = aRecipient()
  const answer = await at.shop.app.inject({
    method: 'POST',
    url: '/api/subscriptions/give',
    payload: {
      plan: 5,
      giftKey: randomUUID(),
      giftEmail: aRecipient(),
      startNow: true,
      giver: { email, firstName: 'Una', lastName: 'Reed', countryCode: 'GB' },
    },
  })
  const { id: order, paymentIntent } = answer.json()
  const intent = paymentIntent.split('_secret_')[0]
  at.payments.pay(intent)
  await hearOf(at, intent)
  await state(statement({ contract: await numberOf(order), email }))
  await carryOut()
  expect(backThere(intent)).toBe(8000)
  const given = await at.shop.db.select().from(membershipGifts)
  expect(given.find(({ orderId }) => orderId === order)!.takenBackAt).toEqual((await rows())[0]!.statedAt)
})

test('a statement that the shop can’t carry out is on the owner’s list with its reason and remedy until it is settled', async () => {
  const buyer = await aBuyer(at.shop)
  const own = await bought(buyer, ['eBook'])
  const gift = await bought(buyer, ['eBook', 'audioBook'], aRecipient)
  const { email } = buyer.user
  const cases = [
    [{ contract: 'the newsletter' }, 'It names no order.'],
    [{ contract: `${own.number} and ${gift.number}` }, 'It names more than one order.'],
    [
      { contract: gift.number, email: 'somebody@murmur.example' },
      'There is no paid order with this number and address.',
    ],
    [
      { contract: own.number },
      `“An E-Book” of order ${own.number} was delivered, or is no longer in its 14 days.`,
    ],
    [{ contract: gift.number, scope: 'the e-book' }, `It is about a part of order ${gift.number}.`],
  ] as const
  for (const [more, problem] of cases) {
    await at.shop.db.delete(withdrawalStatements)
    await state(statement({ email, ...more }))
    expect(await todo()).toEqual([])
    await carryOut()
    const [found] = await todo()
    expect(found!.what).toBe(
      `A customer has withdrawn from a contract, and the shop could not carry it out. ${problem}`,
    )
    expect(found!.remedy).toMatch(/^npm run withdrawals -- show [0-9a-f]{8} says who/)
  }
  expect([backThere(own.intent), backThere(gift.intent)]).toEqual([0, 0])

  const id = (await rows())[0]!.id.slice(0, 8)
  expect((await withdrawals('waiting')).said).toContain(email)
  const { said } = await withdrawals('show', id)
  for (const part of ['Una Reed', 'the e-book', gift.number, own.number, 'pay back by'])
    expect(said).toContain(part)
  expect((await withdrawals('settle', id, '--because', 'refunded by hand', '--yes')).said).toContain(
    'The statement is settled.',
  )
  expect(await todo()).toEqual([])
  expect((await withdrawals('waiting')).said).toBe('No statement is waiting for you.')
  await expect(withdrawals('settle', id, '--because', 'again', '--yes')).rejects.toThrow('settled already')
  expect((await withdrawals('show', id)).said).toContain('because refunded by hand')
})

test('after many wrong order numbers for an address nothing is carried out for it, even with the right number', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, intent } = await bought(buyer, ['eBook'], aRecipient)
  const { email } = buyer.user
  for (let count = 0; count < 5; count += 1) {
    await state(statement({ email, contract: `M-90000${count}` }))
    await carryOut()
  }
  at.shop.clock.advance(1)
  await at.shop.db.insert(withdrawalStatements).values({
    ...statement({ email, contract: number }),
    fingerprint: 'right',
    statedAt: at.shop.clock.now(),
  })
  await carryOut()
  expect(backThere(intent)).toBe(0)
  expect((await todo()).some(({ what }) => what.includes('Too many order numbers were tried'))).toBe(true)
})

test('the export includes statements; a settled one is deleted with its account, and otherwise after a year', async () => {
  const buyer = await aBuyer(at.shop)
  await at.shop.db.update(users).set({ confirmedAt: at.shop.now() }).where(eq(users.id, buyer.user.id))
  const { email } = buyer.user
  await state(statement({ email, contract: 'without a log-in' }))
  await state(statement({ email: aRecipient(), contract: 'logged in' }), buyer.headers)
  const exported = (await buyer.ask('GET', `/api/users/${buyer.user.id}/export`)).json()
  expect(exported.withdrawals.map(({ contract }: { contract: string }) => contract).toSorted()).toEqual([
    'logged in',
    'without a log-in',
  ])
  await carryOut()
  const settledAt = at.shop.clock.now()
  const daysLater = (days: number) =>
    new BusinessClock(() => new Date(settledAt.getTime() + days * 86_400_000))
  await at.shop.db
    .update(withdrawalStatements)
    .set({ settledAt })
    .where(eq(withdrawalStatements.contract, 'without a log-in'))
  await buyer.ask('POST', `/api/users/${buyer.user.id}/delete-account`, { password: buyer.user.password })
  expect(await rows()).toMatchObject([{ contract: 'logged in', userId: null, settledAt: null }])
  await cleanUp({ ...at.shop, clock: daysLater(400) })
  expect(await rows()).toHaveLength(1)
  await at.shop.db.update(withdrawalStatements).set({ settledAt })
  await cleanUp({ ...at.shop, clock: daysLater(366) })
  expect(await rows()).toEqual([])
  const left = await at.shop.db.select().from(mails).where(eq(mails.recipient, email))
  expect(left.map(({ kind }) => kind)).toEqual(['account_deleted'])
})

test.each([
  ['M-100003', ['M-100003']],
  ['order m100003 of Monday', ['M-100003']],
  ['100003', ['M-100003']],
  ['No. 100003', ['M-100003']],
  ['M-100003, M-100004 and M-100003', ['M-100003', 'M-100004']],
  ['my membership since 2024', []],
])('an order number is read as people write it: %s', (contract, numbers) => {
  expect(orderNumbersIn(contract)).toEqual(numbers)
})

test('many statements that fail do not keep another one from being carried out', async () => {
  const { db } = at.shop
  await state(statement())
  const [stated] = await rows()
  const older = new Date(stated!.statedAt.getTime() - 60_000)
  await db.insert(withdrawalStatements).values(
    Array.from({ length: 100 }, (_, place) => ({
      ...statement({ name: 'broken' }),
      fingerprint: `broken ${place}`,
      statedAt: older,
    })),
  )
  await db.execute(sql`
    alter table withdrawal_statements add constraint fails check (name <> 'broken' or checked_at is null)`)
  try {
    for (let run = 0; run < 2; run += 1) await carryOut()
  } finally {
    await db.execute(sql`alter table withdrawal_statements drop constraint fails`)
  }
  const checked = (await rows()).filter(({ checkedAt }) => checkedAt !== null)
  expect(checked.map(({ name }) => name)).toEqual(['Una Reed'])
})
