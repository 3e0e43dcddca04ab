import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { openLog } from '#server/log/log.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { buildApp } from '../app.ts'
import { findingOf } from '../checks/doctor.ts'
import { checkProxies } from '../checks/operations.ts'
import { todoList } from '../checks/todo.ts'
import { readConfig } from '../settings/config.ts'
import { countOrRefuse, addressKey, type Limit } from './rate-limit.ts'

const lines: { level: string | number; proxy?: string; msg: string }[] = []
let shop: TestShop
beforeAll(async () => {
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  shop = await testShop({ env: { DEMO: '0' }, log })
})
afterAll(() => shop.close())

const call = (remoteAddress: string, headers: Record<string, string> = {}) =>
  shop.app.inject({ url: '/api/health/live', headers, remoteAddress })
const configWith = (trusted: string) =>
  readConfig(
    { DATA_DIR: shop.config.dataDir, APP_KEYS: 'k'.repeat(32), DEMO: '0', TRUSTED_PROXIES: trusted },
    [],
  )
/** The commands run in other processes, with only the database and the settings. */
const todo = async (config = shop.config) =>
  (await todoList({ ...shop, config }, async () => [])()).filter(({ kind }) => kind === 'proxy')
const doctor = async (config = shop.config) =>
  findingOf('proxy', await checkProxies({ db: shop.db, config, now: shop.now }))
const keys = async () => (await todo()).map(({ key }) => key)

test('a proxy missing from TRUSTED_PROXIES is logged once, checked and listed, until it is added', async () => {
  await call('192.0.2.1')
  await call('10.0.0.5')
  expect(await doctor()).toMatchObject({ state: 'fine' })
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const)
    for (let visitor = 0; visitor < 4; visitor++) await call('10.0.0.5', { [header]: `203.0.113.${visitor}` })

  await expect.poll(keys).toEqual(['proxy:10.0.0.5'])
  const loud = lines.filter(({ proxy }) => proxy !== undefined)
  expect(loud).toHaveLength(1)
  expect(loud[0]).toMatchObject({
    proxy: '10.0.0.5',
    msg: expect.stringContaining('TRUSTED_PROXIES=10.0.0.5'),
  })
  expect(await doctor()).toMatchObject({
    state: 'broken',
    says: expect.stringContaining('TRUSTED_PROXIES=10.0.0.5 '),
  })
  expect((await todo())[0]!.remedy).toBe('Set TRUSTED_PROXIES=10.0.0.5 and restart the shop.')
  // The suggested value includes the existing proxies.
  expect((await todo(configWith('192.168.1.1')))[0]!.remedy).toContain(
    'TRUSTED_PROXIES=192.168.1.1,10.0.0.5 ',
  )

  const mended = configWith('10.0.0.0/24')
  expect(await todo(mended)).toEqual([])
  expect(await doctor(mended)).toMatchObject({ state: 'look' })
  await (await buildApp({ ...shop, config: mended })).ready()
  expect(await doctor(mended)).toMatchObject({ state: 'fine' })
  expect(await todo()).toEqual([])
})

test('a trusted proxy that sends only Forwarded or X-Real-IP is reported until it sends X-Forwarded-For', async () => {
  lines.length = 0
  const config = configWith('10.1.0.0/24')
  const app = await buildApp({ ...shop, config })
  await app.ready()
  const send = (remoteAddress: string, headers: Record<string, string>) =>
    app.inject({ url: '/api/health/live', headers, remoteAddress })
  // Health checks and visitors on the proxy's own machine do not send these headers.
  await send('10.1.0.1', {})
  await send('10.1.0.2', { 'x-forwarded-for': '203.0.113.1', 'x-real-ip': '203.0.113.1' })
  for (let visitor = 0; visitor < 3; visitor++) {
    await send('10.1.0.3', { forwarded: `for=203.0.113.${visitor}` })
    await send('10.1.0.4', { 'x-real-ip': `203.0.113.${visitor}` })
  }
  const reported = async () => (await todo(config)).map(({ key }) => key).sort()
  await expect.poll(reported).toEqual(['proxy:10.1.0.3', 'proxy:10.1.0.4'])

  expect(lines.filter(({ proxy }) => proxy !== undefined).map(({ proxy }) => proxy)).toEqual([
    '10.1.0.3',
    '10.1.0.4',
  ])
  const [onlyForwarded, onlyRealIp] = (await todo(config)).toSorted((a, b) => a.key.localeCompare(b.key))
  expect(onlyForwarded!.what).toContain('sends only Forwarded')
  expect(onlyForwarded!.what).toContain('X-Forwarded-For')
  expect(onlyForwarded!.remedy).toContain('X-Forwarded-For')
  expect(onlyForwarded!.remedy).not.toContain('TRUSTED_PROXIES')
  expect(onlyRealIp!.what).toContain('sends only X-Real-IP')
  expect(await doctor(config)).toMatchObject({
    state: 'broken',
    says: expect.stringContaining('X-Forwarded-For'),
  })

  // A proxy that is not trusted and sends only Forwarded needs both changes.
  expect((await todo(configWith('10.9.0.0/24')))[0]!.remedy).toMatch(/TRUSTED_PROXIES=.*X-Forwarded-For/)

  // The proxy was corrected: no restart is necessary.
  await send('10.1.0.3', { 'x-forwarded-for': '203.0.113.1' })
  await expect.poll(reported).toEqual(['proxy:10.1.0.4'])
  await send('10.1.0.4', { 'x-forwarded-for': '203.0.113.1' })
  await expect.poll(reported).toEqual([])
  expect(await doctor(config)).toMatchObject({ state: 'fine' })
  await app.close()
})

test('a removed proxy leaves the list a day later', async () => {
  await shop.db.execute(sql`insert into untrusted_proxies values ('10.0.0.9', 'forwarded',
    ${shop.now().toISOString()}, ${shop.now().toISOString()})`)
  expect(await todo()).toHaveLength(1)
  shop.clock.advance(24 * 3600 + 1)
  expect(await todo()).toEqual([])
})

test('a forged header from a visitor raises no alarm; a CDN missing from the settings does', async () => {
  const stranger = { 'x-forwarded-for': '1.2.3.4' }
  for (let index = 0; index < 100; index++) await call(`198.51.100.${index}`, index % 2 === 0 ? stranger : {})
  await call('10.0.0.77', stranger)
  // This call comes last, so the others have been stored by now.
  await expect.poll(keys).toEqual(['proxy:10.0.0.77'])

  for (let index = 0; index < 100; index++) await call('198.51.100.200', stranger)
  await expect.poll(keys).toContain('proxy:198.51.100.200')
})

test('IPv6 limits count per /64 and, eight times as high, per /48', async () => {
  const limit: Limit = { name: 'test', most: 2, windowSeconds: 60 }
  const hit = (address: string) => countOrRefuse(shop.db, limit, addressKey(address), shop.now())
  await hit('2001:db8:1:1::1')
  await hit('2001:db8:1:1:ffff::2')
  await expect(hit('2001:db8:1:1::3')).rejects.toMatchObject({ kind: 'tooMany' })
  // Two of the site's sixteen hits are used; refused ones do not count.
  for (let network = 2; network < 9; network++)
    for (let time = 0; time < 2; time++) await hit(`2001:db8:1:${network}::1`)
  await expect(hit('2001:db8:1:ff::1')).rejects.toMatchObject({ kind: 'tooMany' })
  await hit('2001:db8:2:1::1')
  for (let machine = 1; machine < 30; machine++) await hit(`203.0.113.${machine}`)
})
