import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { rateLimits, users } from '#server/db/schema/accounts.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import {
  aBuyer,
  type Buyer,
  comeBack,
  hearOf,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { signedIn } from '#tests/support/builders.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { runGiftCalendar } from './gift-delivery.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  await at.shop.db.delete(rateLimits)
  giver = await aBuyer(at.shop)
})
afterAll(() => at.shop.close())

const claimLink = (token: string) => `/api/subscriptions/claim/${token}`
const givenBy = async (who: Buyer) =>
  (await who.ask('GET', '/api/subscriptions/given')).json()['hydra:member']
const giftOf = async (order: string) => {
  const given = await at.shop.db.select().from(membershipGifts)
  const lines = await at.shop.database.pool.query('select id from order_lines where order_id = $1', [order])
  return given.find(({ orderLineId }) => orderLineId === lines.rows[0].id)!
}

test('GIFT-18 ENT-14: a gift is paid once, emailed, claimed by the account with its address, and makes that account a member', async () => {
  const email = aRecipient()
  const wish = { giftEmail: email, giftRecipientFirstName: 'Ann', giftMessage: 'For long evenings', plan: 5 }
  const { order } = await give(at, giver, wish)
  expect((await givenBy(giver))[0]).toMatchObject({
    state: 'delivered',
    giftEmail: email,
    claimedAt: null,
    order,
    amount: 80,
    changeable: true,
    takeBack: { amount: 80 },
  })
  const { mails: sent, token, code } = await mailedTo(at.shop, email)
  expect(sent[0]).toMatchObject({ subject: expect.stringMatching('has given you a Murmur membership') })
  expect(sent[0]!.text).toMatch(/has given you a Murmur membership: a year of Reader\.[^]*For long evenings/)
  const seen = await at.shop.app.inject(claimLink(token))
  expect(seen.json()).toMatchObject({
    plan: 5,
    giftMessage: 'For long evenings',
    state: 'unclaimed',
    subscription: null,
  })
  // The recipient must not see the price.
  expect(Object.values(seen.json())).not.toContain(80)

  const recipient = await anAccountOf(at.shop, email)
  const claimed = await recipient.ask('POST', claimLink(code.toLowerCase().replaceAll('-', ' ')))
  expect(claimed.statusCode, claimed.body).toBe(200)
  expect(claimed.json()).toMatchObject({ state: 'begun', startsAt: claimed.json().claimedAt })
  const current = (await recipient.ask('GET', '/api/get-current-subscription')).json()
  expect(current).toMatchObject({
    id: claimed.json().subscription,
    plan: 5,
    status: 'active',
    gift: true,
    payment: null,
    giftEmail: null,
    giftUser: null,
    orderItem: null,
  })
  const { hasCredit, currentSubscription } = (await recipient.ask('GET', '/api/logged-user')).json()
  expect({ hasCredit, currentSubscription }).toMatchObject({
    hasCredit: true,
    currentSubscription: { plan: 5 },
  })
  expect((await givenBy(giver))[0]).toMatchObject({
    state: 'claimed',
    changeable: false,
    takeBack: null,
    giftUser: { email },
  })
  // The giver gets no membership from it, and the recipient has no order.
  expect((await giver.ask('GET', '/api/get-current-subscription')).json()).toBeNull()
  expect((await recipient.ask('GET', '/api/order_carts')).json()['hydra:totalItems']).toBe(0)
  const { invoices } = (await recipient.ask('GET', `/api/subscriptions/${current.id}/invoice`)).json()
  expect(invoices).toEqual([])
  expect((await giver.ask('GET', `/api/order_carts/${order}`)).json().orderItems[0]).toMatchObject({
    gift: true,
    giftEmail: email,
    giftClaimedAt: expect.stringMatching(/^20/),
    price: 80,
    vat: 13.33,
  })
})

