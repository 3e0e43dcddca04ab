import type { MigrationMeta } from 'drizzle-orm/migrator'
import type { ClientBase } from 'pg'

/** As drizzle-kit writes an index that says `.concurrently()`. */
const BESIDE_WRITES = /^(create (?:unique )?index) concurrently (?:if not exists )?"(\w+)"/i

/** @throws {Error} where it does anything else as well, since it is no transaction and may be begun again */
export function isBesideWrites({ sql }: Pick<MigrationMeta, 'sql'>): boolean {
  const statements = sql.map(withoutComments).filter(Boolean)
  const indexes = statements.filter((statement) => BESIDE_WRITES.test(statement))
  if (indexes.length > 0 && indexes.length < statements.length)
    throw new Error(`An index that is built beside writes has a migration for itself: ${indexes[0]!}`)
  return indexes.length > 0
}

/** For an empty database or one that is being restored, which nobody else uses. */
export const notBesideWrites = (statement: string): string => {
  const bare = withoutComments(statement)
  return BESIDE_WRITES.test(bare) ? bare.replace(/ concurrently/i, '') : statement
}

/**
 * Builds the indexes of a migration while others write. It takes two walks through the table, and waits for transactions that began
 * before it. One that was interrupted, or met two equal keys, leaves an index behind that is kept up to date and never asked: it
 * is built anew.
 */
export async function buildBesideWrites(client: ClientBase, { sql }: MigrationMeta): Promise<void> {
  // However long it takes.
  await client.query('set statement_timeout = 0')
  for (const statement of sql.map(withoutComments).filter(Boolean)) {
    const [, , name] = BESIDE_WRITES.exec(statement)!
    const state = await stateOf(client, name!)
    if (state === 'valid') continue
    if (state === 'invalid') await client.query(`drop index concurrently "${name!}"`)
    await client.query(statement)
  }
  await client.query('reset statement_timeout')
}

async function stateOf(client: ClientBase, name: string): Promise<'valid' | 'invalid' | 'none'> {
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
