import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as joining from '#contract/joining.ts'
import * as membership from '#contract/membership.ts'
import * as changes from '#contract/membership-changes.ts'
import { users } from '#server/db/schema/accounts.ts'
import { aBuyer, type Buyer } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { syncSetUp } from './payment-methods.ts'
import { syncSubscription } from './sync-subscription.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const TRIAL = '/api/subscriptions/create_trial_subscription'
const REFUSED = 'You’ve already had a free trial'

interface Waiting {
  readonly buyer: Buyer
  readonly id: string
  readonly setUp: { readonly id: string; readonly clientSecret: string }
}

async function waiting(buyer?: Buyer): Promise<Waiting> {
  const person = buyer ?? (await aBuyer(all.shop))
  const { id, paymentIntent } = (await person.ask('POST', TRIAL, { startNow: true })).json()
  const clientSecret: string = paymentIntent
  return { buyer: person, id, setUp: { id: clientSecret.split('_secret_')[0]!, clientSecret } }
}

const comeBack = async ({ buyer, setUp }: Waiting) =>
  (
    await buyer.ask('POST', '/api/set_ups/return', {
      setupIntent: setUp.id,
      clientSecret: setUp.clientSecret,
    })
  ).json()

/** The value of each body field for a buyer with the payment method `method`. A new field needs a value here. */
const VALUES: Record<string, (of: Waiting, method: string) => unknown> = {
  paymentMethod: (_, method) => method,
  setupIntent: ({ setUp }) => setUp.id,
  clientSecret: ({ setUp }) => setUp.clientSecret,
  plan: () => 4,
  startNow: () => true,
  reason: () => 'price',
  amount: () => undefined,
  reckonedAt: () => undefined,
  canceledAt: () => undefined,
  couponCode: () => undefined,
  days: () => undefined,
  price: () => undefined,
}
/** The giver pays for a gift, so it starts no trial. */
const GIFTS = /gift|giveAsVisitor|claim|resend|correct|takeBack/i

interface Call {
  readonly name: string
  readonly method: 'POST' | 'PATCH' | 'GET' | 'DELETE' | 'PUT'
  readonly path: string
  readonly body?: { readonly properties?: Record<string, unknown> }
}
const calls: Call[] = Object.entries({ ...joining, ...membership, ...changes }).flatMap(([name, value]) => {
  const { method, path } = value as unknown as Partial<Call>
  if (typeof method !== 'string' || typeof path !== 'string' || GIFTS.test(name)) return []
  return [{ ...(value as unknown as Call), name }]
})

/** All membership routes of the contract, with the payment method in each field that accepts one. */
async function askEverything(of: Waiting, method: string): Promise<void> {
  for (const { name, method: verb, path, body } of calls) {
    if (verb === 'GET' || path === TRIAL) continue
    // Skip calls that start or end another membership: they would hide the effect.
    if (path === '/api/subscriptions' || /create-without-payment|\/cancel$|\/withdraw$/.test(path)) continue
    const fields = Object.keys(body?.properties ?? {})
    for (const field of fields) expect(VALUES, `${name} takes ${field}`).toHaveProperty(field)
    const given = fields
      // Leave out the plan of `PATCH subscriptions/{id}`: with a plan it ignores the other fields.
      .filter((field) => field !== 'plan' || !fields.includes('paymentMethod'))
      .map((field) => [field, VALUES[field]!(of, method)])
      .filter(([, value]) => value !== undefined)
    await of.buyer.ask(verb, path.replace('{id}', of.id), Object.fromEntries(given))
    await expectNoTrial(of, name)
  }
}

async function expectNoTrial({ buyer, id }: Waiting, after: string): Promise<void> {
  const member = memberOf(all.shop, buyer, id)
  await member.settle()
  expect(await member.current(), after).toBeNull()
  expect((await buyer.ask('GET', '/api/logged-user')).json(), after).toMatchObject({
    currentSubscription: null,
    hasCredit: false,
  })
}

test('the tested calls are those of the contract', () => {
  const named = calls.map(({ name }) => name)
  expect(named).toEqual(
    expect.arrayContaining(['changeSubscription', 'updatePaymentMethod', 'setPaymentMethod', 'payAgain']),
  )
})

