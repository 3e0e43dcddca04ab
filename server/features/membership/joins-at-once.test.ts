import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { discounts } from '#server/db/schema/discounts.ts'
import { customers, subscriptions, trials } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, type Buyer } from '#tests/support/purchases.ts'
import { membersShop, type MembersShop } from '#tests/support/members.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const ROUNDS = process.env.LONG ? 40 : 1
const TIMES = 12
const RUNS = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

let all: MembersShop
/** Another process of the same shop: the same database and provider, but its own memory. */
let other: TestShop
beforeAll(async () => {
  all = await membersShop()
  const { sandbox, shop } = all
  await shop.db.insert(discounts).values([
    { code: 'FREEMONTH', type: 'subscription', percent: 100 },
    { code: 'FREEAGAIN', type: 'subscription', percent: 100 },
  ])
  other = await testShop({
    env: { DEMO: '1', ...sandbox.env },
    database: shop.database,
    payments: sandbox.payments,
    billing: sandbox.billing,
  })
  other.clock.set(shop.clock.machine())
  await sandbox.tell(await shop.app.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(async () => {
  await other?.close()
  await all?.close()
})
beforeEach(() => all.sandbox.control('webhooks', { hold: 'true' }))

/** All tests pay with the same card, which may have only one trial. */
async function newcomer(): Promise<Buyer> {
  await all.shop.db.delete(trials)
  return aBuyer(all.shop)
}

interface Wish {
  readonly path: string
  readonly body: object
}

const JOIN = '/api/subscriptions'
const plan = (number: number, more: object = {}): Wish => ({ path: JOIN, body: { plan: number, ...more } })
const TRIAL: Wish = { path: `${JOIN}/create_trial_subscription`, body: {} }
const withCode = (couponCode: string): Wish => ({
  path: `${JOIN}/create-without-payment`,
  body: { plan: 4, couponCode },
})
const CARD = { paymentMethod: 'pm_card_visa' }

function askAtOnce(buyer: Buyer, wishes: readonly Wish[], shops: readonly TestShop[]) {
  const { headers } = buyer
  return Promise.all(
    Array.from({ length: TIMES }, (_, each) => {
      const { path, body } = wishes[each % wishes.length]!
      const { app } = shops[Math.floor(each / wishes.length) % shops.length]!
      return app.inject({ method: 'POST', url: path, headers, payload: { ...body, startNow: true } })
    }),
  )
}

const noticesOf = async () => {
  const { sent } = await all.sandbox.control('webhooks/release', { order: 'shuffled' })
  return sent as { type: string; status: number }[]
}

/** What the provider has of an account: subscriptions that run or can still be paid, and charges less refunds. */
async function atProvider(buyer: Buyer) {
  const { billing } = all.sandbox
  const [known] = await all.shop.db.select().from(customers).where(eq(customers.userId, buyer.user.id))
  const alive: string[] = []
  const charges: number[] = []
  if (!known) return { alive, charges }
  for await (const { state } of billing.subscriptions.list({ customer: known.customerId }))
    if (state !== 'ended' && state !== 'expired') alive.push(state)
  for await (const { paidMinor, creditedMinor } of billing.invoices.list({ customer: known.customerId }))
    if (paidMinor > 0) charges.push(paidMinor - creditedMinor)
  return { alive, charges }
}

const rowsOf = (buyer: Buyer) =>
  all.shop.db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.user.id))

const sorted = (sums: readonly number[]) => sums.toSorted((one, other) => one - other)

/**
 * Pays in every tab, and expects one membership, one payable subscription and one charge, clear responses and handled
 * events.
 *
 * @returns the number of new charges
 */
async function chargedFor(
  buyer: Buyer,
  answers: Awaited<ReturnType<typeof askAtOnce>>,
  { before = 0 } = {},
): Promise<number> {
  const said = answers.map((answer) => `${answer.statusCode} ${answer.json()['hydra:description'] ?? ''}`)
  expect(said.filter((each) => !/^(?:201 |409 .|422 .)/.test(each))).toEqual([])
  const secrets = answers.flatMap((answer): string[] => answer.json().paymentIntent ?? [])
  for (const clientSecret of new Set(secrets)) {
    const intent = { id: clientSecret.split('_secret_')[0]!, clientSecret }
    await (intent.id.startsWith('seti_') ? all.sandbox.confirmSetUp(intent) : all.sandbox.confirm(intent))
  }
  // Also send the events that handling the first ones caused.
  const notices = [...(await noticesOf()), ...(await noticesOf())]
  const failed = notices.filter(({ status }) => status !== 200)
  expect([...new Set(failed.map(({ type, status }) => `${type} ${status}`))]).toEqual([])
  const rows = await rowsOf(buyer)
  const running = rows.filter(({ status }) => RUNS.includes(status))
  // Superseded subscriptions are known to have ended at the provider.
  const isFollowed = ({ providerId, supersededAt, endedAt }: (typeof rows)[number]) =>
    providerId !== null && supersededAt !== null && endedAt === null
  expect(rows.filter(isFollowed)).toEqual([])
  expect(running, said.join('\n')).toHaveLength(1)
  expect(rows.filter(({ status }) => status === 'incomplete')).toEqual([])
  const { alive, charges } = await atProvider(buyer)
  expect(alive).toEqual(running[0]!.providerId === null ? [] : [running[0]!.status])
  const isCharged = running[0]!.providerId !== null && running[0]!.status !== 'trialing'
  expect(charges, said.join('\n')).toHaveLength(before + (isCharged ? 1 : 0))
  const sold = await all.shop.db.select().from(orders).where(eq(orders.userId, buyer.user.id))
  const paid = sold.map(({ totalMinor }) => totalMinor).filter((totalMinor) => totalMinor > 0)
  expect(sorted(paid)).toEqual(sorted(charges))
  return charges.length - before
}

test.each<[string, readonly Wish[]]>([
  ['of one plan', [plan(4)]],
  ['of one plan, with a new card', [plan(4, CARD)]],
  ['of three plans', [plan(1), plan(4), plan(6)]],
  ['of three plans, with a new card', [plan(1, CARD), plan(4, CARD), plan(6, CARD)]],
  ['of a plan and a trial', [plan(1), TRIAL]],
  ['of a plan with a new card, and a trial', [plan(1, CARD), TRIAL]],
  ['of two codes that pay it all', [withCode('FREEMONTH'), withCode('FREEAGAIN')]],
  [
    'of all there is',
    [
      plan(1, CARD),
      plan(4),
      TRIAL,
      withCode('FREEMONTH'),
      plan(6, { couponCode: 'FREEAGAIN' }),
      plan(4, CARD),
    ],
  ],
])('twelve joins at once %s are one membership, charged once at most', async (_, wishes) => {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const shops of [[all.shop], [all.shop, other]]) {
      const buyer = await newcomer()
      expect(await chargedFor(buyer, await askAtOnce(buyer, wishes, shops))).toBeLessThanOrEqual(1)
    }
})

test('twelve concurrent joins with a stored card are charged once', async () => {
  for (const shops of [[all.shop], [all.shop, other]]) {
    const member = await all.member(4)
    const { method } = await all.sandbox.billing.subscriptions.retrieve(await member.providerId())
    await all.sandbox.billing.subscriptions.end(await member.providerId())
    await member.settle()
    const stored = { paymentMethod: method!.id }
    const answers = await askAtOnce(member, [plan(1, stored), plan(4, stored), plan(6, stored)], shops)
    expect(await chargedFor(member, answers, { before: 1 })).toBe(1)
  }
})
