import { Conversation, type Cycle, type Welcome } from './conversation.ts'
import type { Engine } from './engine.ts'
import { errorResponse, query, textAt, typeOf, WireError } from './wire.ts'

/** Where a client's answers go. */
export interface Link {
  send(bytes: Buffer): void
  /** Delivers what was sent, then closes. */
  close(): void
}

export interface Options extends Welcome {
  /** How long a client may sit idle in a transaction while others wait for the session. */
  idleInTransactionMs: number
  onFatal(reason: string): never
}

interface Client {
  conversation: Conversation
  link: Link
  cycles: Cycle[]
  channels: Set<string>
  status: string
  open: boolean
  waiting: boolean
  leaving: boolean
}

/**
 * Lets many clients share PostgreSQL's one session as if each had its own.
 *
 * The unit is a request cycle, never a message: with single messages another client's Bind lands between
 * a client's Parse and its Execute, and answers go to the wrong one. A client keeps the session from its
 * first cycle until PostgreSQL says idle, so no transaction is ever interleaved.
 */
export class Multiplexer {
  readonly #engine: Engine
  readonly #options: Options
  readonly #clients = new Set<Client>()
  readonly #waiting: Client[] = []
  readonly #tasks: ((engine: Engine) => void)[] = []
  readonly #watch: NodeJS.Timeout
  #owner: Client | undefined
  #lastUnnamed: Client | undefined
  #blockedSince: number | undefined
  #clean = { settings: true, channels: true }
  #scheduled = false
  #closed = false
  #count = 0

  constructor(engine: Engine, options: Options) {
    this.#engine = engine
    this.#options = options
    this.#watch = setInterval(() => this.#guard(), options.idleInTransactionMs / 4)
  }

  connect(link: Link): { receive(bytes: Buffer): void; leave(): void } {
    const conversation = new Conversation(++this.#count, this.#options, (bytes) => link.send(bytes))
    const rest = { cycles: [], channels: new Set<string>(), status: 'I' }
    const client: Client = { conversation, link, ...rest, open: false, waiting: false, leaving: false }
    this.#clients.add(client)
    return {
      receive: (bytes) => this.#receive(client, bytes),
      leave: () => this.#dismiss(client),
    }
  }

  /** Runs a task of our own as soon as no client is in a transaction. */
  whenFree(task: (engine: Engine) => void): void {
    this.#tasks.push(task)
    this.#schedule()
  }

  /** Nothing runs after this; transactions under way are lost, as with any PostgreSQL that stops. */
  close(): void {
    this.#closed = true
    clearInterval(this.#watch)
    for (const client of this.#clients) client.link.close()
  }

  #receive(client: Client, bytes: Buffer): void {
    if (client.leaving) return
    try {
      client.cycles.push(...client.conversation.receive(bytes))
      if (client === this.#owner) this.#blockedSince = undefined
      if (client.conversation.ended) this.#dismiss(client)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      this.#turnAway(client, '08P01', `the embedded database does not accept ${error.message}`)
    }
    this.#await(client)
  }

  /** Complete requests of a client are still carried out before it is forgotten. */
  #dismiss(client: Client): void {
    client.leaving = true
    this.#await(client)
  }

  #turnAway(client: Client, code: string, message: string): void {
    client.link.send(errorResponse('FATAL', code, message))
    client.link.close()
    client.cycles.length = 0
    this.#dismiss(client)
  }

  #await(client: Client): void {
    if (client.cycles.length === 0 && !client.leaving) return
    if (client !== this.#owner && !client.waiting && this.#clients.has(client)) {
      client.waiting = true
      this.#waiting.push(client)
    }
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return
    this.#scheduled = true
    // Sockets get their turn between cycles, so an answer never waits for someone else's query.
    setImmediate(() => {
      this.#scheduled = false
      this.#turn()
    })
  }

