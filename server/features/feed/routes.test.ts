import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FEED_HEARTBEAT_TIMEOUT_MS, FEED_PATH } from '#contract/limits.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { closeStreams, listenTo } from '#tests/support/live-stream.ts'
import { soon } from '#tests/support/wait-for.ts'
import { buildApp } from '../../app.ts'
import { publish } from './service.ts'

let at: PayingShop
let base: string
beforeAll(async () => {
  at = await payingShop()
  await at.shop.app.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(at.shop.app.server.address() as AddressInfo).port}`
})
afterEach(closeStreams)
afterAll(() => at.shop.close())

const listen = (token: string, topic: string, more: { last?: string; from?: string } = {}) =>
  listenTo(more.from ?? base, { token, topic, ...more })

async function listener(): Promise<Buyer & { token: string; login: string; topic: string }> {
  const buyer = await aBuyer(at.shop)
  const user = (await buyer.ask('GET', '/api/logged-user')).json()
  const login = buyer.headers.xtoken.replace('Bearer ', '')
  return { ...buyer, token: user.jwtMercuryToken, login, topic: `user/${user.uuid}` }
}
const say = (who: Buyer, uuid: string = randomUUID()) =>
  at.shop.db
    .transaction((tx) => publish(tx, who.user.id, { type: 'new_order', uuid }, at.shop.now()))
    .then(() => uuid)

test('FEED-01: the client subscribes to its own topic; another user’s is refused', async () => {
  const [one, two] = [await listener(), await listener()]
  const { response } = await listen(one.token, one.topic)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect((await listen(one.token, two.topic)).response.status).toBe(403)
  expect((await listen(one.token, '*')).response.status).toBe(403)
  expect((await fetch(`${base}${FEED_PATH}`, { headers: one.headers })).status).toBe(400)
})

test('FEED-02: the stream accepts a bearer token, the feed’s own or the access token, and nothing else', async () => {
  const one = await listener()
  const address = `${base}${FEED_PATH}?topic=${encodeURIComponent(one.topic)}`
  expect((await listen(one.login, one.topic)).response.status).toBe(200)
  expect((await fetch(address)).status).toBe(401)
  expect((await listen('nonsense', one.topic)).response.status).toBe(401)
  expect((await fetch(`${address}&authorization=${one.token}`)).status).toBe(401)
  // The feed's token is accepted only for the stream.
  const headers = { xtoken: `Bearer ${one.token}` }
  expect((await at.shop.app.inject({ url: '/api/libraries', headers })).statusCode).toBe(401)
  expect((await fetch(address, { method: 'POST', headers, body: 'data=x' })).status).toBe(405)
})

test('FEED-03: without any data for an hour the connection counts as dead', () => {
  expect(FEED_HEARTBEAT_TIMEOUT_MS).toBe(3_600_000)
})

test('FEED-04: only the buyer receives the event of a paid order, with its uuid', async () => {
  const [one, two] = [await listener(), await listener()]
  const [heard, other] = [await listen(one.token, one.topic), await listen(two.token, two.topic)]
  const book = await anAudioBook(at.shop)
  const till = await checkOut(one, await fillBag(one, [{ ...book, kind: 'audio_books' }]))
  at.payments.pay(till.intent)
  await hearOf(at, till.intent)
  expect((await heard.next()).data).toEqual({ type: 'new_order', uuid: till.order })
  // Events arrive in order, so nothing arrived before this one.
  const own = await say(two)
  expect((await other.next()).data).toEqual({ type: 'new_order', uuid: own })
})

test('after a reconnection, sends everything after the last event in order, or everything that is stored', async () => {
  const one = await listener()
  const first = await listen(one.token, one.topic)
  expect(first.response.headers.get('last-event-id')).toBe('earliest')
  const orders = [await say(one), await say(one), await say(one)]
  const seen = await first.next()
  expect(seen.data).toEqual({ type: 'new_order', uuid: orders[0] })
  const again = await listen(one.token, one.topic, { last: seen.id! })
  expect(again.response.headers.get('last-event-id')).toBe(seen.id)
  expect([(await again.next()).data, (await again.next()).data]).toEqual(
    orders.slice(1).map((uuid) => ({ type: 'new_order', uuid })),
  )
  const all = await listen(one.token, one.topic, { last: 'earliest' })
  for (const uuid of orders) expect((await all.next()).data).toEqual({ type: 'new_order', uuid })
  // Without a last event id, only new events are sent.
  const fresh = await listen(one.token, one.topic)
  const later = await say(one)
  expect((await fresh.next()).data).toEqual({ type: 'new_order', uuid: later })
})

test('another account’s event id cannot be used to resume', async () => {
  const [one, two] = [await listener(), await listener()]
  const theirs = await listen(one.token, one.topic)
  await say(one)
  const { id } = await theirs.next()
  await say(two)
  const heard = await listen(two.token, two.topic, { last: id! })
  expect(heard.response.headers.get('last-event-id')).toBe('earliest')
  expect((await heard.next()).data).toMatchObject({ type: 'new_order' })
})

test('two instances share the events; one that shuts down tells its clients when to reconnect', async () => {
  const one = await listener()
  const second = await buildApp({ ...at.shop })
  await second.listen({ port: 0, host: '127.0.0.1' })
  const from = `http://127.0.0.1:${(second.server.address() as AddressInfo).port}`
  const heard = await listen(one.token, one.topic, { from })
  expect(heard.response.status).toBe(200)
  const uuid = await say(one)
  expect((await heard.next()).data).toEqual({ type: 'new_order', uuid })
  expect(heard.retryMs()).toBeUndefined()
  await second.close()
  expect(await heard.ended).toBe(true)
  expect(heard.retryMs()).toBeGreaterThanOrEqual(500)
})

