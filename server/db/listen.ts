import { setTimeout as pause } from 'node:timers/promises'
import pg, { type ClientConfig } from 'pg'

export type Stop = () => Promise<void>

interface Listener {
  onMessage: (payload: string) => void
  onGap: (() => void) | undefined
}

/** LISTEN/NOTIFY on a separate connection, which is opened for the first listener and reopened whenever it is lost. */
export class Notifications {
  readonly #config: ClientConfig
  readonly #onError: (error: unknown) => void
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #closing = new AbortController()
  #client: Promise<pg.Client> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(config: ClientConfig, onError: (error: unknown) => void) {
    this.#config = config
    this.#onError = onError
  }

  /** @param onGap called after a reconnection: notifications sent meanwhile are lost, so reload what they announce */
  async listen(channel: string, onMessage: Listener['onMessage'], onGap?: Listener['onGap']): Promise<Stop> {
    const listener = { onMessage, onGap }
    const known = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, known.add(listener))
    await this.#command('LISTEN', channel)
    return async () => {
      known.delete(listener)
      if (known.size > 0 || this.#closing.signal.aborted) return
      this.#listeners.delete(channel)
      await this.#command('UNLISTEN', channel)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#listeners.clear()
    await (await this.#client?.catch(() => undefined))?.end().catch(() => {})
  }

  #command(verb: 'LISTEN' | 'UNLISTEN', channel: string): Promise<unknown> {
    const run = async () => {
      this.#client ??= this.#connect()
      const client = await this.#client.catch((error: unknown) => {
        this.#client = undefined
        throw error
      })
      await client.query(`${verb} ${client.escapeIdentifier(channel)}`)
    }
    this.#last = this.#last.then(run, run)
    return this.#last
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    client.on('notification', ({ channel, payload = '' }) => this.#deliver(channel, payload))
    client.on('error', this.#onError)
    await client.connect()
    client.on('end', () => {
      if (this.#closing.signal.aborted) return
      this.#client = this.#reconnect()
      // Callers that need the connection get the error; without callers it doesn't matter.
      this.#client.catch(() => {})
    })
    return client
  }

  async #reconnect(): Promise<pg.Client> {
    for (let wait = 200; ; wait = Math.min(wait * 2, 5_000)) {
      await pause(wait, undefined, { ref: false, signal: this.#closing.signal })
      try {
        const client = await this.#connect()
        for (const channel of this.#listeners.keys()) {
          await client.query(`LISTEN ${client.escapeIdentifier(channel)}`)
        }
        for (const { onGap } of this.#all()) this.#guarded(() => onGap?.())
        return client
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  #deliver(channel: string, payload: string): void {
    for (const { onMessage } of this.#listeners.get(channel) ?? []) this.#guarded(() => onMessage(payload))
  }

  #all(): Listener[] {
    return [...this.#listeners.values()].flatMap((listeners) => [...listeners])
  }

  #guarded(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#onError(error)
    }
  }
}
