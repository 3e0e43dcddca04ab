import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '#server/db/migrate.ts'

/** Later than the shop's own migrations, which the database has already. */
const FAR_FUTURE = 4_000_000_000_000

interface Journal {
  readonly entries: readonly object[]
}

/** A folder of migrations in drizzle-kit's format, one per text. The caller removes it. */
export function migrationsFolder(...migrations: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-migrations-'))
  mkdirSync(join(folder, 'meta'))
  write(folder, { entries: [] }, migrations)
  return folder
}

/** A later release's folder: the shop's own migrations and one for each text. The caller removes it. */
export function laterMigrations(...migrations: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-migrations-'))
  cpSync(MIGRATIONS, folder, { recursive: true })
  write(folder, JSON.parse(readFileSync(journalIn(folder), 'utf8')) as Journal, migrations)
  return folder
}

function write(folder: string, { entries }: Journal, migrations: readonly string[]): void {
  const added = migrations.map((_, index) => ({
    idx: entries.length + index,
    version: '7',
    when: FAR_FUTURE + index,
    tag: `later_${index}`,
    breakpoints: true,
  }))
  const journal = { version: '7', dialect: 'postgresql', entries: [...entries, ...added] }
  writeFileSync(journalIn(folder), JSON.stringify(journal))
  migrations.forEach((sql, index) => writeFileSync(join(folder, `later_${index}.sql`), sql))
}

const journalIn = (folder: string) => join(folder, 'meta/_journal.json')
