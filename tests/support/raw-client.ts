import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Address } from '#server/db/embedded/run-file.ts'
import { frame, FrameReader, textAt, typeOf } from '#server/db/embedded/wire.ts'

/** Speaks the wire message by message, to do what no driver does. */
export class RawClient {
  readonly socket: Socket
  readonly #reader = new FrameReader()

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes) => this.#reader.push(bytes))
    socket.on('error', () => {})
  }

  static async connect(address: Address, password = address.password): Promise<RawClient> {
    const socket = connect(`${address.host}/.s.PGSQL.${address.port}`)
    const client = new RawClient(socket)
    const hello = Buffer.from('\0\0\0\0\0\x03\0\0user\0postgres\0\0', 'latin1')
    hello.writeInt32BE(hello.length)
    socket.write(hello)
    await client.until('R')
    client.send(frame('p', password))
    await client.until('Z')
    return client
  }

  send(...frames: Buffer[]): void {
    this.socket.write(Buffer.concat(frames))
  }

  /** Everything up to the next message of this type; what came before a closed connection otherwise. */
  async until(type: string): Promise<Buffer[]> {
    const seen: Buffer[] = []
    for (;;) {
      for (let next = this.#reader.next(); next; next = this.#reader.next()) {
        seen.push(next)
        if (typeOf(next) === type) return seen
      }
      if (this.socket.closed || this.socket.readableEnded) return seen
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')])
    }
  }
}

/** The SQLSTATE of the first error among these messages. */
export function sqlState(frames: Buffer[]): string | undefined {
  const error = frames.find((each) => typeOf(each) === 'E')
  if (!error) return undefined
  for (let field = textAt(error, 5); field.value; field = textAt(error, field.next)) {
    if (field.value.startsWith('C')) return field.value.slice(1)
  }
  return undefined
}

/** The values of all rows, as text. */
export function rowsOf(frames: Buffer[]): string[][] {
  return frames
    .filter((each) => typeOf(each) === 'D')
    .map((row) => {
      const values: string[] = []
      for (let at = 7; at < row.length;) {
        const length = row.readInt32BE(at)
        values.push(row.toString('utf8', at + 4, at + 4 + length))
        at += 4 + length
      }
      return values
    })
}

export const messages = {
  parse: (name: string, sql: string) => frame('P', name, sql, Buffer.from([0, 0])),
  bind: (statement: string, values: string[], portal = '') => frame('B', portal, statement, bound(values)),
  execute: (rows = 0, portal = '') => {
    const limit = Buffer.alloc(4)
    limit.writeInt32BE(rows)
    return frame('E', portal, limit)
  },
  flush: () => frame('H'),
  copyData: (text: string) => frame('d', Buffer.from(text)),
  copyDone: () => frame('c'),
}

function bound(values: string[]): Buffer {
  const head = Buffer.alloc(4)
  head.writeInt16BE(values.length, 2)
  const parts = values.map((value) => {
    const bytes = Buffer.alloc(4 + Buffer.byteLength(value))
    bytes.writeInt32BE(bytes.length - 4)
    bytes.write(value, 4)
    return bytes
  })
  return Buffer.concat([head, ...parts, Buffer.from([0, 0])])
}
