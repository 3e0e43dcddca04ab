import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/open.ts'
import { importContent, importVocabularies } from './content/run.ts'
import { loadAccounts } from './demo-accounts.ts'
import { loadCards } from './demo-cards.ts'
import { loadPurchases, type DemoSettings } from './demo-purchases.ts'
import type { TitleReport } from './report.ts'
import { importTitles } from './run.ts'

export const DEMO_CONTENT = fileURLToPath(new URL('../../content/demo', import.meta.url))

export interface LoadingDemo {
  readonly db: Database
  readonly mediaDir: string
  readonly now: () => Date
  readonly config: DemoSettings['config']
  readonly log: { info(text: string): void; warn(text: string): void }
  /** Another folder of content, for tests. */
  readonly content?: string
}

/**
 * True once the demo shop must be left alone: when it is complete, or when somebody brought books of their
 * own. A load that was interrupted is not complete and goes on where it stopped.
 */
export async function demoIsLoaded(db: Database, content = DEMO_CONTENT): Promise<boolean> {
  const slugs = folders(content).map(({ slug }) => slug)
  const { rows } = await db.execute<{ loaded: boolean }>(sql`
    select exists (select 1 from users)
      or exists (select 1 from books where not (slug = any(${sql.param(slugs)}::text[]))) as loaded`)
  return rows[0]!.loaded
}

/**
 * Fills an empty shop from `content/demo`: lists, titles, texts, menus and panels through the import that an owner
 * uses, then accounts with what they hold. Dates are relative to `now`. Safe to repeat after an interruption; the accounts come last
 * and at once, so that they say it is complete.
 */
export async function loadDemo({
  db,
  mediaDir,
  now,
  config,
  log,
  content = DEMO_CONTENT,
}: LoadingDemo): Promise<void> {
  // Oldest first, because what came last is listed first.
  const inOrder = folders(content).sort((one, two) =>
    one.firstPublished === two.firstPublished
      ? one.slug.localeCompare(two.slug, 'en')
      : one.firstPublished < two.firstPublished
        ? -1
        : 1,
  )
  const importing = {
    db,
    mediaDir,
    now,
    root: join(content, 'titles'),
    demo: true,
    onTitle: ({ folder, outcome, details }: TitleReport) => {
      if (outcome === 'refused') log.warn(`The demo’s ${folder} was refused: ${details.join(' ')}`)
    },
  }
  await importVocabularies(importing, content)
  const reports = await importTitles(
    importing,
    inOrder.map(({ folder }) => folder),
  )
  await spreadOverTheYear(db, now())
  await importContent(importing, content)
  await loadAccounts(db, content, now(), async (tx) => {
    await loadPurchases(tx, content, { config, now: now() })
    await loadCards(tx, content, { config, now: now() })
  })
  log.info(`The demo shop is ready: ${reports.filter(({ outcome }) => outcome !== 'refused').length} titles.`)
}

interface DemoFolder {
  readonly folder: string
  readonly slug: string
  readonly firstPublished: string
}

function folders(content: string): DemoFolder[] {
  const titles = join(content, 'titles')
  return readdirSync(titles)
    .map((slug) => ({ slug, folder: join(titles, slug), file: join(titles, slug, 'book.json') }))
    .filter(({ file }) => existsSync(file))
    .map(({ slug, folder, file }) => {
      const book = read<{ slug?: string; firstPublished?: string }>(file)
      return { slug: book.slug ?? slug, folder, firstPublished: book.firstPublished ?? '' }
    })
}

/** A shop that has been open for a while: one title every few days, the newest yesterday. */
const spreadOverTheYear = (db: Database, now: Date) =>
  db.execute(sql`
    update books b set listed_at = ${now.toISOString()}::timestamptz - (1 + 3 * place.later) * interval '1 day'
    from (select slug, dense_rank() over (order by max(id) desc) - 1 as later from books group by slug) place
    where place.slug = b.slug`)

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'))
