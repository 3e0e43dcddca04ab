import { sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/open.ts'

/** The advisory lock of imports; the number must differ from all other advisory locks. */
const IMPORT_LOCK = 7_305_512

export const lockImports = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`)
