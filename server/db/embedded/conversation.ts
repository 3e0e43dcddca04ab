import { timingSafeEqual } from 'node:crypto'
import {
  authentication,
  backendKey,
  closeStatement,
  copyFail,
  copyIn,
  FrameReader,
  negotiateVersion,
  parameterStatus,
  prefixedAt,
  query,
  readyForQuery,
  sync,
  textAt,
  typeOf,
  WireError,
} from './wire.ts'

/** One piece for the backend: everything up to Sync, Flush or the end of a simple query. */
export interface Cycle {
  frames: Buffer[]
  /** Answered without the backend, in its turn. */
  reply?: Buffer
  /** Refers to an unnamed statement that an earlier cycle parsed. */
  needsUnnamed: boolean
  parsesUnnamed: boolean
  /** The client has had its CopyInResponse already. */
  copied: boolean
  /** Ends without Sync, so the backend waits for more of it. */
  open: boolean
  channels: { listen: string[]; unlisten: string[] }
}

export interface Welcome {
  secret: string
  serverVersion: string
  processId: number
}

/** Both a collected COPY and a half-sent cycle wait in memory. */
const LONGEST_CYCLE = 256 * 1024 * 1024
const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const CANCEL_REQUEST = 80877102

/** One client's side of the wire: bytes in, request cycles out, names made its own. */
export class Conversation {
  /** Statement names in the backend, so that they can be closed when the client is gone. */
  readonly statements = new Set<string>()
  unnamedParse: Buffer | undefined
  readonly #prefix: string
  readonly #welcome: Welcome
  readonly #send: (bytes: Buffer) => void
  readonly #reader = new FrameReader()
  #stage: 'startup' | 'password' | 'ready' | 'ended' = 'startup'
  #cycle = emptyCycle()
  #size = 0
  #copying = false

  constructor(id: number, welcome: Welcome, send: (bytes: Buffer) => void) {
    this.#prefix = `${id}.`
    this.#welcome = welcome
    this.#send = send
  }

  get ended(): boolean {
    return this.#stage === 'ended'
  }

