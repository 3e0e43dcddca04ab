import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { endLastConnections } from './last-connections.ts'

test('closing waits neither for a connection without a request nor for one whose response ended late', async () => {
  const app = Fastify({ keepAliveTimeout: 3_600_000 })
  endLastConnections({ app, shop: { ending: new AbortController().signal, config: { drainSeconds: 0 } } })
  const reached = Promise.withResolvers<() => void>()
  app.get('/stream', (_request, reply) => {
    reply.hijack()
    reply.raw.write('begun')
    reached.resolve(() => reply.raw.end('ended'))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const unasked = connect(port, '127.0.0.1')
  // Its client stays silent: it never ends its own half.
  const listening = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const heard: string[] = []
  listening.on('data', (bytes) => heard.push(String(bytes)))
  listening.write('GET /stream HTTP/1.1\r\nhost: shop\r\n\r\n')
  const finish = await reached.promise
  const closed = app.close()
  await once(unasked.resume(), 'close')
  finish()
  await Promise.all([closed, once(listening, 'end')])
  listening.destroy()
  expect(heard.join('')).toContain('ended')
})

test('a connection whose response began before shutdown serves one more request; the client ends it', async () => {
  const ending = new AbortController()
  const app = Fastify({ keepAliveTimeout: 3_600_000, return503OnClosing: false })
  endLastConnections({ app, shop: { ending: ending.signal, config: { drainSeconds: 600 } } })
  const reached = Promise.withResolvers<() => void>()
  app.get('/download', (_request, reply) => {
    reply.hijack()
    reply.raw.write('begun')
    reached.resolve(() => reply.raw.end('ended'))
  })
  app.get('/next', async () => 'next')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const proxy = connect(port, '127.0.0.1')
  let heard = ''
  const said = (words: string) =>
    new Promise<void>((resolve) => proxy.on('data', () => heard.includes(words) && resolve()))
  proxy.on('data', (bytes) => (heard += String(bytes)))
  proxy.write('GET /download HTTP/1.1\r\nhost: shop\r\n\r\n')
  const finish = await reached.promise
  ending.abort()
  finish()
  await said('ended')
  const closed = app.close()
  proxy.write('GET /next HTTP/1.1\r\nhost: shop\r\n\r\n')
  await said('next')
  proxy.end()
  await closed
  expect(heard.split('next')).toHaveLength(2)
})