test('MEMB-31 API-80: a given membership is in the giver’s list of memberships, unclaimed until it is claimed', async () => {
  const email = aRecipient()
  await give(at, giver, { giftEmail: email })
  const list = async () =>
    (await giver.ask('GET', '/api/subscriptions?itemsPerPage=1000')).json()['hydra:member']
  expect(await list()).toMatchObject([
    { gift: true, giftEmail: email, claimedAt: null, giftUser: null, validUntil: null },
  ])
  const recipient = await anAccountOf(at.shop, email)
  await recipient.ask('POST', claimLink((await mailedTo(at.shop, email)).token))
  expect(await list()).toMatchObject([
    { claimedAt: expect.stringMatching(/^20/), giftUser: { email }, status: 'active' },
  ])
})

test('a visitor gives without an account, gets the receipt by email, and finds the gift after creating an account', async () => {
  const email = aRecipient()
  const mine = aRecipient()
  const body = {
    plan: 4,
    giftEmail: email,
    startNow: true,
    amount: 8,
    giftKey: '3b241101-e2bb-4255-8caf-4136c566a962',
    giver: { email: mine, firstName: 'Vera', lastName: 'Hill' },
  }
  const post = (more: object = {}) =>
    at.shop.app.inject({ method: 'POST', url: '/api/subscriptions/give', payload: { ...body, ...more } })
  const created = await post()
  expect(created.statusCode, created.body).toBe(201)
  expect((await post()).json().paymentIntent).toBe(created.json().paymentIntent)
  const clientSecret: string = created.json().paymentIntent
  const intent = clientSecret.split('_secret_')[0]!
  at.payments.pay(intent)
  await hearOf(at, intent)
  const ask: Buyer['ask'] = (method, url, payload) =>
    at.shop.app.inject({ method, url, ...(payload ? { payload } : {}) })
  expect((await comeBack({ ask }, { order: '', clientSecret, intent })).json()).toMatchObject({
    outcome: 'paid',
    order: null,
  })
  expect((await post()).json()).toMatchObject({ done: true, paymentIntent: null })
  const { mails: receipts } = await mailedTo(at.shop, mine)
  expect(receipts.map(({ subject }) => subject).toSorted()).toEqual([
    `Your Murmur order ${/M-\d+/.exec(receipts.map(({ subject }) => subject).join(' '))![0]}`,
    `Your gift for ${email}`,
  ])
  const { token } = await mailedTo(at.shop, email)
  expect((await at.shop.app.inject(claimLink(token))).json()).toMatchObject({ giverName: 'Vera Hill' })
  const unconfirmed = await anAccountOf(at.shop, mine, false)
  expect(await givenBy(unconfirmed)).toEqual([])
  await at.shop.database.pool.query('update users set confirmed_at = now() where id = $1', [
    unconfirmed.user.id,
  ])
  expect(await givenBy(unconfirmed)).toMatchObject([{ giftEmail: email, state: 'delivered' }])
  expect((await post({ giver: { ...body.giver, email: aRecipient() } })).json().done).toBe(false)
})

test('an incomplete or impossible gift is refused before anything is created', async () => {
  const refused = async (wish: object) => {
    const answer = await giver.ask('POST', '/api/subscriptions', {
      gift: true,
      giftKey: randomUUID(),
      plan: 1,
      startNow: true,
      ...wish,
    })
    return `${answer.statusCode} ${answer.json()['hydra:description'] ?? ''}`
  }
  const giftEmail = aRecipient()
  const christmas = {
    giftEmail,
    christmas: true,
    giftRecipientFirstName: 'A',
    giftDeliveryDate: '2026-12-25',
  }
  expect(await refused({})).toMatch(/^422 .*Invalid email/)
  expect(await refused({ giftEmail, startNow: false })).toMatch(/^422 .*as soon as it is opened/)
  expect(await refused({ giftEmail, amount: 7 })).toMatch(/^409 The total has changed/)
  expect(await refused({ giftEmail, giftTimeZone: 'Mars/Olympus' })).toMatch(/^422 .*time zone/)
  expect(await refused({ ...christmas, plan: 5 })).toMatch(/^422 .*Christmas/)
  expect(await refused({ ...christmas, giftRecipientFirstName: ' ' })).toMatch(/^422 .*first name/)
  expect(await refused({ ...christmas, giftDeliveryDate: null })).toMatch(/^422 .*choose a day/)
  expect(await refused({ ...christmas, giftDeliveryDate: '2026-03-01' })).toMatch(
    /^422 .*today or a later day/,
  )
  expect(await refused({ giftEmail, couponCode: 'NOSUCHCODE' })).toMatch(/^422 .*not valid/)
  // GIFT-07, GIFT-22: a name may have one letter, and the message is optional.
  expect(await refused(christmas)).toMatch(/^201/)
})

