import { createHash } from 'node:crypto'
import pg, { type PoolConfig, type QueryConfig } from 'pg'

/** Enough for every query. Queries with lists of varying length would fill the backend's memory without a limit. */
const MOST_NAMED = 300
const MOST_REMEMBERED = 2_000

export interface ConnectionOptions extends PoolConfig {
  /** Off for a pooler that does not support prepared statements. */
  namedStatements: boolean
}

/** Prepares each parameterised query once per connection, and keeps a connection after a failed query. */
export function createPool(
  { namedStatements, ...config }: ConnectionOptions,
  onError: (error: Error) => void,
): pg.Pool {
  const Client = namedStatements ? namingClient() : pg.Client
  const pool = new KeepingPool({ ...config, Client })
  // Without these handlers, losing a connection would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

class KeepingPool extends pg.Pool {
  // pg-pool closes the connection after every failed query, even after a duplicate key. Its method is private;
  // client.test.ts fails if it is removed.
  _release(client: pg.PoolClient, idleListener: unknown, error: unknown): void {
    const isWhole = error instanceof pg.DatabaseError && client.getTransactionStatus() === 'I'
    // @ts-expect-error -- it is not in the types
    super._release(client, idleListener, isWhole ? undefined : error)
  }
}

function namingClient(): typeof pg.Client {
  const names = new StatementNames()

  return class NamingClient extends pg.Client {
    override query(...given: unknown[]): never {
      const [asked, values] = given
      const config = asConfig(asked, values)
      const name = config && names.nameFor(config.text)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- overloads of the driver, passed on unchanged
      if (!name) return (super.query as Loose).apply(this, given) as never
      const [, , ...rest] = given
      const result = (super.query as Loose).call(this, { ...config, name }, values, ...rest)
      if (result instanceof Promise) {
        result.catch((error: { code?: string }) => {
          if (OUTDATED.has(error.code ?? '')) names.renew(config.text)
        })
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- overloads of the driver, passed on unchanged
      return result as never
    }
  }
}

class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #seen = new Set<string>()
  #generation = 0

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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- overloads of the driver, passed on unchanged
  const config = typeof asked === 'string' ? { text: asked } : (asked as QueryConfig & { submit?: unknown })
  const parameters = Array.isArray(values) ? values : config.values
  // Without parameters node-postgres sends a simple query, which may contain several statements.
  if (!config.text || config.name || 'submit' in config || !parameters?.length) return undefined
  return config
}

type Loose = (...given: unknown[]) => unknown
