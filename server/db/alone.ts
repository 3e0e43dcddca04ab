import type { OpenDatabase } from './open.ts'

/**
 * Work that one instance does while the others wait until it is done; each then looks whether anything is left to do. The
 * lock belongs to a transaction, so that it works through a pooler and ends with its connection.
 */
export async function alone<Result>(
  { pool }: Pick<OpenDatabase, 'pool'>,
  lock: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // It does nothing as long as the work takes.
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    return await work()
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release(client.getTransactionStatus() !== 'I')
  }
}
