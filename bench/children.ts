import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { BareAnswer } from './bare-server.ts'
import type { Findings, Load, LoadRequest } from './load/requests.ts'

/** A child process that answers each message with one message. */
export interface Child {
  ask<Answer>(message: unknown): Promise<Answer>
  readonly stop: () => Promise<void>
}

export function startChild(file: string, env: NodeJS.ProcessEnv = {}): Child & { first<A>(): Promise<A> } {
  const child = fork(join(import.meta.dirname, file), { env: { ...process.env, ...env } })
  return {
    first: () => nextMessage(child, file),
    ask: (message) => {
      const answer = nextMessage<never>(child, file)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own child process sends
      child.send(message as object)
      return answer
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

async function nextMessage<A>(child: ChildProcess, file: string): Promise<A> {
  const failed = new AbortController()
  try {
    const [answer] = await Promise.race([
      once(child, 'message', { signal: failed.signal }),
      once(child, 'exit', { signal: failed.signal }).then(() => {
        throw new Error(`${file} ended early`)
      }),
    ])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own child process sends
    return answer as A
  } finally {
    failed.abort()
  }
}

export interface Generator {
  run(load: Load): Promise<Findings>
  readonly stop: () => Promise<void>
}

export function startGenerator(): Generator {
  const child = startChild('load/generator.ts')
  return { run: (load) => child.ask<Findings>(load), stop: child.stop }
}

export interface BareServer {
  readonly port: number
  /** Makes the bare server send, byte for byte, the current answer of the server at `port`. */
  imitate(port: number, request: LoadRequest): Promise<void>
  readonly stop: () => Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const child = startChild('bare-server.ts')
  const port = await child.first<number>()
  return {
    port,
    stop: child.stop,
    imitate: async (of, request) => {
      const { status, headers, body } = await answerTo(of, request)
      // Node sets these headers itself on both sides.
      for (const name of ['connection', 'keep-alive', 'date', 'transfer-encoding']) delete headers[name]
      headers['content-length'] = String(body.length)
      await child.ask({ status, headers, bodyBase64: body.toString('base64') } satisfies BareAnswer)
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/**
 * Sends one request.
 *
 * @throws for a status of 400 or above, because an error is not worth measuring
 */
export async function answerTo(
  port: number,
  { method = 'GET', path, headers, body }: LoadRequest,
): Promise<Answer> {
  const asked = httpRequest({
    port,
    method,
    path,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  })
  asked.end(
    body?.replace('{event}', `"${randomUUID()}"`).replace('{before}', 'null').replaceAll('{round}', '0'),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the other side sends
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const answer = {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: await buffer(response),
  }
  if (answer.status >= 400)
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.toString()}`)
  return answer
}

/** Resident memory of these processes in MiB. Shared memory is divided among the processes that share it. */
export const residentMegabytes = (processIds: readonly number[]): number =>
  processIds.reduce((sum, id) => sum + residentOf(id), 0)

function residentOf(processId: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

export function familyOf(processId: number): number[] {
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').trim()
  return [
    processId,
    ...children
      .split(' ')
      .filter(Boolean)
      .flatMap((id) => familyOf(Number(id))),
  ]
}
