import type { OpenDatabase } from '#server/db/open.ts'

/** Runs work on one instance; the others wait and then check what is left to do. Works through a pooler. */
export async function alone<Result>(
  { pool }: Pick<OpenDatabase, 'pool'>,
  lock: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // This transaction is idle while the work runs.
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    return await work()
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release(client.getTransactionStatus() !== 'I')
  }
}
