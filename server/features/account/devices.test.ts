import { randomUUID } from 'node:crypto'
import { isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Device } from '#contract/account.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { deviceNames } from './devices.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const aDevice = (browser = 'Chrome on Android') => ({ id: randomUUID(), browser })
type Given = ReturnType<typeof aDevice>
type Headers = Record<string, string>

const send = (method: 'POST' | 'PATCH', url: string, headers: Headers = {}, payload?: object) =>
  shop.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })

async function logIn({ email, password }: TestUser, device?: Given) {
  const { token, refresh_token } = (
    await send('POST', '/api/login', {}, { email, password, ...(device && { device }) })
  ).json()
  return { headers: { xtoken: `Bearer ${token}` }, refreshToken: refresh_token as string }
}
const refresh = (token: string, device?: Given) =>
  send('POST', '/api/token/refresh', {}, { refresh_token: token, ...(device && { device }) })
const listed = async (headers: Headers): Promise<Device[]> =>
  (await shop.app.inject({ url: '/api/devices', headers })).json()['hydra:member']
const statusOf = async (headers: Headers) =>
  (await shop.app.inject({ url: '/api/logged-user', headers })).statusCode

test('lists the devices that are logged in: this device first, then the most recently used', async () => {
  const nell = await aUser(shop)
  await logIn(nell, aDevice('Firefox on Windows'))
  shop.clock.advance(60)
  await logIn(nell, aDevice('Safari on iPhone'))
  shop.clock.advance(60)
  const here = aDevice('Chrome on Android')
  const { headers } = await logIn(nell, here)
  shop.clock.advance(60)
  await logIn(nell, aDevice('Edge on Windows'))

  const devices = await listed(headers)
  expect(devices.map(({ name }) => name)).toEqual([
    'Chrome on Android',
    'Edge on Windows',
    'Safari on iPhone',
    'Firefox on Windows',
  ])
  expect(devices.map(({ current }) => current)).toEqual([true, false, false, false])
  expect(devices[0]).toMatchObject({ '@id': `/api/devices/${here.id}`, id: here.id, browser: here.browser })
})

test('registering and refreshing record the device; a client that names no device is listed too', async () => {
  const registered = aDevice('Safari on iPad')
  const email = 'una@murmur.example'
  const person = { email, firstName: 'Una', lastName: 'Reed', countryCode: 'GB' }
  const pair = await send(
    'POST',
    '/api/users',
    {},
    { ...person, password: 'eight-it-is', device: registered },
  )
  const headers = { xtoken: `Bearer ${pair.json().token}` }
  expect((await listed(headers)).map(({ id }) => id)).toEqual([registered.id])

  const silent = await logIn({ id: '', email, password: 'eight-it-is' })
  expect((await listed(silent.headers)).map(({ name }) => name)).toEqual([
    'Unknown browser',
    'Safari on iPad',
  ])
  shop.clock.advance(60)
  const known = aDevice('Opera on Linux')
  await refresh(silent.refreshToken, known)
  expect(await listed(silent.headers)).toMatchObject([
    { id: known.id, name: 'Opera on Linux', lastSeenAt: shop.now().toISOString() },
    { id: registered.id },
  ])
})

test('a device keeps the name that the user gave it after a log-out and in another version of its browser', async () => {
  const nell = await aUser(shop)
  const laptop = aDevice('Firefox on Windows')
  const { headers } = await logIn(nell, laptop)
  const renamed = await send('PATCH', `/api/devices/${laptop.id}`, headers, { name: '  Rosa’s laptop ' })
  expect(renamed.json()).toMatchObject({
    id: laptop.id,
    name: 'Rosa’s laptop',
    browser: 'Firefox on Windows',
  })
  await send('POST', `/api/devices/${laptop.id}/log-out`, headers)
  expect(await deviceNames(shop.db, nell.id)).toEqual(new Map([[laptop.id, 'Rosa’s laptop']]))

  const again = await logIn(nell, { ...laptop, browser: 'Firefox on Linux' })
  expect(await listed(again.headers)).toMatchObject([{ name: 'Rosa’s laptop', browser: 'Firefox on Linux' }])
})

test('a device name must be one readable line of at most 60 characters', async () => {
  const nell = await aUser(shop)
  const phone = aDevice()
  const { headers } = await logIn(nell, phone)
  for (const name of ['', '   ', 'a\nb', 'n'.repeat(61)])
    expect((await send('PATCH', `/api/devices/${phone.id}`, headers, { name })).statusCode, name).toBe(422)
  expect((await listed(headers))[0]!.name).toBe(phone.browser)
})

