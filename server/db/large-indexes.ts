import type { MigrationMeta } from 'drizzle-orm/migrator'
import type { ClientBase } from 'pg'

/** The SQL that drizzle-kit generates for an index with `.concurrently()`. */
const BESIDE_WRITES = /^(create (?:unique )?index) concurrently (?:if not exists )?"(\w+)"/i

/**
 * Whether a migration builds indexes concurrently.
 *
 * @throws {Error} if it contains anything else, because such a migration is no transaction and may be repeated
 */
export function isBesideWrites({ sql }: Pick<MigrationMeta, 'sql'>): boolean {
  const statements = sql.map(withoutComments).filter(Boolean)
  const indexes = statements.filter((statement) => BESIDE_WRITES.test(statement))
  if (indexes.length > 0 && indexes.length < statements.length)
    throw new Error(`An index that is built beside writes has a migration for itself: ${indexes[0]!}`)
  return indexes.length > 0
}

/** For an empty database or one that is being restored: without concurrent writers a normal build is faster. */
export const notBesideWrites = (statement: string): string => {
  const bare = withoutComments(statement)
  return BESIDE_WRITES.test(bare) ? bare.replace(/ concurrently/i, '') : statement
}

/**
 * Builds the indexes of a migration while others write. CREATE INDEX CONCURRENTLY scans the table twice and waits for
 * transactions that started before it. If it is interrupted or finds duplicate keys, it leaves an invalid index, which
 * is maintained but never used; that one is dropped and built again.
 */
export async function buildBesideWrites(client: ClientBase, { sql }: MigrationMeta): Promise<void> {
  await client.query('set statement_timeout = 0')
  for (const statement of sql.map(withoutComments).filter(Boolean)) {
    const [, , name] = BESIDE_WRITES.exec(statement)!
    const state = await indexState(client, name!)
    if (state === 'valid') continue
    if (state === 'invalid') await client.query(`drop index concurrently "${name!}"`)
    await client.query(statement)
  }
  await client.query('reset statement_timeout')
}

async function indexState(client: ClientBase, name: string): Promise<'valid' | 'invalid' | 'none'> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [`"${name}"`],
  )
  if (!rows[0]) return 'none'
  return rows[0].valid ? 'valid' : 'invalid'
}

const withoutComments = (statement: string): string =>
  statement
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