  /** The cycles that these bytes complete. Throws WireError on what no client of ours would send. */
  receive(bytes: Buffer): Cycle[] {
    this.#reader.push(bytes)
    const cycles: Cycle[] = []
    while (this.#stage !== 'ended') {
      const frame = this.#reader.next(this.#stage !== 'startup')
      if (!frame) break
      if (this.#stage === 'startup') this.#startUp(frame)
      else if (this.#stage === 'password') this.#logIn(frame)
      else cycles.push(...this.#accept(frame))
    }
    return cycles
  }

  /** Gives back all that the backend still keeps for this client. */
  farewell(state: { open: boolean; inTransaction: boolean }): Buffer[] {
    return [
      ...(state.open ? [sync()] : []),
      ...(state.inTransaction || state.open ? [query('ROLLBACK')] : []),
      ...[...this.statements].map(closeStatement),
      ...(this.statements.size > 0 ? [sync()] : []),
    ]
  }

  #startUp(frame: Buffer): void {
    const code = frame.readInt32BE(4)
    if (code === SSL_REQUEST || code === GSS_REQUEST) return this.#send(Buffer.from('N'))
    // By the time this is read, the query it would cancel is over: only one runs at a time.
    if (code === CANCEL_REQUEST) return this.#end()
    if (code >> 16 !== 3) throw new WireError(`protocol version ${code >> 16}`)
    if ((code & 0xffff) > 0) this.#send(negotiateVersion())
    this.#stage = 'password'
    this.#send(authentication('cleartext'))
  }

  #logIn(frame: Buffer): void {
    if (typeOf(frame) !== 'p' || !sameSecret(textAt(frame, 5).value, this.#welcome.secret)) {
      throw new WireError('a wrong password')
    }
    this.#stage = 'ready'
    const settings = {
      server_version: this.#welcome.serverVersion,
      server_encoding: 'UTF8',
      client_encoding: 'UTF8',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      TimeZone: 'UTC',
      integer_datetimes: 'on',
      standard_conforming_strings: 'on',
    }
    const statuses = Object.entries(settings).map(([name, value]) => parameterStatus(name, value))
    const key = backendKey(this.#welcome.processId)
    this.#send(Buffer.concat([authentication('ok'), ...statuses, key, readyForQuery('I')]))
  }

  #accept(frame: Buffer): Cycle[] {
    const type = typeOf(frame)
    if (type === 'X') return (this.#end(), [])
    if (this.#copying) return this.#collect(type, frame)
    switch (type) {
      case 'Q':
        return this.#simpleQuery(frame)
      case 'P':
        this.#parse(frame)
        return []
      case 'B':
        this.#referTo(frame, textAt(frame, 5).next)
        return []
      case 'D':
      case 'C':
        // Portals end with their transaction and need no name of their own.
        if (frame[5] === 0x53) this.#referTo(frame, 6, type === 'C')
        else this.#add(frame)
        return []
      case 'E':
        this.#add(frame)
        return []
      case 'H':
        this.#cycle.open = true
        return this.#cycle.frames.length > 0 ? [this.#complete()] : []
      case 'S':
        this.#add(frame)
        return [this.#complete()]
      case 'd':
      case 'c':
      case 'f':
        // A client goes on sending after its COPY has failed.
        return []
      default:
        throw new WireError(`a message of type ${JSON.stringify(type)}`)
    }
  }

  #simpleQuery(frame: Buffer): Cycle[] {
    const sql = textAt(frame, 5).value
    this.#noteChannels(sql)
    this.unnamedParse = undefined
    this.#add(frame)
    const copy = /^\s*copy\b[^;]*\bfrom\s+stdin\b([^;]*);?\s*$/i.exec(sql)
    if (copy) {
      this.#copying = true
      const reply = copyIn(/\bbinary\b/i.test(copy[1]!))
      return [{ ...emptyCycle(), reply }]
    }
    // Never left without data, because a COPY with nothing to read ends the backend.
    if (/\bstdin\b/i.test(sql)) this.#add(copyFail('COPY FROM STDIN must be a query of its own'))
    return [this.#complete()]
  }

  #collect(type: string, frame: Buffer): Cycle[] {
    if (type === 'd') return (this.#add(frame), [])
    if (type === 'H' || type === 'S') return []
    if (type !== 'c' && type !== 'f') throw new WireError(`a message of type ${type} inside COPY`)
    this.#copying = false
    this.#cycle.copied = true
    this.#add(frame)
    return [this.#complete()]
  }

  #parse(frame: Buffer): void {
    const { value: name, next } = textAt(frame, 5)
    const sql = textAt(frame, next).value
    if (/\bfrom\s+stdin\b/i.test(sql)) throw new WireError('a prepared COPY FROM STDIN')
    this.#noteChannels(sql)
    if (name) {
      this.statements.add(this.#prefix + name)
    } else {
      this.unnamedParse = Buffer.from(frame)
      this.#cycle.parsesUnnamed = true
    }
    this.#add(prefixedAt(frame, 5, this.#prefix))
  }

  #referTo(frame: Buffer, at: number, closes = false): void {
    const name = textAt(frame, at).value
    if (closes) this.statements.delete(this.#prefix + name)
    if (!name && !closes && !this.#cycle.parsesUnnamed) this.#cycle.needsUnnamed = true
    this.#add(prefixedAt(frame, at, this.#prefix))
  }

  #noteChannels(sql: string): void {
    for (const [, un, quoted, plain] of sql.matchAll(CHANNELS)) {
      const channel = quoted?.replaceAll('""', '"') ?? plain!.toLowerCase()
      this.#cycle.channels[un ? 'unlisten' : 'listen'].push(channel)
    }
  }

  #add(frame: Buffer): void {
    this.#size += frame.length
    if (this.#size > LONGEST_CYCLE) throw new WireError(`a request of ${this.#size} bytes`)
    this.#cycle.frames.push(frame)
  }

  #complete(): Cycle {
    const cycle = this.#cycle
    this.#cycle = emptyCycle()
    this.#size = 0
    return cycle
  }

  #end(): void {
    this.#stage = 'ended'
  }
}

const CHANNELS = /(?:^|;)\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|([\w$]+|\*))/gi

const emptyCycle = (): Cycle => ({
  frames: [],
  needsUnnamed: false,
  parsesUnnamed: false,
  copied: false,
  open: false,
  channels: { listen: [], unlisten: [] },
})

function sameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
