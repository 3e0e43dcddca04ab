import type { Pool } from 'pg'

export async function emptyDatabase(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ tables: string | null }>(
    `SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables WHERE schemaname = 'public'`,
  )
  if (rows[0]?.tables) await pool.query(`TRUNCATE ${rows[0].tables} RESTART IDENTITY CASCADE`)
}
