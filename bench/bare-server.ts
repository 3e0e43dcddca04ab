import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The reference server: `node:http` alone, sending bytes it was given. */
export interface BareAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
}

let answer: { status: number; headers: Record<string, string>; body: Buffer } = {
  status: 204,
  headers: {},
  body: Buffer.alloc(0),
}
process.on('message', ({ status, headers, bodyBase64 }: BareAnswer) => {
  answer = { status, headers, body: Buffer.from(bodyBase64, 'base64') }
  process.send?.('ready')
})
process.on('disconnect', () => process.exit(0))

const server = createServer((request, response) => {
  const send = () => {
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
  }
  if (request.method === 'GET') send()
  else request.resume().once('end', send)
})
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
