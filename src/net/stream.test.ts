import { expect, test, vi } from 'vitest'
import { fromShop } from '#tests/support/shop-response.ts'
import { configureNet } from './settings.ts'
import { eventParser, readStream, type StreamEvent } from './stream.ts'

const heard = (...pieces: string[]): StreamEvent[] => {
  const events: StreamEvent[] = []
  const feed = eventParser((event) => events.push(event))
  pieces.forEach(feed)
  return events
}

test('an event ends at its empty line, however many chunks it arrives in', () => {
  const text = 'id: urn:uuid:1\ndata: {"type":"library"}\n\n'
  expect(heard(text)).toEqual([{ id: 'urn:uuid:1', data: '{"type":"library"}' }])
  expect(heard(...text.split(''))).toEqual(heard(text))
  expect(heard(text.slice(0, -1))).toEqual([])
})

test('comments are ignored, data lines are joined, and every line ending is accepted', () => {
  expect(heard(':\n\n: still here\n\n')).toEqual([])
  expect(heard('data: one\r\ndata: two\r\n\r\n', 'data:three\r\rdata')).toEqual([
    { id: undefined, data: 'one\ntwo' },
    { id: undefined, data: 'three' },
  ])
})

test('an id applies until the next one', () => {
  expect(heard('id: 7\ndata: a\n\ndata: b\n\nid: 8\ndata: c\n\n').map(({ id }) => id)).toEqual([
    '7',
    '7',
    '8',
  ])
})

test('tries the stream’s own token first, then the log-in’s, and puts neither in the URL', async () => {
  const asked: [string, string | undefined][] = []
  const fetch = vi.fn(async (address: unknown, init?: RequestInit) => {
    const bearer = new Headers(init?.headers).get('authorization')
    asked.push([String(address), bearer ?? undefined])
    return bearer === 'Bearer spent'
      ? fromShop('', { status: 401 })
      : fromShop('id: 1\ndata: here\n\n', { status: 200 })
  })
  configureNet({
    origin: '',
    fetch: fetch,
    tokens: {
      read: async () => ({ token: 'log-in', refreshToken: undefined }),
      peek: () => undefined,
      readNewest: async () => undefined,
      write: async () => undefined,
      lend: async () => undefined,
      clear: async () => undefined,
    },
  })
  const heard: StreamEvent[] = []
  const end = await readStream({
    path: '/.well-known/mercure',
    search: { topic: 'user/u1' },
    token: 'spent',
    signal: new AbortController().signal,
    onEvent: (event) => heard.push(event),
  })
  expect(end).toBe('closed')
  expect(heard).toEqual([{ id: '1', data: 'here' }])
  expect(asked.map(([, bearer]) => bearer)).toEqual(['Bearer spent', 'Bearer log-in'])
  expect(asked.every(([address]) => address === '/.well-known/mercure?topic=user%2Fu1')).toBe(true)
})

test("trap 22: a captive portal’s refusal doesn't count: the stream is retried later", async () => {
  configureNet({ fetch: async () => new Response('', { status: 403 }) })
  const request = { path: '/.well-known/mercure', search: {}, token: 'any', onEvent: () => undefined }
  expect(await readStream({ ...request, signal: new AbortController().signal })).toBe('closed')
})