test('logging out a device ends its requests and refreshes at once, and affects no other device', async () => {
  const nell = await aUser(shop)
  const lost = aDevice()
  const here = await logIn(nell, aDevice())
  const there = await logIn(nell, lost)
  const twice = await logIn(nell, lost)
  // This also puts the session into the server's cache.
  expect(await statusOf(there.headers)).toBe(200)

  expect((await send('POST', `/api/devices/${lost.id}/log-out`, here.headers)).statusCode).toBe(204)
  for (const gone of [there, twice]) {
    expect(await statusOf(gone.headers)).toBe(401)
    expect((await refresh(gone.refreshToken)).statusCode).toBe(410)
  }
  expect(await statusOf(here.headers)).toBe(200)
  expect(await listed(here.headers)).toHaveLength(1)
  expect((await send('POST', `/api/devices/${lost.id}/log-out`, here.headers)).statusCode).toBe(404)
})

test('logging out everywhere else leaves only this session active', async () => {
  const nell = await aUser(shop)
  const others = [await logIn(nell, aDevice()), await logIn(nell), await logIn(nell, aDevice())]
  const here = await logIn(nell, aDevice())
  expect((await send('POST', '/api/devices/log-out-others', here.headers)).statusCode).toBe(204)
  for (const { headers, refreshToken } of others) {
    expect(await statusOf(headers)).toBe(401)
    expect((await refresh(refreshToken)).statusCode).toBe(410)
  }
  expect(await listed(here.headers)).toMatchObject([{ current: true }])
  expect((await refresh(here.refreshToken)).statusCode).toBe(200)
})

test('an expired session does not remove its device’s data until another device logs it out', async () => {
  const nell = await aUser(shop)
  const there = await logIn(nell, aDevice())
  shop.clock.advance(31 * 24 * 3600)
  expect((await refresh(there.refreshToken)).statusCode).toBe(401)
  const here = await logIn(nell, aDevice())
  await send('POST', '/api/logout', {}, { refresh_token: there.refreshToken })
  expect((await refresh(there.refreshToken)).statusCode).toBe(401)
  await send('POST', '/api/devices/log-out-others', here.headers)
  expect((await refresh(there.refreshToken)).statusCode).toBe(410)
  // After a new log-in the device keeps the user's data.
  const again = await logIn(nell, aDevice())
  expect((await refresh(again.refreshToken)).statusCode).toBe(200)
})

test('API-17: after the account is deleted each of its devices must remove its data, whenever it refreshes', async () => {
  const nell = await aUser(shop)
  const there = await logIn(nell, aDevice())
  const expired = await logIn(nell, aDevice())
  const here = await logIn(nell, aDevice())
  const spent = here.refreshToken
  const { refresh_token: current } = (await refresh(spent)).json()
  expect(
    (await send('POST', `/api/users/${nell.id}/delete-account`, here.headers, { password: nell.password }))
      .statusCode,
  ).toBe(204)
  for (const token of [there.refreshToken, expired.refreshToken, spent, current])
    expect((await refresh(token)).statusCode).toBe(410)
  expect(await statusOf(there.headers)).toBe(401)
  // A device that was offline for long gets the same response, as long as its session could have lasted.
  shop.clock.advance(90 * 24 * 3600)
  expect((await refresh(there.refreshToken)).statusCode).toBe(410)
  // The remaining session rows reference neither user nor device.
  const rows = await shop.db.select().from(sessions).where(isNull(sessions.userId))
  expect(rows.map(({ deviceId }) => deviceId)).toEqual([null, null, null])
})

test('another user’s device does not exist for this account, even if both share one browser', async () => {
  const shared = aDevice()
  const nell = await aUser(shop)
  const una = await aUser(shop)
  const hers = await logIn(nell, shared)
  const other = { ...(await signedIn(shop, una)) }
  for (const answer of [
    await send('PATCH', `/api/devices/${shared.id}`, other, { name: 'Mine now' }),
    await send('POST', `/api/devices/${shared.id}/log-out`, other),
    await send('POST', `/api/devices/${randomUUID()}/log-out`, other),
  ])
    expect(answer.statusCode).toBe(404)

  const unas = await logIn(una, shared)
  await send('PATCH', `/api/devices/${shared.id}`, unas.headers, { name: 'Una’s side' })
  await send('POST', `/api/devices/${shared.id}/log-out`, unas.headers)
  expect(await statusOf(hers.headers)).toBe(200)
  expect(await listed(hers.headers)).toMatchObject([{ id: shared.id, name: shared.browser }])
})