  #turn(): void {
    if (this.#closed) return
    if (!this.#owner) {
      const task = this.#tasks.shift()
      if (task) {
        task(this.#engine)
        return this.#schedule()
      }
    }
    const client = this.#owner ?? this.#waiting.shift()
    if (!client) return
    client.waiting = false
    const cycle = client.cycles.shift()
    if (cycle) this.#run(client, cycle)
    else if (client.leaving) this.#forget(client)
    else return

    const busy = client.open || client.status !== 'I'
    this.#owner = busy ? client : undefined
    if (!busy) this.#tidy()
    this.#await(client)
    this.#schedule()
  }

  #run(client: Client, cycle: Cycle): void {
    this.#blockedSince = undefined
    if (cycle.reply) return client.link.send(cycle.reply)
    const parse = client.conversation.unnamedParse
    // Another client's unnamed statement has replaced the one that this cycle refers to.
    const parseAgain = cycle.needsUnnamed && parse !== undefined && this.#lastUnnamed !== client
    const answer = this.#engine.run(parseAgain ? [parse, ...cycle.frames] : cycle.frames)
    if (cycle.parsesUnnamed || cycle.needsUnnamed) this.#lastUnnamed = client

    client.open = cycle.open
    const own: Buffer[] = []
    const notifications: Buffer[] = []
    let status: string | undefined
    for (const frame of answer) {
      const type = typeOf(frame)
      if (type === 'A') notifications.push(frame)
      else if (type === '1' && parseAgain && own.length === 0) continue
      else if (type === 'G' && cycle.copied) continue
      else own.push(frame)
      if (type === 'Z') status = String.fromCharCode(frame[5]!)
      if (type === 'C') this.#note(client, cycle, textAt(frame, 5).value)
    }
    if (!status && !cycle.open) this.#options.onFatal('no ReadyForQuery at the end of a request cycle')
    if (status) client.status = status
    client.link.send(Buffer.concat(own))
    for (const notification of notifications) this.#notify(notification)
  }

  /** Keeps track of what a command changed for the whole session, not only for its client. */
  #note(client: Client, cycle: Cycle, tag: string): void {
    if (tag === 'SET') this.#clean.settings = false
    if (tag === 'LISTEN') for (const channel of cycle.channels.listen) client.channels.add(channel)
    if (tag === 'UNLISTEN') {
      for (const channel of cycle.channels.unlisten) client.channels.delete(channel)
      if (cycle.channels.unlisten.includes('*')) client.channels.clear()
      this.#clean.channels = false
    }
    if (tag === 'DEALLOCATE ALL' || tag === 'DISCARD ALL') {
      for (const other of this.#clients) {
        this.#turnAway(other, '57P01', 'a client has discarded the prepared statements of all')
      }
    }
  }

  /** Settings last for a transaction here, and one client's UNLISTEN is not everyone's. */
  #tidy(): void {
    if (!this.#clean.settings) this.#engine.run([query('RESET ALL')])
    if (!this.#clean.channels) {
      const channels = new Set([...this.#clients].flatMap((client) => [...client.channels]))
      for (const channel of channels) {
        this.#engine.run([query(`LISTEN "${channel.replaceAll('"', '""')}"`)])
      }
    }
    this.#clean = { settings: true, channels: true }
  }

  #notify(notification: Buffer): void {
    // After the type, the length and the process id.
    const channel = textAt(notification, 9).value
    for (const client of this.#clients) if (client.channels.has(channel)) client.link.send(notification)
  }

  #forget(client: Client): void {
    const inTransaction = client.status !== 'I'
    const frames = client.conversation.farewell({ open: client.open, inTransaction })
    if (frames.length > 0) this.#engine.run(frames)
    if (this.#lastUnnamed === client) this.#lastUnnamed = undefined
    client.open = false
    client.status = 'I'
    this.#clients.delete(client)
  }

  /**
   * Code that awaits a pool query inside a transaction waits for itself. Without this, the whole shop would
   * wait with it.
   */
  #guard(): void {
    const owner = this.#owner
    const blocked = owner && owner.cycles.length === 0 && !owner.leaving && this.#waiting.length > 0
    if (!blocked) {
      this.#blockedSince = undefined
      return
    }
    this.#blockedSince ??= performance.now()
    if (performance.now() - this.#blockedSince < this.#options.idleInTransactionMs) return
    this.#turnAway(owner, '25P03', 'terminating connection due to idle-in-transaction timeout')
  }
}
