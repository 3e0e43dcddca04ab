import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { listenAtSocket, proxySocket } from './proxy-socket.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-socket-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function ask(socketPath: string): Promise<string> {
  const asked = request({ socketPath, headers: { 'x-forwarded-for': '203.0.113.7' }, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return (await answer.setEncoding('utf8').toArray()).join('')
}

test('a client of the socket counts as a proxy on this machine, so its X-Forwarded-For is trusted', async () => {
  const app = Fastify({ trustProxy: (address) => address === '127.0.0.1' })
  app.get('/', async ({ ip }) => ip)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets = proxySocket(app)
  const path = join(folder, 'shop.sock')
  await listenAtSocket(sockets, path)
  expect(await ask(path)).toBe('203.0.113.7')
  sockets.close()
  await app.close()
})

test('a socket left by a killed server is replaced; any other file is not', async () => {
  const app = Fastify()
  app.get('/', async () => 'open')
  const path = join(folder, 'left.sock')
  const left = createServer().listen(path)
  await once(left, 'listening')
  const sockets = proxySocket(app)
  await app.ready()
  await listenAtSocket(sockets, path)
  expect(await ask(path)).toBe('open')
  sockets.close()
  left.close()
  const page = join(folder, 'a-page')
  writeFileSync(page, 'kept')
  await expect(listenAtSocket(proxySocket(app), page)).rejects.toThrow('EADDRINUSE')
  await app.close()
})
