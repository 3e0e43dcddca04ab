import { createHash } from 'node:crypto'
import pg, { type PoolConfig, type QueryConfig } from 'pg'

/** Enough for every query the shop has; a list of varying length must not fill the backend's memory. */
const MOST_NAMED = 300
const MOST_REMEMBERED = 2_000

export interface ConnectionOptions extends PoolConfig {
  /** Off for a pooler between us and PostgreSQL that does not follow prepared statements. */
  namedStatements: boolean
}

/**
 * A pool that prepares each parameterised query once per connection, and keeps a connection after a query fails: only one
 * that has lost its server is thrown away.
 */
export function createPool(
  { namedStatements, ...config }: ConnectionOptions,
  onError: (error: Error) => void,
): pg.Pool {
  const Client = namedStatements ? namingClient() : pg.Client
  const pool = new KeepingPool({ ...config, Client })
  // Without these two the loss of a connection ends the whole server.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

class KeepingPool extends pg.Pool {
  // pg-pool closes the connection after every query that fails, a duplicate key included. Its method is private: client.test.ts
  // fails where it goes.
  _release(client: pg.PoolClient, idleListener: unknown, error: unknown): void {
    const isWhole = error instanceof pg.DatabaseError && client.getTransactionStatus() === 'I'
    // @ts-expect-error -- it is not in the types
    super._release(client, idleListener, isWhole ? undefined : error)
  }
}

/** A client class that shares its names among the connections of one pool. */
function namingClient(): typeof pg.Client {
  const names = new StatementNames()

  return class NamingClient extends pg.Client {
    override query(...given: unknown[]): never {
      const [asked, values] = given
      const config = asConfig(asked, values)
      const name = config && names.nameFor(config.text)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver’s overloads, passed on unread
      if (!name) return (super.query as Loose).apply(this, given) as never
      const [, , ...rest] = given
      const result = (super.query as Loose).call(this, { ...config, name }, values, ...rest)
      if (result instanceof Promise) {
        result.catch((error: { code?: string }) => {
          if (OUTDATED.has(error.code ?? '')) names.renew(config.text)
        })
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver’s overloads, passed on unread
      return result as never
    }
  }
}

class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #seen = new Set<string>()
  #generation = 0

  /** Undefined for a text that is new, or one too many. */
  nameFor(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known || this.#names.size >= MOST_NAMED) return known
    if (!this.#seen.delete(text)) {
      if (this.#seen.size >= MOST_REMEMBERED) this.#seen.clear()
      this.#seen.add(text)
      return undefined
    }
    return this.#give(text)
  }

  /** After a change of the schema the old statement fails on every connection that has it. */
  renew(text: string): void {
    this.#generation++
    this.#give(text)
  }

  #give(text: string): string {
    const name = `${createHash('sha256').update(text).digest('base64url').slice(0, 22)}.${this.#generation}`
    this.#names.set(text, name)
    return name
  }
}

// "cached plan must not change result type", "prepared statement does not exist".
const OUTDATED = new Set(['0A000', '26000'])

function asConfig(asked: unknown, values: unknown): (QueryConfig & { text: string }) | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver’s overloads, passed on unread
  const config = typeof asked === 'string' ? { text: asked } : (asked as QueryConfig & { submit?: unknown })
  const parameters = Array.isArray(values) ? values : config.values
  // Without parameters node-postgres sends a simple query, which may hold several statements.
  if (!config.text || config.name || 'submit' in config || !parameters?.length) return undefined
  return config
}

/** node-postgres declares an overload for each way of calling; arguments are passed on unread. */
type Loose = (...given: unknown[]) => unknown