test('PLAN-03 GIFT-20: a Christmas gift arrives once, on its day at 08:00 in the giver’s zone, and not before', async () => {
  const email = aRecipient()
  const wish = {
    plan: 2,
    giftEmail: email,
    christmas: true,
    giftRecipientFirstName: 'Ann',
    giftDeliveryDate: '2026-03-29',
    giftTimeZone: 'Europe/London',
  }
  const bought = { gift: true, giftKey: randomUUID(), startNow: true, ...wish }
  const created = await giver.ask('POST', '/api/subscriptions', bought)
  expect(created.json().returnUrl).toMatch(/\/xmas-successful-gift\?recipient=Ann&type=2$/)
  await give(at, giver, wish)
  expect(await givenBy(giver)).toMatchObject([{ state: 'scheduled', deliverAt: '2026-03-29T07:00:00.000Z' }])
  const path = `/api/subscriptions/given/${(await givenBy(giver))[0].id}`
  expect((await giver.ask('PATCH', path, { giftDeliveryDate: null })).statusCode).toBe(422)
  const recipient = await anAccountOf(at.shop, email)
  const waiting = async () =>
    (await recipient.ask('GET', '/api/subscriptions/gifts')).json()['hydra:totalItems']
  expect(await waiting()).toBe(0)
  at.shop.clock.set('2026-03-29T06:59:59Z')
  await runGiftCalendar(at.shop)
  expect((await mailedTo(at.shop, email)).subjects).toEqual([])
  at.shop.clock.set('2026-03-29T07:00:00Z')
  await Promise.all([runGiftCalendar(at.shop), runGiftCalendar(at.shop), runGiftCalendar(at.shop)])
  await runGiftCalendar(at.shop)
  expect((await mailedTo(at.shop, email)).subjects).toHaveLength(1)
  const again = await anAccountOf(at.shop, aRecipient())
  expect((await again.ask('GET', '/api/subscriptions/gifts')).json()['hydra:totalItems']).toBe(0)
  expect((await anAsk(recipient, 'GET', '/api/subscriptions/gifts')).json()['hydra:totalItems']).toBe(1)
})
/** Logs in at the current test time, which has advanced. */
async function anAsk(buyer: Buyer, method: 'GET' | 'POST', url: string) {
  return at.shop.app.inject({ method, url, headers: await signedIn(at.shop, buyer.user) })
}

test('correcting the address creates a new link and code; the old ones say so and open nothing', async () => {
  const [wrong, right] = [aRecipient(), aRecipient()]
  const { order } = await give(at, giver, { giftEmail: wrong })
  const { id } = await giftOf(order)
  const old = await mailedTo(at.shop, wrong)
  const corrected = await giver.ask('PATCH', `/api/subscriptions/given/${id}`, { giftEmail: right })
  expect(corrected.json()).toMatchObject({ giftEmail: right, state: 'delivered' })
  for (const former of [old.token, old.code])
    for (const method of ['GET', 'POST'] as const) {
      const who = await anAccountOf(at.shop, aRecipient())
      const answer = await who.ask(method, claimLink(former))
      expect(answer.statusCode).toBe(422)
      expect(answer.json()['hydra:description']).toMatch(/^A new link was sent/)
      expect(answer.body).not.toContain(right)
    }
  const { token } = await mailedTo(at.shop, right)
  const first = await anAccountOf(at.shop, wrong)
  expect((await first.ask('POST', claimLink(token))).statusCode).toBe(403)
  expect((await first.ask('GET', '/api/subscriptions/gifts')).json()['hydra:totalItems']).toBe(0)
  const second = await anAccountOf(at.shop, right)
  expect((await second.ask('POST', claimLink(token))).json()).toMatchObject({ state: 'begun' })
  const late = await giver.ask('PATCH', `/api/subscriptions/given/${id}`, { giftEmail: wrong })
  expect(late.json()['hydra:description']).toMatch(/already been opened/)
})

