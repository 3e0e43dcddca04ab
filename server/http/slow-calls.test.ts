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

/** What came back until the shop closed the connection. */
async function answerTo(sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(sent)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))
  await once(socket, 'close')
  return answer
}

test('a call that comes too slowly is closed after ten seconds, its head and its body alike', async () => {
  const { server } = shop.app
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 10_000])
  // Not waited for here: the shop looks every second.
  server.headersTimeout = server.requestTimeout = 100
  const head =
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'
  for (const sent of [`${head}\r\n{`, head]) expect(await answerTo(sent)).toMatch(/^HTTP\/1\.1 408 /)
})
