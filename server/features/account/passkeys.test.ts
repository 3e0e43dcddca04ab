import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessions, userPasskeys, users } from '#server/db/schema/accounts.ts'
import { aBuyer, type Buyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { SoftwarePasskey } from '#tests/support/software-passkey.ts'

const ORIGIN = 'https://shop.example'
let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { PUBLIC_URL: ORIGIN, DEMO: '1' } })
})
afterAll(() => shop?.close())

const onThisShop = () => new SoftwarePasskey({ domain: 'shop.example', origin: ORIGIN })
const post = (url: string, payload?: object) =>
  shop.app.inject({ method: 'POST', url, ...(payload ? { payload } : {}) })

async function add(buyer: Buyer, passkey = onThisShop()) {
  const { challengeId, options } = (await buyer.ask('POST', '/api/passkeys/options')).json()
  const response = passkey.register(options.challenge)
  return { passkey, answer: await buyer.ask('POST', '/api/passkeys', { challengeId, response }) }
}
async function withPasskey() {
  const buyer = await aBuyer(shop)
  return { buyer, ...(await add(buyer)) }
}
async function logIn(passkey: SoftwarePasskey, more: Parameters<SoftwarePasskey['answer']>[1] = {}) {
  const { challengeId, options } = (await post('/api/passkeys/log-in/options')).json()
  const body = { challengeId, response: passkey.answer(options.challenge, more) }
  return { body, answer: await post('/api/passkeys/log-in', body) }
}
const age = (buyer: Buyer) =>
  shop.db
    .update(sessions)
    .set({ createdAt: new Date(shop.now().getTime() - 3_600_000) })
    .where(eq(sessions.userId, buyer.user.id))

test('paying: a passkey logs its owner in, and the challenge works once', async () => {
  const { buyer, passkey, answer: added } = await withPasskey()
  expect(added.statusCode).toBe(204)
  const { body, answer } = await logIn(passkey)
  const xtoken = `Bearer ${answer.json().token}`
  const user = await shop.app.inject({ url: '/api/logged-user', headers: { xtoken } })
  expect(user.json().uuid).toBe(buyer.user.id)
  expect((await post('/api/passkeys/log-in', body)).statusCode).toBe(422)
})

test('paying: a log-in is refused with a passkey that is unknown, of another site, unverified or cloned', async () => {
  const { passkey } = await withPasskey()
  expect((await logIn(onThisShop())).answer.statusCode).toBe(403)
  expect((await logIn(passkey, { origin: 'https://evil.example' })).answer.statusCode).toBe(403)
  // Present, but not verified by fingerprint or PIN.
  expect((await logIn(passkey, { flags: 0x01 })).answer.statusCode).toBe(403)
  expect((await logIn(passkey)).answer.statusCode).toBe(200)
  passkey.counter = 0
  expect((await logIn(passkey)).answer.statusCode).toBe(403)
})

test('paying: an old session can neither add a passkey nor prove itself with another account’s', async () => {
  const [{ buyer, passkey }, other] = [await withPasskey(), await withPasskey()]
  await age(buyer)
  expect((await buyer.ask('POST', '/api/passkeys/options')).json().reason).toBe('proof_needed')
  const prove = async (by: SoftwarePasskey) => {
    const { challengeId, options } = (await buyer.ask('POST', '/api/passkeys/prove/options')).json()
    const response = by.answer(options.challenge)
    return buyer.ask('POST', '/api/passkeys/prove', { challengeId, response })
  }
  expect((await prove(other.passkey)).statusCode).toBe(403)
  expect((await buyer.ask('POST', '/api/passkeys/options')).json().reason).toBe('proof_needed')
  expect((await prove(passkey)).statusCode).toBe(204)
  expect((await buyer.ask('POST', '/api/passkeys/options')).statusCode).toBe(200)
})

test('paying: passkeys are listed for their owner alone, and a removed one no longer logs in', async () => {
  const [{ buyer, passkey }, other] = [await withPasskey(), await withPasskey()]
  const own = (await buyer.ask('GET', '/api/passkeys')).json()['hydra:member']
  expect(own).toEqual([expect.objectContaining({ isSynced: false, lastUsedAt: null })])
  const at = `/api/passkeys/${own[0].id}`
  expect((await other.buyer.ask('DELETE', at)).statusCode).toBe(404)
  expect((await logIn(passkey)).answer.statusCode).toBe(200)
  expect((await buyer.ask('DELETE', at)).statusCode).toBe(204)
  expect((await logIn(passkey)).answer.statusCode).toBe(403)
})

test('paying: a blocked account’s passkey opens no session, and passkeys go with the account', async () => {
  const { buyer, passkey } = await withPasskey()
  await shop.db.update(users).set({ blockedAt: shop.now() }).where(eq(users.id, buyer.user.id))
  expect((await logIn(passkey)).answer.statusCode).toBe(403)
  await shop.db.delete(users).where(eq(users.id, buyer.user.id))
  expect(await shop.db.$count(userPasskeys, eq(userPasskeys.userId, buyer.user.id))).toBe(0)
})
