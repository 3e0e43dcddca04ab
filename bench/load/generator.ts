import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Findings, Load, LoadRequest } from './requests.ts'

/**
 * A separate process that loads a server over keep-alive connections and reports by message. It parses only the status
 * and length of an answer: ready-made clients cost more than the servers measured here and would improve every ratio.
 */
process.on('message', (load: Load) => {
  void run(load).then(
    (findings) => process.send?.(findings),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

const READ_BYTES = 256 * 1024

async function run(load: Load): Promise<Findings> {
  const list = load.requests.map(compiled)
  const times: number[] = []
  const refused: Record<string, number> = {}
  let next = 0
  let bytes = 0
  const begun = performance.now()
  const until = begun + load.seconds * 1000

  const source: Source = {
    next: () => {
      if (performance.now() >= until || (load.once && next >= list.length)) return undefined
      const index = next++
      return list[index % list.length]!(Math.floor(index / list.length))
    },
    answered: (status, ms, length) => {
      bytes += length
      if (status < 400) times.push(ms)
      else refused[status] = (refused[status] ?? 0) + 1
    },
    restMs: load.restMs ?? 0,
  }
  await Promise.all(Array.from({ length: load.connections }, () => converse(load.port, source)))

  const seconds = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    answers: times.length,
    perSecond: times.length / seconds,
    bytesPerSecond: bytes / seconds,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    refused,
    ...(load.once ? { timesMs: times } : {}),
  }
}

interface Source {
  /** @returns undefined when the time is up */
  next(): string | undefined
  answered(status: number, ms: number, bytes: number): void
  readonly restMs: number
}

function converse(port: number, source: Source): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = ''
    let missing = 0
    let status = 0
    let length = 0
    let sentAt = 0
    let socket: Socket

    const send = () => {
      const text = source.next()
      if (text === undefined) {
        socket.destroy()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(text, 'latin1')
    }
    const finish = () => {
      source.answered(status, performance.now() - sentAt, length)
      if (source.restMs > 0) setTimeout(send, source.restMs)
      else send()
    }
    const take = (count: number, chunk: Uint8Array): boolean => {
      if (missing > 0) missing -= count
      else {
        head += Buffer.from(chunk.buffer, chunk.byteOffset, count).toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return true
        status = Number(head.slice(9, 12))
        length = status === 204 || status === 304 ? 0 : lengthIn(head.slice(0, end))
        missing = length - (head.length - end - 4)
        head = ''
      }
      if (missing === 0) finish()
      else if (missing < 0) socket.destroy(new Error('An answer was longer than it said'))
      return true
    }

    socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take },
    })
    socket.once('connect', send)
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('The server ended a connection')))
  })
}

function lengthIn(head: string): number {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (!found) throw new Error(`An answer without length:\n${head}`)
  return Number(found[1])
}

/** The request as latin1 text; its body is ASCII. */
function compiled({ method = 'GET', path, headers = {}, body }: LoadRequest): (round: number) => string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  if (body === undefined) return () => `${lines}\r\n\r\n`
  let before = 'null'
  return (round) => {
    const event = `"${randomUUID()}"`
    const text = body
      .replace('{event}', event)
      .replace('{before}', before)
      .replaceAll('{round}', String(round))
    before = event
    return `${lines}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  }
}
