import pg from 'pg'

type Query = (...given: unknown[]) => unknown

export interface Plug {
  /** After this number of statements nothing reaches the database any more, as in a power cut. */
  armAfter(statements: number): void
  /** Restores the connection; returns whether it was cut. */
  disarm(): boolean
}

/**
 * Cuts this process off its database after a number of statements. Committed data stays, and an open transaction is
 * rolled back with its lost connection: to the database this is the same as a killed server.
 */
export function thePlug(): Plug & { remove(): void } {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the client it was called on
  const query = pg.Client.prototype.query as Query
  let left = Infinity
  const dead = () => left < 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    left -= 1
    if (!dead()) return query.apply(this, given)
    const error = new Error('the plug was pulled')
    const done = given.at(-1)
    if (typeof done !== 'function') return Promise.reject(error)
    queueMicrotask(() => (done as (problem: Error) => void)(error))
    return undefined
  } as typeof pg.Client.prototype.query
  return {
    armAfter: (statements) => (left = statements),
    disarm() {
      const wasPulled = dead()
      left = Infinity
      return wasPulled
    },
    remove: () => void (pg.Client.prototype.query = query as typeof pg.Client.prototype.query),
  }
}
