import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PublicAnswers } from './response-cache.ts'

let answers: PublicAnswers
let server: Server
const long = Buffer.from('a sentence that compresses well. '.repeat(100))

beforeAll(async () => {
  server = createServer((incoming, response) => {
    if (!answers.answered(incoming, response, 'an-id')) response.writeHead(599).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  answers = new PublicAnswers({ maxBytes: 10_000, countryOf: () => 'GB' })
  answers.keep('GB /page', answers.generation, '/page', {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: long,
  })
})
afterAll(() => server.close())

interface Received {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as { port: number }
    request({ port, path, method, headers, host: '127.0.0.1' }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })

test('a cached response is sent in the best encoding that the client accepts', async () => {
  for (let round = 0; round < 2; round += 1) {
    const plain = await get('/page')
    expect([plain.headers['content-encoding'], plain.body.equals(long)]).toEqual([undefined, true])
    const brotli = await get('/page', { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body).equals(long)).toBe(true)
    const gzip = await get('/page', { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body).equals(long)).toBe(true)
  }
})

test('a response that is requested often is soon sent with fewer bytes', async () => {
  answers = new PublicAnswers({ maxBytes: 1_000_000, countryOf: () => 'GB' })
  const body = Buffer.from(
    Array.from({ length: 4_000 }, (_, line) => `Page ${(line * 7_919) % 1_009}`).join(),
  )
  answers.keep('GB /often', answers.generation, '/often', { status: 200, headers: {}, body })
  const received = () => get('/often', { 'accept-encoding': 'br' })
  const first = await received()
  await vi.waitFor(async () => expect((await received()).body.length).toBeLessThan(first.body.length))
  const dense = await received()
  expect(brotliDecompressSync(dense.body).equals(body)).toBe(true)
  expect(dense.headers.etag).toBe(first.headers.etag)
})

test('a client with a current copy gets 304, and HEAD has no body', async () => {
  const { headers } = await get('/page')
  expect((await get('/page', { 'if-none-match': String(headers.etag) })).status).toBe(304)
  const head = await get('/page', {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
    200,
    String(long.length),
    0,
  ])
})

test('a request with a token is never answered from the shared cache', async () => {
  expect((await get('/page', { xtoken: 'Bearer x' })).status).toBe(599)
  expect((await get('/page', { authorization: 'Bearer x' })).status).toBe(599)
  expect((await get('/page', {}, 'POST')).status).toBe(599)
})

test('a catalogue change drops every response, also one being computed', async () => {
  const before = answers.generation
  answers.clear()
  answers.keep('GB /late', before, '/page', { status: 200, headers: {}, body: long })
  expect((await get('/page')).status).toBe(599)
  expect((await get('/late')).status).toBe(599)
})

test('the least recently used response is evicted', async () => {
  answers.keep('GB /second', answers.generation, '/page', { status: 200, headers: {}, body: long })
  await get('/page')
  answers.keep('GB /third', answers.generation, '/page', { status: 200, headers: {}, body: long })
  expect((await get('/page')).status).toBe(200)
  expect((await get('/second')).status).toBe(599)
  expect((await get('/third')).status).toBe(200)
})
