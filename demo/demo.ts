import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/open.ts'
import { importContent, importVocabularies } from '#importer/content/run.ts'
import { loadAccounts } from './demo-accounts.ts'
import { loadCards } from './demo-cards.ts'
import { DEMO_CONTENT, demoFolders } from './demo-folders.ts'
import { loadPurchases } from './demo-purchases.ts'
import type { Shop } from '#server/shop.ts'
import type { TitleReport } from '#importer/run.ts'
import { importTitles } from '#importer/run.ts'

interface LoadingDemo {
  readonly log: { info(text: string): void; warn(text: string): void }
  readonly content?: string | undefined
}

/** Safe to repeat after an interruption: the accounts come last, in one transaction, and mark the load as complete. */
export async function loadDemo(shop: Shop, { log, content = DEMO_CONTENT }: LoadingDemo): Promise<void> {
  const { db, media, now } = shop
  // Oldest first, because the shop lists the newest import first.
  const inOrder = demoFolders(content).sort((one, two) =>
    one.firstPublished === two.firstPublished
      ? one.slug.localeCompare(two.slug, 'en')
      : one.firstPublished < two.firstPublished
        ? -1
        : 1,
  )
  const importing = {
    db,
    media,
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
  await loadAccounts(shop, content, async (daysAgo) => {
    await loadPurchases(daysAgo, content)
    await loadCards(daysAgo, content)
  })
  log.info(`The demo shop is ready: ${reports.filter(({ outcome }) => outcome !== 'refused').length} titles.`)
}

/** One title every three days, the newest yesterday. */
const spreadOverTheYear = (db: Database, now: Date) =>
  db.execute(sql`
    update books b set listed_at = ${now.toISOString()}::timestamptz - (1 + 3 * place.later) * interval '1 day'
    from (select slug, dense_rank() over (order by max(id) desc) - 1 as later from books group by slug) place
    where place.slug = b.slug`)