test('an undeliverable address is reported to the giver once; the corrected gift is delivered', async () => {
  const email = aRecipient()
  const { order } = await give(at, giver, { giftEmail: email })
  const { id } = await giftOf(order)
  await at.shop.db
    .update(mails)
    .set({ failedAt: at.shop.now() })
    .where(eq(mails.key, `gift_membership:${id}:1`))
  expect(await givenBy(giver)).toMatchObject([{ state: 'failed', changeable: true }])
  await runGiftCalendar(at.shop)
  await runGiftCalendar(at.shop)
  const told = (await mailedTo(at.shop, giver.user.email)).subjects
  expect(told.filter((subject) => subject === 'Your gift couldn’t be delivered')).toHaveLength(1)
  await giver.ask('PATCH', `/api/subscriptions/given/${id}`, { giftEmail: aRecipient() })
  await at.shop.db
    .update(mails)
    .set({ sentAt: at.shop.now() })
    .where(eq(mails.key, `gift_membership:${id}:2`))
  await runGiftCalendar(at.shop)
  expect(await givenBy(giver)).toMatchObject([{ state: 'delivered' }])
})

test('a gift can be sent again five times a day, and only by its giver', async () => {
  const { order } = await give(at, giver, { giftEmail: aRecipient() })
  const { id } = await giftOf(order)
  const again = (who: Buyer) => who.ask('POST', `/api/subscriptions/given/${id}/send-again`)
  for (let time = 0; time < 5; time += 1) expect((await again(giver)).statusCode).toBe(200)
  expect((await again(giver)).statusCode).toBe(429)
  const stranger = await aBuyer(at.shop)
  for (const [method, path] of [
    ['PATCH', ''],
    ['POST', '/send-again'],
    ['POST', '/take-back'],
  ] as const)
    expect((await stranger.ask(method, `/api/subscriptions/given/${id}${path}`, {})).statusCode).toBe(404)
})

test('taking back an unclaimed gift within 14 days prevents a claim at once and refunds all of its price once', async () => {
  const email = aRecipient()
  const { order, intent } = await give(at, giver, { giftEmail: email })
  const { id } = await giftOf(order)
  const { token } = await mailedTo(at.shop, email)
  const back = () => giver.ask('POST', `/api/subscriptions/given/${id}/take-back`, {})
  const answers = await Promise.all([back(), back(), back()])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(await at.payments.retrievePayment(intent)).toMatchObject({ refundedMinor: 8000 })
  expect(await givenBy(giver)).toMatchObject([{ state: 'refunded', takeBack: null, changeable: false }])
  const recipient = await anAccountOf(at.shop, email)
  expect((await recipient.ask('POST', claimLink(token))).statusCode).toBe(404)
  const told = (await mailedTo(at.shop, giver.user.email)).subjects
  expect(told.filter((subject) => subject.startsWith('Your money back'))).toHaveLength(1)
  expect((await giver.ask('GET', `/api/order_carts/${order}`)).json()).toMatchObject({ status: 'refunded' })
})

