import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/open.ts'

export const DEMO_CONTENT = fileURLToPath(new URL('../content/demo', import.meta.url))

/** An interrupted load is not complete and continues at the next start. */
export async function demoIsLoaded(db: Database, content = DEMO_CONTENT): Promise<boolean> {
  const slugs = demoFolders(content).map(({ slug }) => slug)
  const { rows } = await db.execute<{ loaded: boolean }>(sql`
    select exists (select 1 from users)
      or exists (select 1 from books where not (slug = any(${sql.param(slugs)}::text[]))) as loaded`)
  return rows[0]!.loaded
}

export interface DemoFolder {
  readonly folder: string
  readonly slug: string
  readonly firstPublished: string
}

export function demoFolders(content: string): DemoFolder[] {
  const titles = join(content, 'titles')
  return readdirSync(titles)
    .map((slug) => ({ slug, folder: join(titles, slug), file: join(titles, slug, 'book.json') }))
    .filter(({ file }) => existsSync(file))
    .map(({ slug, folder, file }) => {
      const book = read<{ slug?: string; firstPublished?: string }>(file)
      return { slug: book.slug ?? slug, folder, firstPublished: book.firstPublished ?? '' }
    })
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'))
