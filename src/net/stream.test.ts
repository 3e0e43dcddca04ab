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

test('an event is whole at its empty line, in however many pieces it came', () => {
  const text = 'id: urn:uuid:1\ndata: {"type":"library"}\n\n'
  expect(heard(text)).toEqual([{ id: 'urn:uuid:1', data: '{"type":"library"}' }])
  expect(heard(...text.split(''))).toEqual(heard(text))
  expect(heard(text.slice(0, -1))).toEqual([])
})

test('comments are no events, lines of data belong together, and every kind of line end counts', () => {
  expect(heard(':\n\n: still here\n\n')).toEqual([])
  expect(heard('data: one\r\ndata: two\r\n\r\n', 'data:three\r\rdata')).toEqual([
    { id: undefined, data: 'one\ntwo' },
    { id: undefined, data: 'three' },
  ])
})

test('an id holds until another one is given', () => {
  expect(heard('id: 7\ndata: a\n\ndata: b\n\nid: 8\ndata: c\n\n').map(({ id }) => id)).toEqual([
    '7',
    '7',
    '8',
  ])
})

test('its own token is tried first, a spent one gives way to the log-in’s, and neither stands in an address', async () => {
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

test('trap 22: a stranger’s refusal is no refusal of the shop: the stream is tried again later', async () => {
  configureNet({ fetch: async () => new Response('', { status: 403 }) })
  const request = { path: '/.well-known/mercure', search: {}, token: 'any', onEvent: () => undefined }
  expect(await readStream({ ...request, signal: new AbortController().signal })).toBe('closed')
})
