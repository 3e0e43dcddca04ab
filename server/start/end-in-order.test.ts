import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { freshDataDir } from '#tests/support/database.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'
import { soon } from '#tests/support/wait-for.ts'

test('a stopping server answers pending requests, sends clients elsewhere, then accepts no new ones', async () => {
  const PORT = await freePort()
  const env = {
    PORT,
    DRAIN_SECONDS: '1',
    DATA_DIR: await freshDataDir(),
    APP_KEYS: 'k'.repeat(32),
    CODE_KEY: 'k'.repeat(32),
    DEMO: '0',
  }
  const server = await startSources(env)
  const body = JSON.stringify({ email: 'nobody@murmur.example', password: 'wrong' })
  const socket = connect(Number(PORT), '127.0.0.1')
  socket.setEncoding('utf8')
  let answer = ''
  socket.on('data', (text: string) => (answer += text))
  socket.write(
    `POST /api/login HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  // A later connection was answered, so the first one has been accepted.
  const ready = await fetch(`${server.url}/api/health/ready`)
  expect([ready.status, ready.headers.get('connection')]).toEqual([200, 'keep-alive'])
  const ended = server.end()
  await soon(async () => expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(503))
  const last = await fetch(`${server.url}/api/styles`)
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])
  await soon(() => expect(fetch(`${server.url}/api/health/live`)).rejects.toThrow())
  socket.write(body.slice(5))
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
  expect(await ended).toBe(0)
})