test('a gift cannot be taken back after 14 days or once it is claimed', async () => {
  const email = aRecipient()
  const { order } = await give(at, giver, { giftEmail: email })
  const { id } = await giftOf(order)
  const back = () => giver.ask('POST', `/api/subscriptions/given/${id}/take-back`, {})
  const longAgo = new Date(at.shop.now().getTime() - 14 * 24 * 3_600_000)
  await at.shop.db
    .update(membershipGifts)
    .set({ givenAt: longAgo, deliverAt: longAgo })
    .where(eq(membershipGifts.id, id))
  expect((await back()).json()['hydra:description']).toMatch(/too late/)
  await (await anAccountOf(at.shop, email)).ask('POST', claimLink((await mailedTo(at.shop, email)).token))
  expect((await back()).json()['hydra:description']).toMatch(/already been opened/)
})

test('a full refund from elsewhere ends the membership; a partial refund changes nothing else', async () => {
  const email = aRecipient()
  const { intent } = await give(at, giver, { giftEmail: email, plan: 4 })
  const recipient = await anAccountOf(at.shop, email)
  await recipient.ask('POST', claimLink((await mailedTo(at.shop, email)).token))
  const current = async () => (await recipient.ask('GET', '/api/get-current-subscription')).json()
  at.payments.giveBack(intent, 300)
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await current()).toMatchObject({ status: 'active' })
  at.payments.giveBack(intent, 500)
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await current()).toBeNull()
  expect((await recipient.ask('GET', '/api/logged-user')).json()).toMatchObject({ hasCredit: false })
  expect((await mailedTo(at.shop, email)).subjects).toContain('A gift was taken back')
  expect(await givenBy(giver)).toMatchObject([{ state: 'refunded' }])
})

test('the recipient can withdraw within 14 days of the purchase, and the giver gets the refund', async () => {
  const email = aRecipient()
  const { intent } = await give(at, giver, { giftEmail: email, plan: 7 })
  const recipient = await anAccountOf(at.shop, email)
  await recipient.ask('POST', claimLink((await mailedTo(at.shop, email)).token))
  const { id } = (await recipient.ask('GET', '/api/get-current-subscription')).json()
  const details = (await recipient.ask('GET', `/api/subscriptions/${id}/details`)).json()
  const { amount } = details.withdrawal
  expect(amount).toBe(30)
  const asked = vi.spyOn(at.payments, 'refundPayment')
  // Requested again, also for more: the provider may have forgotten the idempotency key by then.
  for (const wanted of [amount, 70]) {
    const withdrawn = await recipient.ask('POST', `/api/subscriptions/${id}/withdraw`, { amount: wanted })
    expect(withdrawn.json()).toMatchObject({ status: 'canceled' })
  }
  expect(asked.mock.calls.map(([, wish]) => wish)).toMatchObject([{ amountMinor: 3000 }])
  asked.mockRestore()
  expect(await at.payments.retrievePayment(intent)).toMatchObject({ refundedMinor: 3000 })
  expect((await recipient.ask('GET', '/api/order_carts')).json()['hydra:totalItems']).toBe(0)
})

test('DISC-10: a code for memberships also works for gifts; a code that pays one in full counts once and needs an account', async () => {
  await at.shop.db.insert(discounts).values([
    { code: 'HALF', type: 'subscription', percent: 50 },
    { code: 'WHOLE', type: 'all', percent: 100 },
  ])
  const gift = () => ({ gift: true, giftKey: randomUUID(), giftEmail: aRecipient() })
  const half = { ...gift(), plan: 4, startNow: true, couponCode: 'half' }
  expect((await giver.ask('POST', '/api/subscriptions', half)).json()).toMatchObject({
    amount: 4,
    done: false,
  })
  const email = aRecipient()
  const whole = { ...gift(), plan: 5, giftEmail: email, couponCode: 'whole' }
  expect((await giver.ask('POST', '/api/subscriptions', whole)).json()).toMatchObject({
    amount: 0,
    done: true,
  })
  expect((await giver.ask('POST', '/api/subscriptions', whole)).json()).toMatchObject({
    amount: 0,
    done: true,
  })
  expect((await mailedTo(at.shop, email)).subjects).toHaveLength(1)
  const second = await giver.ask('POST', '/api/subscriptions', { ...whole, ...gift() })
  expect(second.json()['hydra:description']).toMatch(/already used/)
  const visitor = await at.shop.app.inject({
    method: 'POST',
    url: '/api/subscriptions/give',
    payload: {
      plan: 5,
      giftEmail: email,
      giftKey: randomUUID(),
      couponCode: 'whole',
      giver: { email: aRecipient(), firstName: 'V', lastName: 'H' },
    },
  })
  expect(visitor.json()['hydra:description']).toMatch(/make an account/)
  const [given] = await givenBy(giver)
  expect(
    (await giver.ask('POST', `/api/subscriptions/given/${given.id}/take-back`, {})).json(),
  ).toMatchObject({
    state: 'refunded',
  })
})