test('a second request over the connection of an ended stream is answered and told to reconnect elsewhere', async () => {
  const one = await listener()
  const ending = new AbortController()
  const config = Object.assign(Object.create(at.shop.config), { drainSeconds: 600 })
  const second = await buildApp({ ...at.shop, config, ending: ending.signal })
  await second.listen({ port: 0, host: '127.0.0.1' })
  const proxy = connect((second.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  let heard = ''
  proxy.on('data', (text: string) => (heard += text))
  const request = `GET ${FEED_PATH}?topic=${encodeURIComponent(one.topic)} HTTP/1.1\r\nhost: shop\r\nauthorization: Bearer ${one.token}\r\n\r\n`
  proxy.write(request)
  await soon(() => expect(heard).toContain('text/event-stream'))
  ending.abort()
  const closed = second.close()
  await soon(() => expect(heard).toMatch(/retry: \d+\n\n\r\n0\r\n/))
  heard = ''
  proxy.write(request)
  await once(proxy, 'end')
  expect(heard).toMatch(/^HTTP\/1\.1 200 [\s\S]+connection: close[\s\S]+retry: \d+\n\n/i)
  proxy.end()
  await closed
})

test('a stream closes when its token expires, and the number of streams per account is limited', async () => {
  const one = await listener()
  at.shop.clock.advance(30 * 60 - 1)
  const { response, ended } = await listen(one.token, one.topic)
  expect(response.status).toBe(200)
  expect(await ended).toBe(true)
  at.shop.clock.advance(2)
  expect((await listen(one.token, one.topic)).response.status).toBe(401)

  const two = await listener()
  const statuses: number[] = []
  for (let tab = 0; tab < 14; tab++) statuses.push((await listen(two.token, two.topic)).response.status)
  expect(statuses).toEqual([...Array<number>(12).fill(200), 429, 429])
})

test('the end of a session closes its streams on every instance, and its feed token opens none', async () => {
  const second = await buildApp({ ...at.shop })
  await second.listen({ port: 0, host: '127.0.0.1' })
  const elsewhere = `http://127.0.0.1:${(second.server.address() as AddressInfo).port}`
  const post = (who: Buyer, url: string, payload: object, method: 'POST' | 'PUT' = 'POST') =>
    at.shop.app.inject({ method, url, payload, headers: who.headers })

  const ends: Record<string, (who: Buyer, refreshToken: string) => Promise<{ statusCode: number }>> = {
    'log-out': (who, refreshToken) => post(who, '/api/logout', { refresh_token: refreshToken }),
    'log-out from another device': (who) => post(who, '/api/devices/log-out-others', {}),
    'a new password': (who) =>
      post(
        who,
        `/api/users/${who.user.id}/change-password`,
        { oldPassword: who.user.password, newPassword: 'a-new-one-7' },
        'PUT',
      ),
    deletion: (who) => post(who, `/api/users/${who.user.id}/delete-account`, { password: who.user.password }),
  }
  for (const [how, end] of Object.entries(ends)) {
    const who = await aBuyer(at.shop)
    const { email, password } = who.user
    const pair = (await post(who, '/api/login', { email, password })).json()
    const headers = { xtoken: `Bearer ${pair.token}` }
    const user = (await at.shop.app.inject({ url: '/api/logged-user', headers })).json()
    const [token, topic] = [user.jwtMercuryToken as string, `user/${user.uuid}`]
    const streams = [await listen(token, topic), await listen(token, topic, { from: elsewhere })]
    streams.push(await listen(pair.token, topic))
    expect(
      streams.map(({ response }) => response.status),
      how,
    ).toEqual([200, 200, 200])

    expect((await end(who, pair.refresh_token)).statusCode, how).toBeLessThan(300)
    expect(await Promise.all(streams.map(({ ended }) => ended)), how).toEqual([true, true, true])
    expect((await listen(token, topic)).response.status, how).toBe(401)
    await expect
      .poll(async () => (await listen(token, topic, { from: elsewhere })).response.status, { message: how })
      .toBe(401)
  }
  await second.close()
})
