import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, anAudioBook, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { openLog } from '../log/log.ts'
import { runJob } from '../jobs/run-job.ts'
import { requestIds } from './requests.ts'

let lines: string[]
let shop: TestShop
let url: string

beforeAll(async () => {
  lines = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  shop = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' }, log })
  url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => shop.close())

const linesOf = async (id: string | null, most = 1): Promise<Record<string, unknown>[]> => {
  const found = () => lines.map((line) => JSON.parse(line)).filter(({ request }) => request === id)
  await expect.poll(() => found().length).toBeGreaterThanOrEqual(most)
  return found()
}

test('each request logs one line: method, route, status, milliseconds, and a stable hash of the user', async () => {
  const user = await aUser(shop)
  const headers = await signedIn(shop, user)
  const ask = async () => {
    const answer = await fetch(`${url}/api/logged-user`, { headers })
    return (await linesOf(answer.headers.get('x-request-id')))[0]!
  }
  const [first, second] = [await ask(), await ask()]
  expect(first).toMatchObject({ level: 'info', method: 'GET', route: '/api/logged-user', status: 200 })
  expect(first.ms).toBeGreaterThan(0)
  expect(first.who).toMatch(/^[\w-]{16}$/)
  expect(second.who).toBe(first.who)
  expect(second.request).not.toBe(first.request)
  expect(lines.join('')).not.toContain(user.id)
  expect(shop.metrics.requests.series).toContainEqual(
    expect.objectContaining({ labels: { method: 'GET', route: '/api/logged-user', status: '200' } }),
  )
})

test('a response from memory has its own id, a log line and its route', async () => {
  await anAudioBook(shop)
  const ids = new Set<string>()
  for (let round = 0; round < 3; round += 1) {
    const answer = await fetch(`${url}/api/audio_books?itemsPerPage=12`)
    const id = answer.headers.get('x-request-id')!
    ids.add(id)
    expect(await linesOf(id)).toMatchObject([{ route: '/api/audio_books', status: 200 }])
  }
  expect(ids.size).toBe(3)
  expect([...shop.metrics.answersFromMemory.series][0]!.value).toBe(2)
})

test('a trusted proxy’s request id is used and returned; an untrusted or malformed one is not', async () => {
  const ask = async (id: string) =>
    (await shop.app.inject({ url: '/api/health', headers: { 'x-request-id': id } })).headers['x-request-id']
  expect(await ask('edge-7f3a.2026')).toBe('edge-7f3a.2026')
  expect(await ask('two words "and quotes"')).not.toContain(' ')
  const [headers, stranger] = [{ 'x-request-id': 'edge-7f3a.2026' }, { remoteAddress: '203.0.113.7' }]
  expect(requestIds(shop.config)({ headers, socket: stranger } as never)).toMatch(/^[0-9a-f-]{36}$/)
})

test('every log line that a request causes has its id, also after its body was read', async () => {
  const { email } = await aUser(shop)
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'not this one' }),
  })
  expect(answer.status).toBe(401)
  const found = await linesOf(answer.headers.get('x-request-id'), 2)
  expect(found.map(({ security, msg }) => security ?? msg)).toEqual(['log_in_failed', 'answered'])
  const broken = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  })
  expect(await linesOf(broken.headers.get('x-request-id'))).toMatchObject([
    { route: '/api/login', status: 400 },
  ])
})

test('a request whose client disconnects before the response has a log line too', async () => {
  const id = 'gone-before-the-end'
  await shop.db.transaction(async (tx) => {
    await tx.execute('lock table books in access exclusive mode')
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /api/audio_books/left-${id} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.destroy()
  })
  expect(await linesOf(id)).toMatchObject([{ route: '/api/audio_books/:slug', cut: true }])
})

test('every log line that a job causes has its name', async () => {
  const run = async () => shop.log.warn('a thing of the job')
  const stop = await runJob(shop, { name: 'a-job', firstInMs: 0, sharesWork: true, pauseMs: () => 1e6, run })
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toContainEqual(expect.objectContaining({ msg: 'a thing of the job', job: 'a-job' }))
  await stop()
})
