import { sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/open.ts'

/** Any number that nothing else of ours locks with: one title at a time, also from two imports at once. */
const IMPORT_LOCK = 7_305_512

/** Until the transaction ends, nothing else is brought in. */
export const lockImports = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`)