test('visitors can start twenty gifts an hour from one IP address, accounts any number; guessing discount codes is limited', async () => {
  const headers = await signedIn(at.shop, giver.user)
  const from = async (remoteAddress: string, url: string, more: object) => {
    const own = { giftEmail: aRecipient(), giftKey: randomUUID() }
    const payload = { plan: 4, ...own, startNow: true, ...more }
    return (await at.shop.app.inject({ method: 'POST', url, remoteAddress, headers, payload })).statusCode
  }
  const visit = (address: string) =>
    from(address, '/api/subscriptions/give', {
      giver: { email: aRecipient(), firstName: 'Vera', lastName: 'Hill' },
    })
  for (let gift = 0; gift < 20; gift += 1) expect(await visit('203.0.113.9')).toBe(201)
  expect([await visit('203.0.113.9'), await visit('203.0.113.10')]).toEqual([429, 201])
  expect(await from('203.0.113.9', '/api/subscriptions', { gift: true })).toBe(201)

  await at.shop.db.insert(discounts).values({ code: 'QUARTER', type: 'subscription', percent: 25 })
  const tryCode = (couponCode: string) =>
    from('203.0.113.9', '/api/subscriptions', { gift: true, couponCode })
  for (let guess = 0; guess < 20; guess += 1) expect(await tryCode(`GUESS${guess}`)).toBe(422)
  expect(await tryCode('QUARTER')).toBe(429)
})

test('API-83 GIFT-06: the gift check reports members, but not the recipients of unclaimed gifts', async () => {
  const email = aRecipient()
  const purchased = async (address: string) =>
    (
      await at.shop.app.inject({
        method: 'POST',
        url: '/api/subscriptions/gift-check',
        payload: { email: address },
      })
    ).json()
  expect(await purchased(email)).toEqual({ purchased: false })
  await give(at, giver, { giftEmail: email })
  const recipient = await anAccountOf(at.shop, email)
  expect(await purchased(email)).toEqual({ purchased: false })
  await recipient.ask('POST', claimLink((await mailedTo(at.shop, email)).token))
  expect(await purchased(email.toUpperCase())).toEqual({ purchased: true })
  for (let asked = 0; asked < 10; asked += 1) await purchased(aRecipient())
  expect(await purchased(email)).toMatchObject({ '@type': 'hydra:Error' })
})