test.for([
  ['a card', 'pm_card_mastercard', '5555555555554444'],
  ['a card that refuses every charge', 'pm_card_chargeCustomerFail', '4000000000000341'],
] as const)(
  'API-78: %s that has had a trial begins none, whichever call is made',
  async ([, method, number]) => {
    const first = await waiting()
    await all.sandbox.confirmSetUp(first.setUp, number)
    expect(await comeBack(first)).toMatchObject({ outcome: 'done' })
    for (const call of ['update', 'set', 'patch', 'setUp'] as const) {
      const other = await waiting()
      const answer = await {
        update: () =>
          other.buyer.ask('POST', `/api/subscriptions/${other.id}/update-payment-method`, {
            paymentMethod: method,
          }),
        set: () => other.buyer.ask('POST', `/api/set-payment-method/${other.id}`, { paymentMethod: method }),
        patch: () => other.buyer.ask('PATCH', `/api/subscriptions/${other.id}`, { paymentMethod: method }),
        async setUp() {
          await all.sandbox.confirmSetUp(other.setUp, number)
          return other.buyer.ask('POST', `/api/set-payment-method/${other.id}`, {
            paymentMethod: other.setUp.id,
          })
        },
      }[call]()
      expect([call, answer.statusCode]).toEqual([call, 422])
      expect(answer.json()['hydra:description']).toContain(REFUSED)
      await expectNoTrial(other, call)
    }
    const everywhere = await waiting()
    await askEverything(everywhere, method)
  },
)

test('API-78: a PayPal payer cannot start a second trial', async () => {
  const paid = async (one: Waiting) => {
    const confirmed = await all.sandbox.confirmSetUpPayPal(one.setUp, 'https://shop.example/back')
    await all.sandbox.decide(confirmed, 'approve')
  }
  const first = await waiting()
  await paid(first)
  expect(await comeBack(first)).toMatchObject({ outcome: 'done' })
  for (const path of ['/api/set-payment-method/{id}', '/api/subscriptions/{id}/update-payment-method']) {
    const other = await waiting()
    await paid(other)
    const answer = await other.buyer.ask('POST', path.replace('{id}', other.id), {
      paymentMethod: other.setUp.id,
    })
    expect(answer.statusCode).toBe(422)
    await expectNoTrial(other, path)
    expect(await comeBack(other)).toMatchObject({ outcome: 'trial_used' })
  }
})

test('API-78: a trial is recorded for its account whichever call started it, and prevents another', async () => {
  const one = await waiting()
  const path = `/api/set-payment-method/${one.id}`
  expect((await one.buyer.ask('POST', path, { paymentMethod: 'pm_card_visa' })).json()).toMatchObject({
    status: 'trialing',
  })
  await all.sandbox.billing.subscriptions.end(await memberOf(all.shop, one.buyer, one.id).providerId())
  await memberOf(all.shop, one.buyer, one.id).settle()
  const again = await one.buyer.ask('POST', TRIAL, { startNow: true })
  expect(again.statusCode).toBe(422)
  expect(again.json()['hydra:description']).toContain(REFUSED)
})

test('API-78: a used card that the provider set as the default starts no trial if the webhook arrives first', async () => {
  const first = await waiting()
  await all.sandbox.confirmSetUp(first.setUp, '378282246310005')
  await syncSetUp(all.shop, first.setUp.id)
  const other = await waiting()
  await all.sandbox.confirmSetUp(other.setUp, '378282246310005')
  const { method } = await all.sandbox.billing.setUps.retrieve(other.setUp.id)
  const providerId = await memberOf(all.shop, other.buyer, other.id).providerId()
  await all.sandbox.billing.subscriptions.payWith(providerId, method!.id)
  expect(await syncSubscription(all.shop, providerId)).toMatchObject({ status: 'canceled' })
  await expectNoTrial(other, 'the webhook')
  expect(await comeBack(other)).toMatchObject({ outcome: 'trial_used' })
})

test('API-73: a free audiobook of a trial needs a confirmed address, and the refusal says so', async () => {
  const begun = await waiting()
  await all.sandbox.confirmSetUp(begun.setUp, '4000056655665556')
  expect(await comeBack(begun)).toMatchObject({ outcome: 'done' })
  // The provider's clock has moved.
  await all.pass('PT0S')
  const trial = memberOf(all.shop, begun.buyer, begun.id)
  const { slug } = await anAudioBook(all.shop, { edition: true })
  const take = () => trial.ask('POST', `/api/audio_books/add-to-library/${slug}`, {})
  const details = async () => (await trial.ask('GET', `/api/subscriptions/${trial.id}/details`)).json()
  expect((await details()).credits).toMatchObject({ left: 1, confirmAddressFirst: true })
  const refusal = await take()
  expect(refusal.statusCode).toBe(422)
  expect(refusal.json()['hydra:description']).toContain('confirm your email address')
  // This includes a cancelled trial, whose free audiobook is usable until its last day.
  await all.sandbox.billing.subscriptions.end(await trial.providerId())
  await trial.settle()
  expect((await take()).statusCode).toBe(422)
  await all.shop.db.update(users).set({ confirmedAt: all.shop.now() }).where(eq(users.id, trial.user.id))
  expect((await details()).credits).toMatchObject({ left: 1, confirmAddressFirst: false })
  expect((await take()).statusCode).toBe(200)
})

test('API-73: a paying member can choose without a confirmed address', async () => {
  const member = await all.member(4)
  const { slug } = await anAudioBook(all.shop, { edition: true })
  const path = `/api/audio_books/add-to-library/${slug}`
  expect((await member.ask('POST', path, { waiver: true })).statusCode).toBe(200)
})
