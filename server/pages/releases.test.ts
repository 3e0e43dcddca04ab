import Fastify from 'fastify'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { keepRelease, serveAssets } from './assets.ts'

const DAY = 24 * 60 * 60 * 1000
const day = (days: number) => new Date(Date.UTC(2026, 10, 1) + days * DAY)

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'murmur-assets-'))
  folders.push(made)
  return made
}

function built(name: string): string {
  const client = folder()
  mkdirSync(join(client, 'assets'))
  writeFileSync(join(client, 'service-worker.js'), `worker of ${name}`)
  writeFileSync(join(client, `assets/c-${name}.js`), `part of ${name}`)
  writeFileSync(join(client, `assets/c-${name}.js.gz`), gzipSync(`part of ${name}`))
  writeFileSync(join(client, 'assets/font-same.woff2'), 'font')
  return client
}

interface Shop {
  readonly dataDir: string
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{
    statusCode: number
    headers: Record<string, unknown>
    body: string
    rawPayload: Buffer
  }>
}

async function serve(client: string, dataDir: string): Promise<Shop> {
  const app = Fastify()
  await serveAssets(app, { dataDir, client })
  onTestFinished(() => app.close())
  return { dataDir, get: async (url, headers = {}) => await app.inject({ method: 'GET', url, headers }) }
}

async function start(name: string, dataDir: string, now: Date): Promise<Shop> {
  const client = built(name)
  await keepRelease(join(dataDir, 'assets'), join(client, 'assets'), { version: name }, now)
  return serve(client, dataDir)
}

const has = async (shop: Shop, name: string) => (await shop.get(`/assets/c-${name}.js`)).statusCode === 200

test('a page from before an upgrade gets its chunks from the next server, compressed and immutable', async () => {
  const dataDir = folder()
  await start('one', dataDir, day(0))
  const shop = await start('two', dataDir, day(1))
  const part = await shop.get('/assets/c-one.js')
  expect([part.statusCode, part.body]).toEqual([200, 'part of one'])
  expect(part.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const zipped = await shop.get('/assets/c-one.js', { 'accept-encoding': 'gzip' })
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': expect.stringContaining('javascript'),
    vary: expect.stringMatching(/accept-encoding/i),
  })
  expect(zipped.rawPayload).toEqual(gzipSync('part of one'))
  expect((await shop.get('/service-worker.js')).body).toBe('worker of two')
})

test('a server of the previous release serves the next one’s chunks, which it has never seen', async () => {
  const dataDir = folder()
  const before = await start('one', dataDir, day(0))
  expect(await has(before, 'two')).toBe(false)
  await start('two', dataDir, day(1))
  expect(await has(before, 'two')).toBe(true)
})

test('the last three releases are kept, and each that was replaced in the last thirty days', async () => {
  const dataDir = folder()
  await start('one', dataDir, day(0))
  // The first one serves for a hundred days: the time of replacement counts.
  for (const [at, name] of ['two', 'three', 'four'].entries()) await start(name, dataDir, day(100 + at))
  expect(await has(await start('four', dataDir, day(129)), 'one')).toBe(true)
  const after = await start('four', dataDir, day(131))
  expect(await Promise.all(['one', 'two', 'three', 'four'].map((name) => has(after, name)))).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect(readdirSync(join(dataDir, 'assets')).toSorted().join(' ')).toMatch(/^(?:(\w{16}) \1\.json ?){3}$/)
})

test('a release that was rolled back to is the newest again', async () => {
  const dataDir = folder()
  for (const [at, name] of ['one', 'two', 'three', 'one', 'four', 'five'].entries())
    await start(name, dataDir, day(at))
  const shop = await start('five', dataDir, day(90))
  expect([await has(shop, 'one'), await has(shop, 'two')]).toEqual([true, false])
})

test('servers of several releases that start at the same time keep all of them complete', async () => {
  const dataDir = folder()
  // Half-finished copies are recognised by their real age.
  const now = new Date()
  for (const name of ['one', 'two', 'three', 'four'])
    await start(name, dataDir, new Date(now.getTime() - 60 * DAY))
  // Each server would remove the first release, while it starts again.
  const names = ['five', 'five', 'one', 'five', 'six', 'one']
  const shops = await Promise.all(names.map((name) => start(name, dataDir, now)))
  for (const name of ['one', 'five', 'six']) expect(await has(shops[0]!, name)).toBe(true)
  for (const entry of readdirSync(join(dataDir, 'assets'))) expect(entry).toMatch(/^\w{16}(?:\.json)?$/)
})

test('only files that a release lists are served, for any path', async () => {
  const dataDir = folder()
  writeFileSync(join(dataDir, 'app.key'), 'secret')
  await start('one', dataDir, day(0))
  const shop = await start('two', dataDir, day(1))
  const [id] = readdirSync(join(dataDir, 'assets'))
  writeFileSync(join(dataDir, 'assets', id!, 'stray.js'), 'stray')
  for (const path of [
    'stray.js',
    `${id}.json`,
    'c-one.js.gz',
    '..%2fapp.key',
    '%2e%2e%2f%2e%2e%2fapp.key',
    '../../app.key',
    `${id}%2fc-one.js`,
    'c-one.js%00',
    '.',
    '%2e%2e',
    '',
  ])
    expect([path, (await shop.get(`/assets/${path}`)).statusCode]).toEqual([path, 404])
})

test('a copy with an empty file after a power cut is repaired, and unfinished ones are removed', async () => {
  const dataDir = folder()
  const kept = join(dataDir, 'assets')
  await start('one', dataDir, day(0))
  const [id] = readdirSync(kept)
  truncateSync(join(kept, id!, 'c-one.js'))
  cpSync(join(kept, id!), join(kept, `${id}.half.part`), { recursive: true })
  await start('one', dataDir, day(200))
  const shop = await start('two', dataDir, day(201))
  expect((await shop.get('/assets/c-one.js')).body).toBe('part of one')
  expect(readdirSync(kept).some((name) => name.endsWith('.part'))).toBe(false)
})
