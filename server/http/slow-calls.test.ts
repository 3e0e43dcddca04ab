import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let port: number

beforeAll(async () => {
  shop = await testShop()
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const address = shop.app.server.address()
  port = typeof address === 'object' ? address!.port : 0
})
afterAll(() => shop.close())

async function answerTo(sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(sent)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))
  await once(socket, 'close')
  return answer
}

test('a request that arrives too slowly is closed after ten seconds, both in its head and its body', async () => {
  const { server } = shop.app
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 10_000])
  // Shortened for the test; the server checks every second.
  server.headersTimeout = server.requestTimeout = 100
  const head =
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'
  for (const sent of [`${head}\r\n{`, head]) expect(await answerTo(sent)).toMatch(/^HTTP\/1\.1 408 /)
})
