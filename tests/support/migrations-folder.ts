import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Later than the shop's own migrations, which a database has already. */
const FAR_FUTURE = 4_000_000_000_000

/** A folder of migrations as drizzle-kit writes it, one for each text. The caller removes it. */
export function migrationsFolder(...migrations: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-migrations-'))
  mkdirSync(join(folder, 'meta'))
  const entries = migrations.map((_, idx) => ({
    idx,
    version: '7',
    when: FAR_FUTURE + idx,
    tag: `000${idx}`,
    breakpoints: true,
  }))
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  )
  migrations.forEach((sql, idx) => writeFileSync(join(folder, `000${idx}.sql`), sql))
  return folder
}