test('a hundred concurrent claims create one membership, and a later account with the address cannot claim it again', async () => {
  const email = aRecipient()
  await give(at, giver, { giftEmail: email })
  const recipient = await anAccountOf(at.shop, email)
  const { token } = await mailedTo(at.shop, email)
  const { id } = (await recipient.ask('GET', claimLink(token))).json()
  const claims = await Promise.all(
    Array.from({ length: 100 }, () => recipient.ask('POST', `/api/subscriptions/gifts/${id}/claim`)),
  )
  expect(new Set(claims.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(new Set(claims.map((answer) => answer.json().subscription)).size).toBe(1)
  expect(await at.shop.db.$count(subscriptions, eq(subscriptions.userId, recipient.user.id))).toBe(1)
  const stranger = await anAccountOf(at.shop, aRecipient())
  expect((await stranger.ask('POST', claimLink(token))).statusCode).toBe(403)
  // The address belongs to another account now, and the link is used up.
  const changed = [aRecipient(), recipient.user.id]
  await at.shop.database.pool.query('update users set email = $1 where id = $2', changed)
  const next = await anAccountOf(at.shop, email)
  const again = (await next.ask('POST', claimLink(token))).json()
  expect(again['hydra:description']).toMatch(/already been redeemed/)
})

test('a gift arrives although its giver’s account was closed, and the giver gets no more emails', async () => {
  const email = aRecipient()
  const { order } = await give(at, giver, { giftEmail: email, giftDeliveryDate: '2026-06-01' })
  const { id } = await giftOf(order)
  const { id: userId, password } = giver.user
  // An unconfirmed address may belong to another person, and then its emails would stay.
  await at.shop.database.pool.query('update users set confirmed_at = now() where id = $1', [userId])
  expect((await giver.ask('POST', `/api/users/${userId}/delete-account`, { password })).statusCode).toBe(204)
  at.shop.clock.set('2026-06-01T07:00:00Z')
  await runGiftCalendar(at.shop)
  const { token } = await mailedTo(at.shop, email)
  const recipient = await anAccountOf(at.shop, email)
  expect((await anAsk(recipient, 'POST', claimLink(token))).json()).toMatchObject({ id, state: 'begun' })
  const { subjects } = await mailedTo(at.shop, giver.user.email)
  expect(subjects).toEqual(['Your Murmur account has been deleted'])
})

test('reminds both sides after 11 and 23 months, and after 24 the gift lapses', async () => {
  at.shop.clock.set('2026-07-31T10:00:00Z')
  const late = await aBuyer(at.shop)
  const email = aRecipient()
  await give(at, late, { giftEmail: email })
  const run = async (instant: string) => {
    at.shop.clock.set(instant)
    await runGiftCalendar(at.shop)
    await runGiftCalendar(at.shop)
    const [to, from] = await Promise.all([mailedTo(at.shop, email), mailedTo(at.shop, late.user.email)])
    const isWaiting = (subject: string) => /still waiting|hasn’t been opened/.test(subject)
    return [to.subjects.filter(isWaiting).length, from.subjects.filter(isWaiting).length]
  }
  expect(await run('2027-06-30T09:59:00Z')).toEqual([0, 0])
  expect(await run('2027-06-30T10:00:10Z')).toEqual([1, 1])
  expect(await run('2028-06-30T10:00:10Z')).toEqual([1, 2])
  const { token } = await mailedTo(at.shop, email)
  expect((await at.shop.app.inject(claimLink(token))).statusCode).toBe(200)
  await run('2028-07-31T10:00:10Z')
  expect((await at.shop.app.inject(claimLink(token))).json()['hydra:description']).toMatch(/lapsed/)
})

test('ACC-15: an account created from the emailed link has a confirmed address and gets no confirmation email', async () => {
  const email = aRecipient()
  await give(at, giver, { giftEmail: email, giftRecipientFirstName: 'Ann' })
  const { token } = await mailedTo(at.shop, email)
  const person = { password: 'lamp and ledger', firstName: 'Ann', lastName: 'Lee', countryCode: 'GB' }
  const join = (to: string, giftToken: string) =>
    at.shop.app.inject({ method: 'POST', url: '/api/users', payload: { ...person, email: to, giftToken } })
  const confirmed = async (to: string) =>
    (await at.shop.db.select().from(users).where(eq(users.email, to)))[0]!.confirmedAt !== null
  const other = aRecipient()
  expect((await join(other, token)).statusCode).toBe(201)
  expect(await confirmed(other)).toBe(false)
  expect((await mailedTo(at.shop, other)).subjects).toHaveLength(1)
  expect((await join(email.toUpperCase(), token)).statusCode).toBe(201)
  expect(await confirmed(email.toUpperCase())).toBe(true)
  expect((await mailedTo(at.shop, email)).subjects).toHaveLength(1)
})
