import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  type PayingShop,
  payingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'

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

type Answer = Awaited<ReturnType<Buyer['ask']>>

const NOTE = 'For the drives home'
const claimLink = (token: string) => `/api/subscriptions/claim/${token}`
const kindOf = async (typed: string) => at.shop.app.inject(`/api/gifts/claim/${encodeURIComponent(typed)}`)
/** The response without the field that differs for every request. */
const said = (answer: Answer) => {
  const { trace: _trace, ...body } = answer.json()
  return { status: answer.statusCode, ...body }
}
async function aGift() {
  const email = aRecipient()
  const { order } = await give(at, giver, { giftEmail: email, giftMessage: NOTE, plan: 4 })
  const [{ id }] = (await at.shop.db
    .select({ id: membershipGifts.id })
    .from(membershipGifts)
    .where(eq(membershipGifts.orderId, order))) as [{ id: string }]
  return { email, order, id, ...(await mailedTo(at.shop, email)) }
}

test('ACC-27: registering an address gives no access to its gifts; the emailed link confirms it', async () => {
  const email = aRecipient()
  await give(at, giver, { giftEmail: email })
  const recipient = await anAccountOf(at.shop, email, false)
  expect((await recipient.ask('GET', '/api/subscriptions/gifts')).json()['hydra:totalItems']).toBe(0)
  const { token } = await mailedTo(at.shop, email)
  const { id } = (await at.shop.app.inject(claimLink(token))).json()
  expect((await recipient.ask('POST', `/api/subscriptions/gifts/${id}/claim`)).statusCode).toBe(404)
  expect((await recipient.ask('POST', claimLink(token))).json()).toMatchObject({ state: 'begun' })
  expect((await recipient.ask('GET', '/api/logged-user')).json()).toMatchObject({ confirmed: true })
})

test('trap 30: after ten wrong codes even the correct code is refused', async () => {
  const email = aRecipient()
  await give(at, giver, { giftEmail: email })
  const { code } = await mailedTo(at.shop, email)
  const guess = (typed: string) => at.shop.app.inject(claimLink(typed))
  const bodies = new Set<string>()
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await guess(`ABCD-EFGH-JKMN-PQR${tries}`)
    expect(answer.statusCode).toBe(404)
    bodies.add(JSON.stringify({ ...answer.json(), trace: undefined }))
  }
  expect(bodies.size).toBe(1)
  expect((await guess(code)).statusCode).toBe(429)
})

test('trap 30: a code does not reveal its kind of gift; one request returns the kind, and a wrong code is one guess', async () => {
  const { code, token } = await aGift()
  const { audioBook, eBook } = await twoTitles(at.shop)
  const friend = aRecipient()
  const bag = await fillBag(giver, [
    { slug: audioBook.slug, kind: 'audio_books', giftEmail: friend },
    { slug: eBook.slug, kind: 'e_books', giftEmail: friend },
  ])
  const till = await checkOut(giver, bag)
  at.payments.pay(till.intent)
  await comeBack(giver, till)
  const codes = (await mailedTo(at.shop, friend)).mails.map(
    ({ text }) => /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(text)?.[0] ?? '',
  )
  const right = [token, code, code.toLowerCase().replaceAll('-', ' '), ...codes]
  for (let wrong = 0; wrong < 10; wrong += 1) {
    expect((await kindOf(`ABCD-EFGH-JKMN-PQR${wrong}`)).statusCode).toBe(404)
    // Correct codes do not count as guesses, even if they are sent often.
    if (wrong === 9) break
    const kinds: string[] = []
    for (const typed of right) kinds.push((await kindOf(typed)).json().kind)
    expect(kinds.toSorted()).toEqual(['audio_books', 'e_books', ...Array(3).fill('subscriptions')])
  }
  expect((await kindOf(code)).statusCode).toBe(429)
  // The other endpoint shares the limit.
  expect((await at.shop.app.inject(claimLink(code))).statusCode).toBe(429)
})

test('using a link again gives nothing more, and reveals nothing about the gift to another user', async () => {
  const { email, token, id } = await aGift()
  const recipient = await anAccountOf(at.shop, email)
  const stranger = await anAccountOf(at.shop, aRecipient())
  expect((await stranger.ask('POST', claimLink(token))).statusCode).toBe(403)
  const first = (await recipient.ask('POST', claimLink(token))).json()
  expect((await recipient.ask('POST', claimLink(token))).json()).toEqual(first)
  for (const path of [claimLink(token), `/api/subscriptions/gifts/${id}/claim`]) {
    const replayed = await stranger.ask('POST', path)
    expect(replayed.statusCode).toBeGreaterThanOrEqual(400)
    for (const told of [email, NOTE, giver.user.email, first.giverName])
      expect(replayed.body).not.toContain(told)
  }
  expect((await at.shop.app.inject({ method: 'POST', url: claimLink(token) })).statusCode).toBe(401)
  expect((await stranger.ask('GET', '/api/get-current-subscription')).json()).toBeNull()
  // Only the claimer sees the membership.
  expect((await stranger.ask('GET', claimLink(token))).json()).toMatchObject({ subscription: null })
})

test('a link to a gift that was taken back gets the same response as an unknown link', async () => {
  const { id, token, code } = await aGift()
  await giver.ask('POST', `/api/subscriptions/given/${id}/take-back`, {})
  const stranger = await anAccountOf(at.shop, aRecipient())
  for (const opening of [token, code])
    for (const method of ['GET', 'POST'] as const)
      expect(said(await stranger.ask(method, claimLink(opening)))).toEqual(
        said(await stranger.ask(method, claimLink('never-was'))),
      )
})

test('a gift’s id gives no access: a stranger gets the same response as for an unknown id', async () => {
  const { id, order, email, token } = await aGift()
  const stranger = await anAccountOf(at.shop, aRecipient())
  const recipient = await anAccountOf(at.shop, email)
  const alike = async (
    who: Buyer,
    method: 'GET' | 'POST' | 'PATCH',
    path: (of: string) => string,
    of: string,
  ) => {
    const payload = method === 'GET' ? undefined : {}
    const about = await who.ask(method, path(of), payload)
    expect(about.statusCode, path(of)).toBe(404)
    expect(said(about)).toEqual(said(await who.ask(method, path(randomUUID()), payload)))
  }
  for (const who of [stranger, recipient]) {
    await alike(who, 'PATCH', (of) => `/api/subscriptions/given/${of}`, id)
    await alike(who, 'POST', (of) => `/api/subscriptions/given/${of}/send-again`, id)
    await alike(who, 'POST', (of) => `/api/subscriptions/given/${of}/take-back`, id)
    // Only the giver may see the price.
    await alike(who, 'GET', (of) => `/api/order_carts/${of}`, order)
  }
  await alike(stranger, 'POST', (of) => `/api/subscriptions/gifts/${of}/claim`, id)
  for (const list of ['gifts', 'given'])
    expect((await stranger.ask('GET', `/api/subscriptions/${list}`)).json()['hydra:totalItems']).toBe(0)
  const { subscription } = (await recipient.ask('POST', claimLink(token))).json()
  for (const who of [stranger, giver])
    await alike(who, 'GET', (of) => `/api/subscriptions/${of}/details`, subscription)
})

test('the token and code of a gift are stored only in its email', async () => {
  const { id, token, code } = await aGift()
  const { rows } = await at.shop.database.pool.query(
    'select row_to_json(g)::text as gift from membership_gifts g where id = $1',
    [id],
  )
  for (const secret of [token, code, code.replaceAll('-', '')]) expect(rows[0].gift).not.toContain(secret)
})
